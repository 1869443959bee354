internal import RealmQuery

/// Translates property names of the program, in query paths, to those of the file.
struct ColumnNames {
    let model: ModelClass?

    init(_ model: ModelClass?) { self.model = model }

    /// Returns a query path for names separated by points.
    func path(_ text: String) -> QueryPath {
        QueryPath(expanded(text.split(separator: ".").map { .name(String($0)) }))
    }

    /// Returns the names of the file along a path of names separated by points.
    func columns(_ text: String) -> [String] {
        renamed(text.split(separator: ".").map { .name(String($0)) }).map { element in
            if case .name(let name) = element { name } else { "" }
        }
    }

    /// Returns the names of the file along a path; elements after an unknown name stay as they are.
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
                let column = model?.columnName(of: origin) ?? origin
                return .name("@links.\(target).\(column)")
            }
            return .name(property.columnName)
        }
    }

    /// Returns the paths to observe, with properties in place of stars; nil for all properties, which no paths also
    /// mean, as in RealmSwift.
    ///
    /// - Precondition: each path leads along links to a property.
    func observed(_ paths: [String]?) -> [String]? {
        guard let paths, !paths.isEmpty else { return nil }
        return paths.flatMap { path in
            Self.observed(path.split(separator: ".")[...], model, of: path, isNamed: true).map {
                $0.joined(separator: ".")
            }
        }
    }

    /// - Parameter isNamed: whether the last step of the path so far was a name, not a star.
    private static func observed(
        _ names: ArraySlice<Substring>, _ model: ModelClass?, of path: String, isNamed: Bool
    ) -> [[Substring]] {
        guard let name = names.first, let model else { return [Array(names)] }
        let isStar = name == "*"
        let found = isStar ? model.properties : model.index(of: String(name)).map { [model.properties[$0]] } ?? []
        if found.isEmpty, isNamed {
            Failure.stop("Property '\(name)' in KeyPath '\(path)' is not a valid property in \(model.className).")
        }
        let rest = names.dropFirst()
        return found.flatMap { property -> [[Substring]] in
            if rest.isEmpty { return [[property.name[...]]] }
            guard property.target != nil else {
                if !isStar {
                    Failure.stop(
                        "Property '\(property.name)' in KeyPath '\(path)' is not a collection of objects or an object reference, so it cannot be used as an intermediate keypath element."
                    )
                }
                return rest.allSatisfy { $0 == "*" } ? [[property.name[...]]] : []
            }
            return observed(rest, property.targetType.map { ModelClass.of($0) }, of: path, isNamed: !isStar)
                .map { [property.name[...]] + $0 }
        }
    }

    /// Returns the property at the end of names of the program; nil if there is none.
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

    /// Returns a predicate with the names of the file.
    func renamed(_ predicate: RealmPredicate.Content) -> ObjectQuery {
        guard let model else { return predicate.query }
        return QueryRenaming(scope: NameScope(self), arguments: predicate.arguments).rewritten(
            WithoutSelf(model: model).rewritten(predicate.query))
    }

    /// Returns the names of the file along a path. Linking objects take three names.
    func expanded(_ elements: [QueryPath.Element]) -> [QueryPath.Element] {
        renamed(elements).flatMap { element -> [QueryPath.Element] in
            guard case .name(let name) = element, name.hasPrefix("@links.") else { return [element] }
            return name.split(separator: ".").map { .name(String($0)) }
        }
    }
}
