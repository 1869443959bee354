/// Slots of the root of the history of a Device Sync client (Spec 80).
package enum SyncClientHistorySlot: Int, CaseIterable, RecordSlot {
    case localChangesets
    case clientFileIdentifier
    case identifierSalt
    case latestServerVersion
    case latestServerVersionSalt
    case downloadServerVersion
    case downloadClientVersion
    case uploadClientVersion
    case uploadServerVersion
    case downloadedBytes
    case downloadableBytes
    case uploadedBytes
    case uploadableBytes
    case changesets
    case reciprocalTransforms
    case remoteVersions
    case originFileIdentifiers
    case originTimestamps
    case objectIdentifierState
    case cookedHistory
    case schemaVersions

    package var words: String {
        switch self {
        case .localChangesets: "local changesets"
        case .clientFileIdentifier: "client file identifier (unused)"
        case .identifierSalt: "identifier salt"
        case .latestServerVersion: "latest server version"
        case .latestServerVersionSalt: "its salt"
        case .downloadServerVersion: "download server version"
        case .downloadClientVersion: "download client version"
        case .uploadClientVersion: "upload client version"
        case .uploadServerVersion: "upload server version"
        case .downloadedBytes: "downloaded bytes"
        case .downloadableBytes: "downloadable bytes"
        case .uploadedBytes: "uploaded bytes"
        case .uploadableBytes: "uploadable bytes"
        case .changesets: "changesets"
        case .reciprocalTransforms: "reciprocal transforms"
        case .remoteVersions: "remote versions"
        case .originFileIdentifiers: "origin file identifiers"
        case .originTimestamps: "origin timestamps"
        case .objectIdentifierState: "object identifier state"
        case .cookedHistory: "cooked history"
        case .schemaVersions: "schema versions"
        }
    }
}
