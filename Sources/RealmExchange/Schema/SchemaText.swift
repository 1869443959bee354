public import RealmCore
public import RealmLayout

/// The exact schema in human-readable form.
///
/// ```swift
/// print(
///     SchemaText.text(
///         of: snapshot.schema.classes, version: snapshot.version, schemaVersion: snapshot.schema.version, details: false))
/// ```
public enum SchemaText {
    /// Returns one paragraph per table, with one line per property.
    ///
    /// - Parameters:
    ///   - tables: The tables, in output order.
    ///   - version: The format of the file.
    ///   - schemaVersion: The app's schema version; nil if the file has none.
    ///   - details: Whether table keys, column keys and incoming links are included.
    public static func text(
        of tables: [TableSchema], version: FormatVersion, schemaVersion: UInt64?, details: Bool
    ) -> String {
        var text = "format \(version), schema version \(schemaVersion.map { String($0) } ?? "none")\n"
        for table in tables { append(table, details, to: &text) }
        return text
    }

    private static func append(_ table: TableSchema, _ details: Bool, to text: inout String) {
        let kind = table.kind == .topLevel ? "" : "\(table.kind) "
        text += "\n\(kind)\(table.isClass ? "class" : "table") \(table.name.singleLine)"
        if details { text += "  # table key \(table.key), \(table.tableName.singleLine)" }
        text += "\n"
        let names = table.properties.map(\.name.singleLine)
        let types = table.properties.map(\.typeName)
        let nameWidth = names.map(\.count).max() ?? 0
        let typeWidth = types.map(\.count).max() ?? 0
        for (index, property) in table.properties.enumerated() {
            let notes = notes(on: property, of: table, details)
            var line = "  " + padded(names[index], to: nameWidth) + "  "
            line += notes.isEmpty ? types[index] : padded(types[index], to: typeWidth) + "  " + notes
            text += line + "\n"
        }
        guard details else { return }
        for link in table.incoming {
            text += "  <- \(link.tableName.singleLine).\(link.propertyName.singleLine)\n"
        }
    }

    private static func notes(on property: StoredProperty, of table: TableSchema, _ details: Bool) -> String {
        var notes: [String] = []
        if property.name == table.primaryKeyName { notes.append("primary key") }
        switch property.index {
        case .none: break
        case .general: notes.append("indexed")
        case .fullText: notes.append("full-text index")
        }
        if property.isTargetEmbedded { notes.append("embedded") }
        if property.isEnumerated { notes.append("enumerated") }
        if details {
            let key = property.columnKey
            notes.append("column key \(key) (index \(key.index))")
        }
        return notes.joined(separator: ", ")
    }

    private static func padded(_ text: String, to width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }
}
