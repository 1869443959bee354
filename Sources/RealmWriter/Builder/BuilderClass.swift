internal import RealmLayout
internal import RealmReader

/// A table of a `RealmBuilder`: what its properties may hold.
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

    /// Whether there is a property of that name.
    func hasProperty(_ name: String) -> Bool { names.contains(ExactName(name)) }

    /// Why no object of the class can be added or linked to on its own; nil when it can.
    var embeddedMisfit: InvalidValue? {
        definition.kind == .embedded
            ? InvalidValue(
                .wrongType, "objects of \(definition.name) are embedded: they are part of the value of a property")
            : nil
    }
}

extension InvalidValue {
    /// The same misfit as seen from the object or collection around it: with a longer path.
    func inside(_ component: String) -> InvalidValue {
        var copy = self
        if let inner = property {
            copy.property = inner.hasPrefix("[") ? component + inner : "\(component).\(inner)"
        } else {
            copy.property = component
        }
        return copy
    }

    /// The first of the names that a class does not have, with the one that is probably meant; nil when it has all.
    ///
    /// - Parameter names: those that the class has.
    package static func unknownName(
        in values: [String: NewValue], of className: String, _ names: [String], _ isKnown: (String) -> Bool
    ) -> InvalidValue? {
        guard let unknown = values.keys.filter({ !isKnown($0) }).min() else { return nil }
        let suggestion = names.filter { values[$0] == nil }.suggestion(for: unknown)
        return InvalidValue(.noSuchProperty, "the class \(className) has no such property\(suggestion)").inside(unknown)
    }
}
