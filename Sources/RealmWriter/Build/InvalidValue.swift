public import RealmLayout
public import RealmStorage

/// A value or a schema that a file cannot hold, and where it was to go.
///
/// ```swift
/// let builder = try RealmBuilder(schema, at: NewFile("new.realm"))
/// do {
///     try builder.add("Dog", ["age": "old"])
/// } catch {
///     if case .misfit(let misfit) = error { print(misfit.code, misfit.property ?? "", misfit) }
/// }
/// ```
public struct InvalidValue: Error, Equatable, Sendable, CustomStringConvertible {
    /// What kind of misfit; stable names for scripts and tests.
    public enum Code: String, CaseIterable, Sendable {
        case badSchema
        case noSuchTable
        case noSuchProperty
        case noSuchElement
        case wrongType
        case nullNotAllowed
        case missingValue
        case duplicateValue
        case tooLong
        case tooDeep
        case notRepresentable
        case duplicateKey
        case duplicatePrimaryKey
        case badObjectKey
        case danglingLink
        case tooMany
        case finished
    }

    /// What kind of misfit.
    public let code: Code
    /// What was given and what would fit, in words.
    public internal(set) var detail: String
    /// The full name of the table.
    public internal(set) var table: String?
    /// The property; of a value inside embedded objects and collections the path to it, as `address.lines[2]`.
    public internal(set) var property: String?
    /// The object's key, where it has one already.
    public internal(set) var objectKey: ObjectKey?

    package init(_ code: Code, _ detail: String) {
        self.code = code
        self.detail = detail
    }

    /// The same misfit with those parts of the place that it does not have yet.
    package func at(table: String? = nil, property: String? = nil, objectKey: ObjectKey? = nil) -> InvalidValue {
        var copy = self
        copy.table = copy.table ?? table
        copy.property = copy.property ?? property
        copy.objectKey = copy.objectKey ?? objectKey
        return copy
    }

    /// One line: class, property and object, and what is wrong.
    public var description: String {
        TableName.place(table: table, property: property, objectKey: objectKey) + detail
    }
}

/// What keeps a file from being written.
///
/// ```swift
/// do {
///     try snapshot.write(to: NewFile("new.realm"))
/// } catch {
///     if case .storage(let error) = error { print(error.reason) }
/// }
/// ```
public indirect enum WriteError: Error, Equatable, CustomStringConvertible {
    // Indirect: functions that mostly succeed have no room for it to carry around.

    /// A value or a schema that does not fit.
    case misfit(InvalidValue)
    /// The system refused.
    case storage(StorageError)
    /// The file that content comes from is damaged.
    case source(FormatError)
    /// The new file was written and checked, and is not right: a fault of this library. Nothing was kept of it.
    case internalInconsistency(String)

    /// One line.
    public var description: String {
        switch self {
        case .misfit(let misfit): misfit.description
        case .storage(let error): error.description
        case .source(let error): error.description
        case .internalInconsistency(let what): "the new file was not right, and nothing was kept of it: \(what)"
        }
    }
}
