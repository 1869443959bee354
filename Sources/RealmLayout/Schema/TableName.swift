/// Interprets table names (Spec 70): those of the app's classes begin with `class_`.
package enum TableName {
    /// The prefix before a class's name in the name of its table.
    package static let classPrefix = "class_"

    /// Whether the table of that name belongs to a class of the app's model.
    package static func isClass(_ name: String) -> Bool { name.hasPrefix(classPrefix) }

    /// The name of the class whose table has this name; the full name for other tables.
    package static func className(of name: String) -> String {
        isClass(name) ? String(name.dropFirst(classPrefix.count)) : name
    }

    /// The path at the start of a message: `Person.name (object 4): `, with the class's name; empty when all parts are
    /// nil.
    package static func place(table: String?, property: String?, objectKey: ObjectKey?) -> String {
        var path = table.map(className) ?? ""
        if let property { path += path.isEmpty ? property : ".\(property)" }
        if let objectKey { path += path.isEmpty ? "object \(objectKey)" : " (object \(objectKey))" }
        return path.isEmpty ? "" : path + ": "
    }
}
