internal import RealmCore
internal import RealmLayout
internal import RealmStorage

/// Runs code that opens or writes a file, and converts its errors to those of RealmSwift.
func translatingErrors<R>(_ path: String?, _ body: () throws -> R) throws -> R {
    do {
        return try body()
    } catch let error as Realm.Error {
        throw error
    } catch let error as StorageError {
        throw Realm.Error(error, path)
    } catch WriteError.storage(let error) {
        throw Realm.Error(error, path)
    } catch let error as FormatError {
        throw Realm.Error(error, path)
    } catch WriteError.source(let error) {
        throw Realm.Error(error, path)
    } catch let error as WriteError {
        throw Realm.Error(.fail, "\(error)")
    }
}

extension Realm.Error {
    init(_ error: StorageError, _ path: String?) {
        let code: Code =
            switch Int(error.code) {
            case 2: .fileNotFound
            // Includes read-only volumes, and executables that are running.
            case 1, 13, 26, 30: .filePermissionDenied
            case 16: .incompatibleLockFile
            case 17: .fileExists
            // Not a regular file.
            case 19: .fileAccess
            case 12: .addressSpaceExhausted
            case 28: .outOfDiskSpace
            default: .fileOperationFailed
            }
        self.init(code, "Failed to open file at path '\(path ?? "memory")': \(Self.text(of: error, path))", path)
    }

    init(_ error: FormatError, _ path: String?) {
        let code: Code =
            switch error.code {
            case .unknownFormat: .unsupportedFileFormatVersion
            case .synchronised: .incompatibleHistories
            default: .invalidDatabase
            }
        self.init(
            code, "Failed to open Realm file at path '\(path ?? "memory")': \(Self.text(of: error, path))", path)
    }

    /// Returns the text of an error without a leading path, which the message already contains.
    private static func text(of error: some Error, _ path: String?) -> String {
        let (text, start) = ("\(error)", "\(path ?? "memory"): ")
        return text.hasPrefix(start) ? String(text.dropFirst(start.count)) : text
    }
}
