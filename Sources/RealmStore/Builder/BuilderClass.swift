internal import RealmLayout
internal import RealmReader

/// A table of a `RealmBuilder`, with the constraints of its properties.
struct BuilderClass {
    let definition: TableDefinition
    let properties: ByProperty<PropertyConstraint>
    let primaryKey: PropertyIndex?
    private let names: Set<ExactName>

    init(_ table: TableWriter, in file: FileWriter) {
        definition = table.definition
        properties = ByProperty(definition.properties.propertyIndexes.map { PropertyConstraint(table, $0, in: file) })
        primaryKey = table.primaryKey
        names = Set(definition.properties.map { ExactName($0.name) })
    }

    /// Whether there is a property with this name.
    func hasProperty(_ name: String) -> Bool { names.contains(ExactName(name)) }

    /// The reason why objects of the class cannot be added or linked to on their own; nil when they can.
    var embeddedMisfit: InvalidValue? {
        definition.kind == .embedded
            ? InvalidValue(
                .wrongType, "objects of \(definition.name) are embedded: they are part of the value of a property")
            : nil
    }
}

extension InvalidValue {
    /// Returns the misfit with its path extended by the surrounding object or collection.
    func inside(_ component: String) -> InvalidValue {
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
