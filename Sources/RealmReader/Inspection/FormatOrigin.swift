public import RealmLayout

/// Which software wrote a file format, and which opens it.
public struct FormatOrigin: Equatable, Sendable {
    /// The releases of Realm Core that wrote it.
    public let core: String
    /// The releases of Realm Swift and Objective-C that wrote it; nil when no release did.
    public let swift: String?
    /// What is new in it.
    public let news: String

    /// Which SDKs open such a file themselves.
    public let openedBy: String
}

extension FormatVersion {
    /// Where files of this format come from; nil for numbers that were never released (Spec 90).
    public var origin: FormatOrigin? {
        let entry: (core: String, swift: String?, news: String)? =
            switch number {
            case 2: ("0.1.2 to 0.92", "up to 0.93", "the first format of released apps")
            case 3: ("0.93 to 0.99", "0.96 to 0.100", "null")
            case 4: ("0.97 to 0.99", nil, "history in the file")
            case 5: ("0.100 to 1.5", "0.101 to 1.1", "timestamps with nanoseconds")
            case 6: ("2.0 to 2.4", "2.0 to 2.4", "history in the file as a rule, new search index")
            case 7: ("2.5 to 2.9", "2.5 to 2.10", "version of the history")
            case 8: ("3.0 to 3.2", nil, "indexes in subtables")
            case 9: ("4.0 to 5.23", "3.0 to 4.4", "new instructions in the history")
            case 10: ("6.0.0 to 6.0.23", "5.0 to 5.3", "object keys, clusters")
            case 11: ("6.0.24 to 6.2", "5.4 to 5.5", "indexes on String primary keys of synchronised files")
            case 20: ("10.0 to 10.8", "10.0 to 10.7", "Decimal128, ObjectId, embedded objects")
            case 21: ("11.0.0-beta.0 to beta.5", nil, "UUID, Mixed, sets, dictionaries")
            case 22: ("11.0.0-beta.6 to 12.13", "10.8 to 10.34", "indexes on all primary keys, asymmetric objects")
            case 23: ("13", "10.35 to 10.48", "new layout of dictionaries, full-text index")
            case 24: ("14 and 20", "10.49 and later", "collections in Mixed, narrow decimals")
            default: nil
            }
        return entry.map { FormatOrigin(core: $0.core, swift: $0.swift, news: $0.news, openedBy: openedBy) }
    }

    private var openedBy: String {
        switch number {
        case 2...4: "Realm Core up to 5 (Realm Swift up to 4), which upgrades it"
        case 5...9: "Realm Core up to 13 (Realm Swift up to 10.48), which upgrades it"
        case 24: "Realm Core 14 and later (Realm Swift 10.49 and later)"
        default: "Realm Core of its own time; Realm Core 14 and later (Realm Swift 10.49 and later) upgrades it"
        }
    }
}
