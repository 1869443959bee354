internal import RealmCore
internal import RealmLayout

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
