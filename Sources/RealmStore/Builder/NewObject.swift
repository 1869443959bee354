public import RealmCore
public import RealmLayout

/// The values of an object to add, by property name.
///
/// Literals accept variables of Swift types:
///
/// ```swift
/// let builder = try RealmBuilder(schema, at: NewFile("new.realm"))
/// let (id, name, nickname) = (1, "Rex", String?.none)
/// let rex = try builder.add("Dog", ["_id": id, "name": name, "nickname": nickname])
/// try builder.add("Person", ["name": "Ann", "age": UInt8(52), "dogs": [rex], "best": .link(primaryKey: id)])
/// ```
///
/// An object of another file is accepted too, and its values can be changed:
///
/// ```swift
/// let builder = try RealmBuilder(SchemaDefinition(snapshot.schema), at: NewFile("new.realm"))
/// var copy = try NewObject(person)
/// copy["name"] = try person.get("name", as: String.self).uppercased()
/// try builder.add("Person", copy)
/// ```
///
/// Values that cannot be represented are reported with their property when the object is added.
public struct NewObject: Sendable {
    package private(set) var values: [String: NewValue] = [:]
    /// Errors of values that cannot be represented.
    private var failures: [String: WriteError] = [:]

    /// Creates an object from typed values.
    public init(_ values: [String: NewValue] = [:]) { self.values = values }

    /// Creates an object from the values of a stored object.
    ///
    /// - Throws: `FormatError` when one of them, or a link target, cannot be read.
    public init(_ object: StoredObject) throws(FormatError) { values = try object.newValues() }

    /// The value of a property; nil, which can also be assigned, for a property that is not set.
    public subscript(name: String) -> (any NewValueConvertible)? {
        get { values[name] }
        set {
            values[name] = nil
            failures[name] = nil
            do throws(WriteError) { values[name] = try newValue?.newValue() } catch {
                failures[name] = error.inside(name)
            }
        }
    }

    /// Returns the values.
    ///
    /// - Throws: The error of a value that cannot be represented; the first by name if there are several.
    package func checkedValues() throws(WriteError) -> [String: NewValue] {
        if let first = failures.min(by: { $0.key < $1.key }) { throw first.value }
        return values
    }
}

extension NewObject: ExpressibleByDictionaryLiteral {
    /// Creates an object from values of Swift types; nil is null.
    public init(dictionaryLiteral elements: (String, (any NewValueConvertible)?)...) {
        for (name, value) in elements {
            let isNamedTwice = values[name] != nil || failures[name] != nil
            self[name] = value ?? NewValue.null
            guard isNamedTwice else { continue }
            failures[name] = .misfit(InvalidValue(.duplicateValue, "the property is named twice").inside(name))
        }
    }
}

extension NewObject: NewValueConvertible {
    /// Returns an embedded object.
    public func newValue() throws(WriteError) -> NewValue { .embedded(try checkedValues()) }
}

// Shorthands for object literals, besides values of Swift types.
extension Optional where Wrapped == any NewValueConvertible {
    /// Returns a link to the object of the property's class with this primary key.
    public static func link(primaryKey: some NewValueConvertible) -> Self { PrimaryKeyLink(className: nil, primaryKey) }

    /// Returns a link to the object of a class with this primary key.
    public static func link(_ className: String, primaryKey: some NewValueConvertible) -> Self {
        PrimaryKeyLink(className: className, primaryKey)
    }

    /// Returns an embedded object.
    public static func embedded(_ object: NewObject) -> Self { object }
}

/// A link by a primary key of a Swift type.
private struct PrimaryKeyLink<Key: NewValueConvertible>: NewValueConvertible {
    let className: String?
    let primaryKey: Key

    init(className: String?, _ primaryKey: Key) {
        self.className = className
        self.primaryKey = primaryKey
    }

    func newValue() throws(WriteError) -> NewValue { .primaryKeyLink(class: className, try primaryKey.newValue()) }
}
