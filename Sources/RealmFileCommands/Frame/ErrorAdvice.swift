internal import RealmLayout
internal import RealmStorage

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Darwin
#endif

/// What a user can try, by what went wrong. The only place where such advice is written.
enum ErrorAdvice {
    private static let lostHeader =
        "`realmfile repair --find-root` finds the commits that are left; look also for a backup beside it "
        + "(NAME.vN.backup.realm)"

    /// The other commit is not the newest that is left where only the way to that is damaged.
    private static let newest = "`realmfile repair --find-root` finds the newest that is whole"
    /// Most of a file that was cut off is there.
    private static let rest = "`realmfile repair FILE --salvage --dry-run` says what can be kept of this one"

    /// Advice on a file whose bytes are not as they should be.
    ///
    /// - Parameter hasOtherCommit: whether the header's other slot leads to a commit that can be opened; nil when that
    ///   was not tried, false also for commands that have no --slot.
    static func advice(for error: FormatError, hasOtherCommit: Bool? = nil) -> String? {
        switch error.code {
        case .emptyFile, .tooShort:
            "the copy or download was probably interrupted: get the file again"
        case .zeroedFile:
            "look for another copy of the file, or for a backup beside it (NAME.vN.backup.realm)"
        case .zeroedHeader, .overwrittenHeader:
            lostHeader
        case .bytesInFront:
            error.offset.map {
                "--skip \($0) reads it; `realmfile repair FILE --skip \($0) --find-root --out NEW` cuts it out"
            }
        // The header is in the first page.
        case .damagedPage where error.offset == 0, .unwrittenPage where error.offset == 0:
            lostHeader
        case .encrypted:
            "give its 64-byte key with --key-file PATH, or in the variable REALMFILE_KEY"
        case .wrongKey:
            "look for the key that the app used for this very file: each installation may have its own"
        case .wrongCipherKey:
            "look at the first 32 of the key's 64 bytes: they are not those of this file"
        case .notEncrypted:
            "leave out --key-file"
        // The error says already what to do.
        case .notARealm where error.detail.hasSuffix("unpack it first"):
            nil
        case .notARealm:
            "check the path; app files are called default.realm as a rule"
        case .unknownFormat:
            "the header is damaged, or a newer version of realmfile is needed"
                + (hasOtherCommit == true
                    ? "; read the other commit, which can be opened, with --slot other" : "")
        case .truncated:
            switch hasOtherCommit {
            case true?:
                "get a full copy of the file, or read the other commit, which can be opened, with --slot other; \(newest), and \(rest)"
            case false?: "get a full copy of the file; \(rest)"
            case nil:
                "get a full copy of the file, or try --slot other for the previous commit; \(newest), and \(rest)"
            }
        case .fileChanged:
            "close the app that writes it and try again, or read a private copy with --copy"
        case .noOtherSlot:
            "leave out --slot other"
        case .damagedPage, .unwrittenPage:
            (hasOtherCommit == true
                ? "the file is damaged here; read the other commit, which can be opened, with --slot other; "
                : "the file is damaged here; ")
                + "`realmfile repair FILE --salvage --unauthenticated --decrypt --out NEW` writes all that can be read into a plain file"
        case .badRef, .badNode, .nodeOutsideFile, .unexpectedNode, .wrongCount,
            .sharedNodes, .tooDeep, .badGroup,
            .badTable, .badSpec, .badCluster, .badTree, .badLeaf, .badValue, .badLink:
            switch hasOtherCommit {
            case true?:
                "the file is damaged here; read the other commit, which can be opened, with --slot other; \(newest)"
            case false?: "the file is damaged here; look for another copy of it"
            case nil: "the file is damaged here; try --slot other for the previous commit; \(newest)"
            }
        case .noSuchProperty:
            "`realmfile schema FILE` lists the properties"
        case .noSuchTable, .noSuchObject, .wrongType, .noCommit:
            nil
        }
    }

    /// Advice on a file that the system did not let us read.
    static func advice(for error: StorageError) -> String? {
        switch error.code {
        case ENOENT: "check the path"
        case EISDIR where error.isWriting: "give the path of a file"
        case EISDIR: "give the .realm file itself, not its folder (nor the .management folder beside it)"
        case EACCES, EPERM: "check the permissions, or copy the file to a folder of your own"
        default: nil
        }
    }

    /// Whether there is no sign of a database in the file.
    static func isNoDatabase(_ error: FormatError) -> Bool {
        [.emptyFile, .tooShort, .zeroedFile, .zeroedHeader, .notARealm, .encrypted].contains(error.code)
    }

    static func suffix(for error: FormatError, hasOtherCommit: Bool?) -> String {
        suffix(advice(for: error, hasOtherCommit: hasOtherCommit))
    }

    static func suffix(for error: StorageError) -> String { suffix(advice(for: error)) }

    private static func suffix(_ advice: String?) -> String { advice.map { "; \($0)" } ?? "" }
}
