public import RealmLayout

/// A possible action for a file that is damaged or cannot be read. Apps can offer it to users; the command line tool
/// turns it into command lines.
///
/// ```swift
/// do {
///     _ = try database.snapshot()
/// } catch {
///     print(error, error.remedies())
/// }
/// ```
public enum Remedy: Equatable, Hashable, Sendable {
    /// Get the file again: this copy is incomplete.
    case getFileAgain
    /// Look for another copy, or for the backup that an SDK made before an upgrade (`NAME.vN.backup.realm`).
    case lookForBackup
    /// Look for the right file: this one is something else.
    case chooseOtherFile
    /// Unpack the file first.
    case unpack
    /// Open the file with its 64-byte key.
    case giveKey
    /// Look for the key that was used for this particular file.
    case findRightKey
    /// Check the first half of the key: the second is right.
    case checkFirstHalfOfKey
    /// Open the file without a key.
    case leaveOutKey
    /// Use a newer release of this library.
    case useNewerRelease
    /// Read a private copy of a file that an app writes, or close the app.
    case readPrivateCopy
    /// Write a copy that no sync server or client uses.
    case writeCopy
    /// Read the selected commit: it is the only one.
    case readSelectedCommit
    /// Read the commit that the header's other slot leads to.
    case readOtherCommit
    /// Search the file for intact commits, and save the newest as a file of its own (Spec 160).
    case findRoot
    /// Recover all readable data (Spec 190).
    ///
    /// - unproven: also from pages of an encrypted file that fail authentication.
    case salvage(unproven: Bool)
    /// Skip this many foreign bytes in front of the file.
    case skip(Int)
    /// Verify the whole file (Spec 150).
    case verify
    /// Find out how much each recovery option would preserve.
    case diagnose
    /// Look up the existing names in the schema.
    case lookAtSchema
}

extension FormatError {
    /// The possible actions, the best first.
    ///
    /// - Parameter hasOtherCommit: whether the header's other slot leads to a commit that can be opened; nil when that
    ///   was not tried.
    public func remedies(hasOtherCommit: Bool? = nil) -> [Remedy] {
        let other: [Remedy] = hasOtherCommit ?? true ? [.readOtherCommit] : []
        switch code {
        case .emptyFile, .tooShort: return [.getFileAgain]
        case .zeroedFile: return [.lookForBackup]
        // Possibly only one slot is overwritten.
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
