internal import RealmQuery

/// Names of properties in the program, in paths of queries, as the file has them.
struct ColumnNames {
    private let model: ModelClass?

    init(_ model: ModelClass?) { self.model = model }

    /// A path of names that are separated by points.
    func path(_ text: String) -> QueryPath {
        QueryPath(expanded(text.split(separator: ".").map { .name(String($0)) }))
    }

    /// The names of the file along a path of names that are separated by points.
    func columns(_ text: String) -> [String] {
        renamed(text.split(separator: ".").map { .name(String($0)) }).map { element in
            if case .name(let name) = element { name } else { "" }
        }
    }

    /// The names along a path; what follows a name that is not known stays as it is.
    func renamed(_ elements: [QueryPath.Element]) -> [QueryPath.Element] {
        var model = model
        return elements.map { element in
            guard case .name(let name) = element, let known = model else { return element }
            guard let index = known.index(of: name) else {
                model = nil
                return element
            }
            let property = known.properties[index]
            model = property.targetType.map { ModelClass.of($0) }
            if property.isLinkingObjects, let target = property.target, let origin = property.originProperty {
                let column = model?.index(of: origin).flatMap { model?.properties[$0].columnName } ?? origin
                return .name("@links.\(target).\(column)")
            }
            return .name(property.columnName)
        }
    }

    /// The property at the end of names of the program; nil where there is none.
    func property(at names: [String]) -> ModelProperty? {
        var model = model
        var property: ModelProperty?
        for name in names {
            guard let known = model, let index = known.index(of: name) else { return nil }
            property = known.properties[index]
            model = known.properties[index].targetType.map { ModelClass.of($0) }
        }
        return property
    }

    /// A predicate with the names of the file.
    func renamed(_ predicate: RealmPredicate) -> RealmQuery.Query {
        guard model != nil else { return predicate.query }
        return QueryRenaming(scope: NameScope(self), arguments: predicate.arguments).rewritten(predicate.query)
    }

    /// The names of the file along a path. Linking objects are three names.
    func expanded(_ elements: [QueryPath.Element]) -> [QueryPath.Element] {
        renamed(elements).flatMap { element -> [QueryPath.Element] in
            guard case .name(let name) = element, name.hasPrefix("@links.") else { return [element] }
            return name.split(separator: ".").map { .name(String($0)) }
        }
    }
}
