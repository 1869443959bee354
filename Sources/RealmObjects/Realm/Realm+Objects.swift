internal import RealmCore

/// A class that a realm can fetch: a model, or a projection of one.
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
    /// Returns all objects of a class.
    public func objects<Element: RealmFetchable>(_ type: Element.Type) -> Results<Element> {
        state.checkConfinement()
        return Results(ResultSet(state, .table(state.binding(of: type._modelType)), type))
    }

    /// Returns all objects of a class given by its name in the file.
    public func dynamicObjects(_ typeName: String) -> Results<DynamicObject> {
        state.checkConfinement()
        guard let binding = state.dynamicBinding(typeName) else { Self.stop(typeName) }
        return Results(ResultSet(state, .table(binding), DynamicObject.self))
    }

    /// Returns the object with a primary key; nil if there is none.
    public func object<Element: Object, KeyType>(ofType type: Element.Type, forPrimaryKey key: KeyType) -> Element? {
        state.checkConfinement()
        return state.object(state.binding(of: type), primaryKey: key) as? Element
    }

    /// Returns the object with a primary key, of a class given by its name in the file; nil if there is none.
    public func dynamicObject(ofType typeName: String, forPrimaryKey key: Any) -> DynamicObject? {
        state.checkConfinement()
        guard let binding = state.dynamicBinding(typeName) else { Self.stop(typeName) }
        return state.object(binding, primaryKey: key) as? DynamicObject
    }

    private static func stop(_ typeName: String) -> Never {
        Failure.stop("Object type '\(typeName)' is not managed by the Realm.")
    }
}
