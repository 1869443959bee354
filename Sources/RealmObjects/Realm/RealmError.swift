#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

extension Realm {
    /// What goes wrong with a realm.
    public struct Error: LocalizedError, Equatable, CustomStringConvertible {
        /// What it is.
        public let code: Code
        /// What happened, for people.
        public let message: String

        /// The file; nil where there is none.
        public let fileURL: URL?

        init(_ code: Code, _ message: String, _ path: String? = nil) {
            (self.code, self.message) = (code, message)
            fileURL = path.map { URL(filePath: $0) }
        }

        /// Something that failed.
        public static let callFailed = Error(.fail, "Call failed")

        /// An error of a kind.
        public init(_ code: Code) { self.init(code, "Realm error \(code.rawValue)") }

        /// What it is and what happened.
        public var description: String { message }
        /// What happened.
        public var errorDescription: String? { message }
        /// What happened.
        public var localizedDescription: String { message }

        // What the error is to code that takes it for an `NSError`.

        /// The domain of all errors of realms.
        public static var errorDomain: String { "io.realm" }
        /// The number of the kind.
        public var errorCode: Int { code.rawValue }
        /// What happened, and the path of the file where there is one, under the keys of `NSError`.
        public var errorUserInfo: [String: Any] {
            var info: [String: Any] = ["NSLocalizedDescription": message]
            if let fileURL { info["NSFilePath"] = fileURL.path }
            return info
        }
        /// The same for the bridge to `NSError`, which asks for it where there is no `CustomNSError`.
        public var _domain: String { Self.errorDomain }
        /// See `errorCode`.
        public var _code: Int { errorCode }

        /// A kind of error.
        public enum Code: Int, Sendable {
            /// Something that has no code of its own.
            case fail = 1
            /// The file cannot be read or written.
            case fileAccess = 2
            /// There is no permission for the file.
            case filePermissionDenied = 3
            /// A file is there that must not be.
            case fileExists = 4
            /// There is no file.
            case fileNotFound = 5
            /// The file has an older format, and may not be changed.
            case fileFormatUpgradeRequired = 6
            /// Another process has the file open.
            case incompatibleLockFile = 8
            /// There is no memory to map the file into.
            case addressSpaceExhausted = 9
            /// The classes of the program do not fit the file.
            case schemaMismatch = 10
            /// The database is open, and must not be.
            case alreadyOpen = 12
            /// Something that was given is wrong.
            case invalidInput = 13
            /// There is no room on the disk.
            case outOfDiskSpace = 14
            /// The file has a format that is not known.
            case unsupportedFileFormatVersion = 16
            /// The file is damaged, no database, or has another key.
            case invalidDatabase = 20
            /// A file cannot be copied, moved or removed.
            case fileOperationFailed = 19
            /// The file is followed by a server, or was.
            case incompatibleHistories = 21
        }

        /// Whether both are of one kind.
        public static func == (left: Error, right: Error) -> Bool { left.code == right.code }

        /// See `Code.fail`.
        public static var fail: Code { .fail }
        /// See `Code.fileAccess`.
        public static var fileAccess: Code { .fileAccess }
        /// See `Code.filePermissionDenied`.
        public static var filePermissionDenied: Code { .filePermissionDenied }
        /// See `Code.fileExists`.
        public static var fileExists: Code { .fileExists }
        /// See `Code.fileNotFound`.
        public static var fileNotFound: Code { .fileNotFound }
        /// See `Code.alreadyOpen`.
        public static var alreadyOpen: Code { .alreadyOpen }
        /// See `Code.invalidInput`.
        public static var invalidInput: Code { .invalidInput }
        /// See `Code.outOfDiskSpace`.
        public static var outOfDiskSpace: Code { .outOfDiskSpace }
        /// See `Code.schemaMismatch`.
        public static var schemaMismatch: Code { .schemaMismatch }
        /// See `Code.incompatibleLockFile`.
        public static var incompatibleLockFile: Code { .incompatibleLockFile }
        /// See `Code.addressSpaceExhausted`.
        public static var addressSpaceExhausted: Code { .addressSpaceExhausted }
        /// See `Code.unsupportedFileFormatVersion`.
        public static var unsupportedFileFormatVersion: Code { .unsupportedFileFormatVersion }
        /// See `Code.fileFormatUpgradeRequired`.
        public static var fileFormatUpgradeRequired: Code { .fileFormatUpgradeRequired }
        /// See `Code.fileOperationFailed`.
        public static var fileOperationFailed: Code { .fileOperationFailed }
        /// See `Code.incompatibleHistories`.
        public static var incompatibleHistories: Code { .incompatibleHistories }
        /// See `Code.invalidDatabase`.
        public static var invalidDatabase: Code { .invalidDatabase }
    }
}

#if !canImport(FoundationEssentials)
    extension Realm.Error: CustomNSError {}
#endif

/// Lets `catch Realm.Error.fileNotFound` find the errors of a kind.
public func ~= (code: Realm.Error.Code, error: any Error) -> Bool { (error as? Realm.Error)?.code == code }

/// The errors as `import Realm` calls them.
public typealias RLMError = Realm.Error
