public import RealmCore
internal import RealmLayout

/// Swift source of plain structs for the classes of a schema.
///
/// ```swift
/// print(SwiftModel(snapshot.schema).source(for: snapshot.schema.classes, origin: "kennel.realm"))
/// ```
///
/// The structs are `Codable` and use the field names of exported documents. Links are represented by the target's key,
/// embedded objects by nested values of their own structs, and `mixed` values by an enumeration that is emitted once.
public struct SwiftModel: Sendable {
    private let tables: [ExactName: TableSchema]
    private let typeNames: [ExactName: String]
    /// Embedded classes that contain themselves, directly or through other classes.
    private let recursive: Set<ExactName>

    /// Prepares for the classes of `schema`.
    public init(_ schema: StoredSchema) {
        tables = Dictionary(
            schema.tables.map { (ExactName($0.tableName), $0) }, uniquingKeysWith: { first, _ in first })
        var names = UniqueNames(reserved: SwiftNames.reservedTypes)
        var typeNames: [ExactName: String] = [:]
        for table in schema.tables {
            let name = SwiftNames.identifier(table.name, otherwise: "RealmClass")
            typeNames[ExactName(table.tableName)] = names.take(name, suffix: "Object")
        }
        self.typeNames = typeNames
        recursive = Self.recursiveClasses(of: schema)
    }

    /// The source for `tables` and the embedded classes that they contain.
    ///
    /// - Parameters:
    ///   - tables: The classes to generate models for.
    ///   - origin: A description of the source, for the comment at the top.
    public func source(for tables: [TableSchema], origin: String) -> String {
        let all = withEmbedded(tables)
        var text = """
            // Models of \(origin.singleLine), made by realmfile.
            //
            // Links hold the primary key of the object that they lead to, or its object key where its class has no
            // primary key. Decimal128 and ObjectId are strings: Foundation has no type that holds all their values.

            """
        let types = Set(all.flatMap { $0.properties.map(\.type) })
        if types.contains(.timestamp) { text += SwiftModelSupport.dateComment }
        if !types.isDisjoint(with: [.float, .double, .mixed]) { text += SwiftModelSupport.numberComment }
        text += "\nimport Foundation\n"
        for table in all { text += "\n" + declaration(of: table) }
        let properties = all.flatMap(\.properties)
        if properties.contains(where: { $0.type == .mixed }) { text += "\n" + SwiftModelSupport.anyRealmValue }
        if all.contains(where: { table in table.properties.contains { isBoxed($0, in: table) } }) {
            text += "\n" + SwiftModelSupport.box
        }
        return text
    }

    private func withEmbedded(_ tables: [TableSchema]) -> [TableSchema] {
        var all = tables
        var seen = Set(tables.map { ExactName($0.tableName) })
        var next = 0
        while next < all.count {
            for property in all[next].properties where property.isTargetEmbedded {
                guard let target = property.target.flatMap({ self.tables[ExactName($0)] }) else { continue }
                if seen.insert(ExactName(target.tableName)).inserted { all.append(target) }
            }
            next += 1
        }
        return all
    }

    private func declaration(of table: TableSchema) -> String {
        let typeName = typeNames[ExactName(table.tableName)] ?? "RealmClass"
        let kind = table.kind == .topLevel ? "" : " (\(table.kind))"
        var text = "/// `\(table.name.singleLine)`\(kind).\n"
        text += "struct \(SwiftNames.quoted(typeName)): Codable, Hashable, Sendable {\n"
        var names = UniqueNames(reserved: SwiftNames.reservedProperties)
        var fields: [(name: String, key: String)] = []
        if table.kind != .embedded, table.primaryKey == nil {
            let name = names.take(TableSchema.identityField, suffix: "_")
            fields.append((name, TableSchema.identityField))
            text += "    /// The object key; links to this object store it.\n    var \(name): Int\n"
        }
        for (property, key) in zip(table.properties, table.fieldNames(escapingDollar: false)) {
            let name = names.take(SwiftNames.identifier(key, otherwise: "property"), suffix: "_")
            fields.append((name, key))
            text += "    /// \(comment(on: property, of: table))\n"
            text += "    var \(SwiftNames.quoted(name)): \(type(of: property, in: table))\n"
        }
        if fields.contains(where: { !$0.name.unicodeScalars.elementsEqual($0.key.unicodeScalars) }) {
            text += "\n    enum CodingKeys: String, CodingKey {\n"
            for field in fields {
                text += "        case \(SwiftNames.quoted(field.name)) = \(SwiftModelSupport.literal(field.key))\n"
            }
            text += "    }\n"
        }
        return text + "}\n"
    }

