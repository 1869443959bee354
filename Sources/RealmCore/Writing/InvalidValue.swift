public import RealmLayout
public import RealmStorage

/// A value or a schema that a file cannot hold, with its intended place.
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
    /// The kind of misfit; stable names for scripts and tests.
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

    /// The kind of misfit.
    public let code: Code
    /// Description of the given value and of acceptable ones.
    public package(set) var detail: String
    /// The full name of the table.
    public internal(set) var table: String?
    /// The property; inside embedded objects and collections, the path to the value, such as `address.lines[2]`.
    public internal(set) var property: String?
    /// The object's key, if already assigned.
    public internal(set) var objectKey: ObjectKey?

    package init(_ code: Code, _ detail: String) {
        self.code = code
        self.detail = detail
    }

    /// Returns the misfit with missing parts of its place filled in.
    package func at(table: String? = nil, property: String? = nil, objectKey: ObjectKey? = nil) -> InvalidValue {
        var copy = self
        copy.table = copy.table ?? table
        copy.property = copy.property ?? property
        copy.objectKey = copy.objectKey ?? objectKey
        return copy
    }

    /// One line: class, property and object, followed by `detail`.
    public var description: String {
        TableName.place(table: table, property: property, objectKey: objectKey) + detail
    }
}

extension InvalidValue {
    /// Returns the misfit with its path extended by the surrounding object or collection.
    package func inside(_ component: String) -> InvalidValue {
        var copy = self
        if let inner = property {
            copy.property = inner.hasPrefix("[") ? component + inner : "\(component).\(inner)"
        } else {
            copy.property = component
        }
        return copy
    }

    /// Returns an error for the first name that a class does not have, with a suggestion; nil when it has all.
    ///
    /// - Parameter names: The names that the class has.
    package static func unknownName(
        in values: [String: NewValue], of className: String, _ names: [String], _ isKnown: (String) -> Bool
    ) -> InvalidValue? {
        guard let unknown = values.keys.filter({ !isKnown($0) }).min() else { return nil }
        let suggestion = names.filter { values[$0] == nil }.suggestion(for: unknown)
        return InvalidValue(.noSuchProperty, "the class \(className) has no such property\(suggestion)").inside(unknown)
    }
}

/// A reason why a file cannot be written.
///
/// ```swift
/// do {
///     try snapshot.write(to: NewFile("new.realm"))
/// } catch {
///     if case .storage(let error) = error { print(error.reason) }
/// }
/// ```
public indirect enum WriteError: Error, Equatable, CustomStringConvertible {
    // Indirect, which keeps the success path of throwing functions cheap.

    /// A value or a schema that the file cannot hold.
    case misfit(InvalidValue)
    /// An error of the system.
    case storage(StorageError)
    /// Damage in the source file.
    case source(FormatError)
    /// The new file failed verification after it was written, because of a fault in this library. It was deleted.
    case internalInconsistency(String)

    /// One-line description of the error.
    public var description: String {
        switch self {
        case .misfit(let misfit): misfit.description
        case .storage(let error): error.description
        case .source(let error): error.description
        case .internalInconsistency(let what): "the new file was not right, and nothing was kept of it: \(what)"
        }
    }
}
