internal import RealmLayout
internal import RealmQuery
internal import RealmReader
internal import RealmTransactions
internal import RealmWriter

/// A class whose objects a realm can be asked for: a model, or a projection of one.
///
/// ```swift
/// func number<T: RealmFetchable>(of type: T.Type) -> Int { realm.objects(type).count }
/// print(number(of: Dog.self))
/// ```
public protocol RealmFetchable: RealmCollectionValue {
    /// The model.
    static var _modelType: ObjectBase.Type { get }
    /// The name of the class in the file.
    static func className() -> String
}

extension Object: RealmFetchable {
    /// The class itself.
    public class var _modelType: ObjectBase.Type { self }
}

extension Realm {
    /// All objects of a class.
    public func objects<Element: RealmFetchable>(_ type: Element.Type) -> Results<Element> {
        state.checkConfinement()
        return Results(ResultSet(state, .table(state.binding(of: type._modelType)), type))
    }

    /// All objects of a class by its name in the file.
    public func dynamicObjects(_ typeName: String) -> Results<DynamicObject> {
        state.checkConfinement()
        guard let binding = state.dynamicBinding(typeName) else { Self.stop(typeName) }
        return Results(ResultSet(state, .table(binding), DynamicObject.self))
    }

    /// The object with a primary key; nil where there is none.
    public func object<Element: Object, KeyType>(ofType type: Element.Type, forPrimaryKey key: KeyType) -> Element? {
        find(state.binding(of: type), key) as? Element
    }

    /// The object with a primary key of a class by its name in the file; nil where there is none.
    public func dynamicObject(ofType typeName: String, forPrimaryKey key: Any) -> DynamicObject? {
        guard let binding = state.dynamicBinding(typeName) else { Self.stop(typeName) }
        return find(binding, key) as? DynamicObject
    }

    private static func stop(_ typeName: String) -> Never {
        Failure.stop("Object type '\(typeName)' is not managed by the Realm.")
    }

    private func find(_ binding: ClassBinding, _ key: Any) -> ObjectBase? {
        state.checkConfinement()
        guard let index = binding.model.primaryKey else {
            Failure.stop("'\(binding.model.className)' does not have a primary key defined")
        }
        guard let value = storedValue(key) else { return nil }
        // No object has an integer that 64 bits have no room for.
        if case .decimal128 = value, key is any BinaryInteger { return nil }
        if state.hasChanges {
            let property = binding.model.properties[index]
            guard let found = state.changedObject(binding, property, key) else { return nil }
            return binding.object(found)
        }
        let found = Failure.unlessStopped { () throws(FormatError) in try binding.table.object(primaryKey: value) }
        return found.map { binding.object($0.key, $0) }
    }
}

extension RealmState {
    /// The object with a primary key, with the changes of the transaction.
    fileprivate func changedObject(_ binding: ClassBinding, _ property: ModelProperty, _ key: Any) -> ObjectKey? {
        guard let transaction, let value = property.access.encoded(key, adding(.error)) else { return nil }
        return Failure.unlessStopped { try transaction.object(binding.model.className, primaryKey: value)?.key }
    }
}
