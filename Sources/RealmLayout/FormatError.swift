/// What is wrong with the bytes of a file, and where.
///
/// ```swift
/// do {
///     _ = try people.object(primaryKey: .int(1))
/// } catch {
///     print(error.code, error.offset ?? 0, error.table ?? "", error.isUsage)
/// }
/// ```
///
/// Errors are equal when code, offset and place are, whatever their words.
public struct FormatError: Error, Equatable, Sendable, CustomStringConvertible {
    /// What kind of error; stable names for scripts and tests.
    public enum Code: String, CaseIterable, Sendable {
        // The file as a whole.
        case emptyFile
        case tooShort
        case zeroedFile
        case zeroedHeader
        case overwrittenHeader
        case bytesInFront
        case encrypted
        case notARealm
        case unknownFormat
        case truncated
        case noOtherSlot
        case noCommit
        case fileChanged
        case synchronised
        // Encryption.
        case wrongKey
        case wrongCipherKey
        case notEncrypted
        case damagedPage
        case unwrittenPage
        // Nodes and refs.
        case badRef
        case badNode
        case nodeOutsideFile
        case unexpectedNode
        case wrongCount
        case sharedNodes
        case tooDeep
        // Structures.
        case badGroup
        case badTable
        case badSpec
        case badCluster
        case badTree
        case badLeaf
        case badValue
        case badLink
        // Requests.
        case noSuchTable
        case noSuchProperty
        case noSuchObject
        case otherDatabase
        case wrongType
    }

    /// What kind of error.
    public let code: Code
    /// The byte offset of the node or header field that is wrong; nil when no place in the file is to blame.
    public let offset: Int?
    /// What was found and what was expected, in words.
    public let detail: String
    /// The full name of the table that was being read.
    public internal(set) var table: String?
    /// The property that was being read.
    public internal(set) var property: String?
    /// The object that was being read.
    public internal(set) var objectKey: ObjectKey?

    /// Makes an error without a path; `at(table:property:objectKey:)` adds it on the way up.
    @inline(never)
    package init(_ code: Code, at offset: Int? = nil, _ detail: String) {
        self.code = code
        self.offset = offset
        self.detail = detail
    }

    /// Whether the call is to blame, not the file: it names a class or property that is not there, or gives a value of a type
    /// that cannot be meant.
    public var isUsage: Bool {
        switch code {
        case .noSuchTable, .noSuchProperty, .wrongType: true
        default: false
        }
    }

    /// Whether both say the same of the same place.
    public static func == (left: FormatError, right: FormatError) -> Bool {
        left.code == right.code && left.offset == right.offset && left.table == right.table
            && left.property == right.property && left.objectKey == right.objectKey
    }

    /// The same error with those parts of the path that it does not have yet.
    package func at(table: String? = nil, property: String? = nil, objectKey: ObjectKey? = nil) -> FormatError {
        var copy = self
        copy.table = copy.table ?? table
        copy.property = copy.property ?? property
        copy.objectKey = copy.objectKey ?? objectKey
        return copy
    }

    /// One line: class, property and object, what is wrong, offset.
    public var description: String {
        TableName.place(table: table, property: property, objectKey: objectKey) + detail
            + (offset.map { " (at offset \(Ref($0)))" } ?? "")
    }
}
