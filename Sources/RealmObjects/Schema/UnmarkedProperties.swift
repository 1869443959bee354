#if canImport(ObjectiveC)
    internal import ObjectiveC
#endif

/// Properties that RealmSwift stores without `@Persisted`: collections, and properties visible to Objective-C, in
/// classes that mark none. Here they would be lost without notice.
enum UnmarkedProperties {
    /// Terminates the program if there is one. Each class of the chain is checked by itself, as in RealmSwift.
    ///
    /// - Parameter fields: the fields of the class, those of its superclasses first.
    static func check(_ type: ObjectBase.Type, _ fields: [Field], _ ignored: [String]) {
        var level: AnyClass? = type
        var own = fields[...]
        while let current = level as? ObjectBase.Type {
            let superclass: AnyClass? = superclass(of: current)
            let inherited = superclass.map { Field.all(of: $0).count } ?? 0
            let declared = own[inherited...]
            own = own[..<inherited]
            level = superclass
            guard !declared.contains(where: { $0.type is any PersistedAccess.Type }) else { continue }
            for field in declared where !ignored.contains(field.name) { check(field, of: current) }
        }
    }

    private static func superclass(of type: AnyClass) -> AnyClass? {
        guard let superclass = _getSuperclass(type), superclass != ObjectBase.self else { return nil }
        return superclass
    }

    private static func check(_ field: Field, of type: ObjectBase.Type) {
        if let traits = (field.type as? any _Persistable.Type)?._traits,
            traits.collection != nil || traits.type == .linkingObjects
        {
            let mark = traits.type == .linkingObjects ? "@Persisted(originProperty: …)" : "@Persisted"
            Failure.stop(
                "Property '\(type).\(field.name)' is not marked: write '\(mark) var \(field.name): \(field.type)'. RealmSwift stored it."
            )
        }
        #if canImport(ObjectiveC)
            if unsafe class_getProperty(type, field.name) != nil {
                Failure.stop(
                    "Property '\(type).\(field.name)' is not marked: write '@Persisted' in place of '@objc dynamic'. RealmSwift stored it."
                )
            }
        #endif
    }
}
