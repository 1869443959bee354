internal import RealmLayout

/// Problems because of which model classes form no schema, in RealmSwift's words.
struct SchemaProblems {
    private let models: [ModelClass]
    private(set) var found: [String] = []
    /// Links to missing classes, as RealmSwift reports them for lists of classes given by a program.
    private(set) var missing: [String] = []

    init(_ models: [ModelClass]) {
        self.models = models
        for model in models {
            checkNames(of: model)
            for property in model.properties { check(property, of: model) }
            if model.kind == .embedded, model.primaryKey != nil {
                found.append("Embedded object type '\(model.className)' cannot have a primary key.")
            }
        }
        // After other problems links may lead nowhere.
        guard found.isEmpty else { return }
        for model in models where model.kind == .embedded {
            guard let way = wayBack(to: model) else { continue }
            found.append("Cycles containing embedded objects are not currently supported: '\(way)'")
        }
    }

    /// Returns the shortest path from an embedded class through others back to itself; nil if there is none.
    private func wayBack(to model: ModelClass) -> String? {
        var ways = [(end: model, text: model.className)]
        var known: Set<String> = []
        var index = 0
        while index < ways.count {
            let (end, text) = ways[index]
            index += 1
            for property in end.properties where property.type == .object {
                guard let target = models.first(where: { $0.className == property.target }), target.kind == .embedded
                else { continue }
                let next = "\(text).\(property.columnName)"
                if target.className == model.className { return next }
                if known.insert(target.className).inserted { ways.append((target, next)) }
            }
        }
        return nil
    }

    /// Two properties with the same column would share its value, and column names are found before property names.
    private mutating func checkNames(of model: ModelClass) {
        var columns: Set<String> = []
        var doubles: Set<String> = []
        for property in model.properties where !columns.insert(property.columnName).inserted {
            guard doubles.insert(property.columnName).inserted else { continue }
            found.append(
                "Property '\(property.columnName)' appears more than once in the schema for type '\(model.className)'.")
        }
        for property in model.properties where property.name != property.columnName && columns.contains(property.name) {
            found.append(
                "Property '\(model.className).\(property.columnName)' has an alias '\(property.name)' that conflicts with a property of the same name."
            )
        }
    }

    private mutating func check(_ property: ModelProperty, of model: ModelClass) {
        let name = "'\(model.className).\(property.name)'"
        if property.isIndexed, !property.isIndexable {
            found.append("Property \(name) of type '\(property.kindText)' cannot be indexed.")
        }
        guard let className = property.target else { return }
        guard let target = models.first(where: { $0.className == className }) else {
            found.append("Property \(name) of type '\(property.kindText)' has unknown object type '\(className)'")
            if !property.isLinkingObjects {
                missing.append(
                    "\(name) links to class '\(className)', which is missing from the list of classes managed by the Realm"
                )
            }
            return
        }
        if property.collection == .set, target.kind == .embedded {
            found.append(
                "Set property \(name) cannot contain embedded object type '\(className)'. Set semantics are not applicable to embedded objects."
            )
        } else if target.kind == .asymmetric {
            found.append(
                "Property \(name) of type '\(property.kindText)' cannot be a link to an asymmetric object.")
        } else if let origin = property.originProperty, property.isLinkingObjects {
            checkOrigin(origin, in: target, of: name, model)
        }
    }

    private mutating func checkOrigin(_ origin: String, in target: ModelClass, of name: String, _ model: ModelClass) {
        let declared = "Property '\(target.className).\(origin)' declared as origin of linking objects property \(name)"
        let links = models.filter { $0.className == target.className }.flatMap(\.properties)
            .filter { $0.name == origin || $0.columnName == origin }
        guard let link = links.first else { return found.append("\(declared) does not exist") }
        guard link.type == .object, let linked = link.target else { return found.append("\(declared) is not a link") }
        // A subclass also inherits linking objects for links to its superclass.
        if linked != model.className, !model.isBelow(link.targetType) {
            found.append("\(declared) links to type '\(linked)'")
        }
    }
}

extension ModelClass {
    fileprivate func isBelow(_ other: ObjectBase.Type?) -> Bool {
        var above: AnyClass? = _getSuperclass(type)
        while let type = above {
            if type == other { return true }
            above = _getSuperclass(type)
        }
        return false
    }
}

extension ModelProperty {
    fileprivate var isIndexable: Bool {
        (collection == nil || collection == .list && type == .string)
            && [.int, .bool, .date, .string, .objectId, .UUID, .any].contains(type)
    }

    /// The kind of the property, as RealmSwift's messages about schemas name it.
    fileprivate var kindText: String {
        if isLinkingObjects { return type.description }
        return switch collection {
        case .list: "array"
        case .set: "set"
        case .dictionary: "dictionary"
        case nil: type == .decimal128 ? "decimal" : type.description
        }
    }
}
