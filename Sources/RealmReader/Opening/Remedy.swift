public import RealmLayout

/// Something that can be done about a file that cannot be read, or that is damaged: what an app offers its user, and what
/// the command line tool turns into command lines.
///
/// ```swift
/// do {
///     _ = try database.snapshot()
/// } catch {
///     print(error, error.remedies())
/// }
/// ```
public enum Remedy: Equatable, Hashable, Sendable {
    /// Get the file again: this copy of it is not whole.
    case getFileAgain
    /// Look for another copy, or for the backup that an SDK made before an upgrade (`NAME.vN.backup.realm`).
    case lookForBackup
    /// Look for the right file: this one is something else.
    case chooseOtherFile
    /// Unpack the file first.
    case unpack
    /// Open the file with its key of 64 bytes.
    case giveKey
    /// Look for the key that was used for this very file.
    case findRightKey
    /// Look at the first half of the key: the second is right.
    case checkFirstHalfOfKey
    /// Open the file without a key.
    case leaveOutKey
    /// Use a newer release of this library.
    case useNewerRelease
    /// Read a private copy of a file that an app writes, or close the app.
    case readPrivateCopy
    /// Write a copy, which no server and no client of a synchronisation follows.
    case writeCopy
    /// Read the selected commit: there is no other.
    case readSelectedCommit
    /// Read the commit that the header's other slot leads to.
    case readOtherCommit
    /// Search the file for commits that are whole, and make the newest a file of its own (Spec 160).
    case findRoot
    /// Bring back all that can be read (Spec 190).
    ///
    /// - unproven: also from pages of an encrypted file that fail their authentication.
    case salvage(unproven: Bool)
    /// Read what lies behind this many foreign bytes in front of the file.
    case skip(Int)
    /// Have all of the file checked (Spec 150).
    case verify
    /// Find out what each recovery option would keep.
    case diagnose
    /// Look at the schema for the names that there are.
    case lookAtSchema
}

extension FormatError {
    /// What can be done, the best first.
    ///
    /// - Parameter hasOtherCommit: whether the header's other slot leads to a commit that can be opened; nil when that was
    ///   not tried.
    public func remedies(hasOtherCommit: Bool? = nil) -> [Remedy] {
        let other: [Remedy] = hasOtherCommit ?? true ? [.readOtherCommit] : []
        switch code {
        case .emptyFile, .tooShort: return [.getFileAgain]
        case .zeroedFile: return [.lookForBackup]
        // A slot may be overwritten alone.
        case .zeroedHeader, .overwrittenHeader:
            return (hasOtherCommit == true ? other : []) + [.findRoot, .lookForBackup]
        case .bytesInFront: return [.skip(offset ?? 0)]
        // The header is in the first page.
        case .damagedPage where offset == 0, .unwrittenPage where offset == 0: return [.findRoot, .lookForBackup]
        case .damagedPage, .unwrittenPage: return other + [.salvage(unproven: true)]
        case .encrypted: return [.giveKey]
        case .wrongKey: return [.findRightKey]
        case .wrongCipherKey: return [.checkFirstHalfOfKey]
        case .notEncrypted: return [.leaveOutKey]
        case .notARealm: return detail.hasSuffix(" first") ? [.unpack] : [.chooseOtherFile]
        case .unknownFormat: return [.useNewerRelease] + (hasOtherCommit == true ? other : []) + [.findRoot]
        case .truncated: return [.getFileAgain] + other + [.findRoot, .salvage(unproven: false)]
        case .fileChanged: return [.readPrivateCopy]
        case .synchronised: return [.writeCopy]
        case .noOtherSlot: return [.readSelectedCommit]
        case .noCommit where offset != nil: return [.readOtherCommit, .findRoot]
        case .badRef, .badNode, .nodeOutsideFile, .unexpectedNode, .wrongCount, .sharedNodes, .tooDeep, .badGroup,
            .badTable,
            .badSpec, .badCluster, .badTree, .badLeaf, .badValue, .badLink:
            return other + [.findRoot, .salvage(unproven: false)]
        case .noSuchProperty: return [.lookAtSchema]
        case .noSuchTable, .noSuchObject, .otherDatabase, .wrongType, .noCommit: return []
        }
    }
}