    private func comment(on property: StoredProperty, of table: TableSchema) -> String {
        var text = "`\(property.typeName)`"
        if property.name == table.primaryKeyName { text += ", the primary key" }
        if property.type == .link, !property.isTargetEmbedded {
            let target = property.target.flatMap { tables[ExactName($0)] }
            let key = target?.primaryKeyName.map { "`\($0.singleLine)`" } ?? "the object key"
            text += ": \(key) of the linked object"
        }
        switch property.index {
        case .none: break
        case .general: text += ", indexed"
        case .fullText: text += ", with a full-text index"
        }
        return text
    }

    private func type(of property: StoredProperty, in table: TableSchema) -> String {
        let element = elementType(of: property)
        // Documents omit a null property. An element of a collection is always present, and decodes as `.null`.
        let mayBeNull = property.type == .mixed ? property.collection == nil : property.isNullable
        let optional = mayBeNull && !element.hasSuffix("?") ? element + "?" : element
        switch property.collection {
        case nil where property.isTargetEmbedded:
            return isBoxed(property, in: table) ? "Box<\(element)>?" : "\(element)?"
        case nil where property.type == .link:
            return element.hasSuffix("?") ? element : element + "?"
        case nil: return optional
        case .list: return "[\(optional)]"
        case .set: return "Set<\(optional)>"
        case .dictionary(.string): return "[String: \(optional)]"
        case .dictionary(.int): return "[Int: \(optional)]"
        }
    }

    /// The type of one value. It is optional only for keys that may be null themselves.
    private func elementType(of property: StoredProperty) -> String {
        guard property.type == .link else { return property.type.swiftName }
        guard let target = property.target.flatMap({ tables[ExactName($0)] }) else { return "Int" }
        if property.isTargetEmbedded {
            return SwiftNames.quoted(typeNames[ExactName(target.tableName)] ?? "RealmClass")
        }
        guard let key = target.primaryKey else { return StoredPropertyType.int.swiftName }
        return key.type.swiftName + (key.isNullable ? "?" : "")
    }

    private func isBoxed(_ property: StoredProperty, in table: TableSchema) -> Bool {
        guard property.collection == nil, property.isTargetEmbedded, let target = property.target else { return false }
        return recursive.contains(ExactName(table.tableName)) && recursive.contains(ExactName(target))
    }

    /// Embedded classes on cycles of to-one properties, which structs cannot express without a box, and classes between
    /// two such cycles. Computed by repeatedly removing the starts and ends of chains.
    private static func recursiveClasses(of schema: StoredSchema) -> Set<ExactName> {
        var edges: [(from: ExactName, to: ExactName)] = []
        for table in schema.tables {
            for property in table.properties where property.collection == nil && property.isTargetEmbedded {
                if let target = property.target { edges.append((ExactName(table.tableName), ExactName(target))) }
            }
        }
        func stripped(_ edges: [(from: ExactName, to: ExactName)]) -> [(from: ExactName, to: ExactName)] {
            var incoming: [ExactName: Int] = [:]
            for edge in edges { incoming[edge.to, default: 0] += 1 }
            let outgoing = Dictionary(grouping: edges, by: \.from)
            var ready = outgoing.keys.filter { incoming[$0] == nil }
            var gone = Set(ready)
            while let table = ready.popLast() {
                for edge in outgoing[table] ?? [] {
                    incoming[edge.to, default: 0] -= 1
                    if incoming[edge.to] == 0, gone.insert(edge.to).inserted { ready.append(edge.to) }
                }
            }
            return edges.filter { !gone.contains($0.from) }
        }
        let backwards = stripped(stripped(edges).map { ($0.to, $0.from) })
        return Set(backwards.flatMap { [$0.from, $0.to] })
    }
}

extension StoredPropertyType {
    /// The Swift type of a value that is not null.
    fileprivate var swiftName: String {
        switch self {
        case .int, .link: "Int"
        case .bool: "Bool"
        case .string, .decimal128, .objectId: "String"
        case .binary: "Data"
        case .mixed: "AnyRealmValue"
        case .timestamp: "Date"
        case .float: "Float"
        case .double: "Double"
        case .uuid: "UUID"
        }
    }
}
