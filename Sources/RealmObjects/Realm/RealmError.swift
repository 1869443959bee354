#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

extension Realm {
    /// An error of a realm.
    public struct Error: LocalizedError, Equatable, CustomStringConvertible {
        /// The kind of error.
        public let code: Code
        /// The description of the error, for people.
        public let message: String

        /// The file; nil if there is none.
        public let fileURL: URL?

        init(_ code: Code, _ message: String, _ path: String? = nil) {
            (self.code, self.message) = (code, message)
            fileURL = path.map { URL(filePath: $0) }
        }

        /// An unspecified failure.
        public static let callFailed = Error(.fail, "Call failed")

        /// Creates an error of a kind.
        public init(_ code: Code) { self.init(code, "Realm error \(code.rawValue)") }

        /// The message.
        public var description: String { message }
        /// The message.
        public var errorDescription: String? { message }
        /// The message.
        public var localizedDescription: String { message }

        // Values for code that treats the error as an `NSError`.

        /// The domain of all realm errors.
        public static var errorDomain: String { "io.realm" }
        /// The number of the kind.
        public var errorCode: Int { code.rawValue }
        /// The message, and the path of the file if there is one, under the keys of `NSError`.
        public var errorUserInfo: [String: Any] {
            var info: [String: Any] = ["NSLocalizedDescription": message]
            if let fileURL { info["NSFilePath"] = fileURL.path }
            return info
        }
        /// The domain, which the bridge to `NSError` reads where there is no `CustomNSError`.
        public var _domain: String { Self.errorDomain }
        /// See `errorCode`.
        public var _code: Int { errorCode }

        /// A kind of error.
        public enum Code: Int, Sendable {
            /// An error without a code of its own.
            case fail = 1
            /// The file cannot be read or written.
            case fileAccess = 2
            /// Permission for the file is missing.
            case filePermissionDenied = 3
            /// A file exists that must not exist.
            case fileExists = 4
            /// The file does not exist.
            case fileNotFound = 5
            /// The file has an older format, and may not be changed.
            case fileFormatUpgradeRequired = 6
            /// Another process has the file open.
            case incompatibleLockFile = 8
            /// There is no address space to map the file into.
            case addressSpaceExhausted = 9
            /// The classes of the program do not fit the file.
            case schemaMismatch = 10
            /// The database is open, but must not be.
            case alreadyOpen = 12
            /// An argument is invalid.
            case invalidInput = 13
            /// The disk is full.
            case outOfDiskSpace = 14
            /// The file has an unknown format.
            case unsupportedFileFormatVersion = 16
            /// The file is damaged, is not a database, or has another key.
            case invalidDatabase = 20
            /// A file cannot be copied, moved or removed.
            case fileOperationFailed = 19
            /// The file is or was synchronised with a server.
            case incompatibleHistories = 21
        }

        /// Whether both are of the same kind.
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

/// Matches the errors of a kind, for `catch Realm.Error.fileNotFound`.
public func ~= (code: Realm.Error.Code, error: any Error) -> Bool { (error as? Realm.Error)?.code == code }

/// The name of the errors in `import Realm`.
public typealias RLMError = Realm.Error
