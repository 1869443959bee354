/// A defect in the bytes of a file, and its place.
///
/// ```swift
/// do {
///     _ = try people.object(primaryKey: .int(1))
/// } catch {
///     print(error.code, error.offset ?? 0, error.table ?? "", error.isUsage)
/// }
/// ```
///
/// Errors are equal when code, offset and place are equal; the wording does not matter.
public struct FormatError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The kind of error; the names are stable, for scripts and tests.
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

    /// The kind of error.
    public let code: Code
    /// The byte offset of the faulty node or header field; nil when no single place in the file is at fault.
    public let offset: Int?
    /// A sentence with the value found and the value expected.
    public let detail: String
    /// The full name of the table being read.
    public internal(set) var table: String?
    /// The property being read.
    public internal(set) var property: String?
    /// The object being read.
    public internal(set) var objectKey: ObjectKey?

    /// Makes an error without a path; `at(table:property:objectKey:)` adds it as the error propagates.
    @inline(never)
    package init(_ code: Code, at offset: Int? = nil, _ detail: String) {
        self.code = code
        self.offset = offset
        self.detail = detail
    }

    /// Whether the call is at fault, not the file: it names a class or property that does not exist, or passes a value
    /// of an unsuitable type.
    public var isUsage: Bool {
        switch code {
        case .noSuchTable, .noSuchProperty, .wrongType: true
        default: false
        }
    }

    /// Compares code, offset and path, not the wording.
    public static func == (left: FormatError, right: FormatError) -> Bool {
        left.code == right.code && left.offset == right.offset && left.table == right.table
            && left.property == right.property && left.objectKey == right.objectKey
    }

    /// Returns the same error with the missing parts of its path filled in.
    package func at(table: String? = nil, property: String? = nil, objectKey: ObjectKey? = nil) -> FormatError {
        var copy = self
        copy.table = copy.table ?? table
        copy.property = copy.property ?? property
        copy.objectKey = copy.objectKey ?? objectKey
        return copy
    }

    /// One line: class, property and object, the problem, the offset.
    public var description: String {
        TableName.place(table: table, property: property, objectKey: objectKey) + detail
            + (offset.map { " (at offset \(Ref($0)))" } ?? "")
    }
}
