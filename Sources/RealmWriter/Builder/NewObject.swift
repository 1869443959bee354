public import RealmLayout
public import RealmReader

/// The values of an object that is to be added, by the names of its properties.
///
/// A literal takes variables of Swift types as they are:
///
/// ```swift
/// let builder = try RealmBuilder(schema, at: NewFile("new.realm"))
/// let (id, name, nickname) = (1, "Rex", String?.none)
/// let rex = try builder.add("Dog", ["_id": id, "name": name, "nickname": nickname])
/// try builder.add("Person", ["name": "Ann", "age": UInt8(52), "dogs": [rex], "best": .link(primaryKey: id)])
/// ```
///
/// So does an object of another file, whose values can be changed on the way:
///
/// ```swift
/// let builder = try RealmBuilder(SchemaDefinition(snapshot.schema), at: NewFile("new.realm"))
/// var copy = try NewObject(person)
/// copy["name"] = try person.get("name", as: String.self).uppercased()
/// try builder.add("Person", copy)
/// ```
///
/// A value that there is no form for is told when the object is added, with its property.
public struct NewObject: Sendable {
    package private(set) var values: [String: NewValue] = [:]
    /// What keeps a value from being one for a file.
    private var failures: [String: WriteError] = [:]

    /// An object of values that have their types already.
    public init(_ values: [String: NewValue] = [:]) { self.values = values }

    /// The values of an object of a file.
    ///
    /// - Throws: `FormatError` when one of them, or an object that is linked to, cannot be read.
    public init(_ object: StoredObject) throws(FormatError) { values = try object.newValues() }

    /// The value of a property; nil, which may be assigned too, for one that is not named.
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

    /// The values.
    ///
    /// - Throws: what kept one of them from being a value for a file; of several the first by name.
    package func checkedValues() throws(WriteError) -> [String: NewValue] {
        if let first = failures.min(by: { $0.key < $1.key }) { throw first.value }
        return values
    }
}

extension NewObject: ExpressibleByDictionaryLiteral {
    /// An object of values of Swift types; nil is null.
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
    /// An embedded object.
    public func newValue() throws(WriteError) -> NewValue { .embedded(try checkedValues()) }
}

// What the literal of an object may hold beside values of Swift types, for short.
extension Optional where Wrapped == any NewValueConvertible {
    /// A link to the object of the property's class that has that primary key.
    public static func link(primaryKey: some NewValueConvertible) -> Self { PrimaryKeyLink(className: nil, primaryKey) }

    /// A link to the object of a class that has that primary key.
    public static func link(_ className: String, primaryKey: some NewValueConvertible) -> Self {
        PrimaryKeyLink(className: className, primaryKey)
    }

    /// An object that lives inside this one.
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
