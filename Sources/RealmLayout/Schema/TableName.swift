/// What the name of a table says (Spec 70): those of the app's classes begin with `class_`.
package enum TableName {
    /// What stands before a class's name in its table's name.
    package static let classPrefix = "class_"

    /// Whether a table of that name is a class of the app's model.
    package static func isClass(_ name: String) -> Bool { name.hasPrefix(classPrefix) }

    /// The name of the class whose table has that name; the full name for other tables.
    package static func className(of name: String) -> String {
        isClass(name) ? String(name.dropFirst(classPrefix.count)) : name
    }

    /// A place in a database as messages begin with it: `Person.name (object 4): `, with the class's name; empty for none.
    package static func place(table: String?, property: String?, objectKey: ObjectKey?) -> String {
        var path = table.map(className) ?? ""
        if let property { path += path.isEmpty ? property : ".\(property)" }
        if let objectKey { path += path.isEmpty ? "object \(objectKey)" : " (object \(objectKey))" }
        return path.isEmpty ? "" : path + ": "
    }
}
