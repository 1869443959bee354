internal import RealmLayout

extension ModelProperty {
    /// Terminates the program if the file cannot store nil as the type of a property demands, as RealmSwift does. Any
    /// link may be nil, because its object can be deleted: without an optional, a new object would stand in its place,
    /// and writes to that would be lost. Elements of lists and sets disappear with their objects.
    func check(in type: ObjectBase.Type) {
        let traits = access.traits
        guard let target = traits.target else { return }
        if isLinkingObjects {
            guard originProperty == nil else { return }
            Failure.stop(
                "LinkingObjects<\(target.className())> property '\(name)' must set the origin property name with @Persisted(originProperty: \"name\"). It is in class '\(type)'."
            )
        }
        let kind =
            switch traits.collection {
            case nil: "Object"
            case .list: "List<\(target.className())>"
            case .set: "MutableSet<\(target.className())>"
            case .dictionary: "Map<String, \(target.className())>"
            }
        switch traits.collection {
        case nil, .dictionary:
            guard !traits.isOptional, !traits.isConverted else { return }
            Failure.stop("\(kind) property '\(name)' must be marked as optional. \(advice(target, "?", type))")
        case .list, .set:
            guard traits.isOptional else { return }
            Failure.stop("\(kind) property '\(name)' must not be marked as optional. \(advice(target, "", type))")
        }
    }

    /// Returns the correct declaration.
    private func advice(_ target: ObjectBase.Type, _ mark: String, _ type: ObjectBase.Type) -> String {
        let declared =
            switch collection {
            case nil: "\(target)\(mark)"
            case .list: "List<\(target)\(mark)>"
            case .set: "MutableSet<\(target)\(mark)>"
            case .dictionary: "Map<String, \(target)\(mark)>"
            }
        return "Write '@Persisted var \(name): \(declared)' in class '\(type)'."
    }
}
