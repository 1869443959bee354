internal import RealmCore
internal import RealmQuery

/// The meaning of names in a query: properties of its class; in a subquery, of the class of its objects; after a
/// variable, of the variable's class.
struct NameScope {
    let names: ColumnNames
    private let variables: [(variable: String, names: ColumnNames)]

    init(_ names: ColumnNames, _ variables: [(variable: String, names: ColumnNames)] = []) {
        (self.names, self.variables) = (names, variables)
    }

    /// Returns a path in which arguments are replaced by the names that they contain.
    func spelled(_ path: [QueryPath.Element], _ arguments: [QueryArgument]) -> [QueryPath.Element] {
        path.flatMap { element -> [QueryPath.Element] in
            guard case .argument(let number) = element, arguments.indices.contains(number),
                case .value(.string(let text)) = arguments[number], !text.contains("@"), !text.contains("[")
            else { return [element] }
            return text.split(separator: ".").map { .name(String($0)) }
        }
    }

    /// Returns the names that apply to a path, and the number of leading elements that select them.
    func names(of path: [QueryPath.Element]) -> (names: ColumnNames, count: Int) {
        guard case .name(let first)? = path.first, let found = variables.last(where: { $0.variable == first }) else {
            return (names, 0)
        }
        return (found.names, 1)
    }

    /// Returns the property at the end of a path; nil if there is none.
    func property(at path: [QueryPath.Element], _ arguments: [QueryArgument]) -> ModelProperty? {
        let (names, count) = names(of: path)
        var steps: [String] = []
        for element in spelled(path, arguments).dropFirst(count) {
            guard case .name(let name) = element else { return nil }
            steps.append(name)
        }
        return names.property(at: steps)
    }

    /// Returns the scope inside a subquery.
    func inside(_ path: [QueryPath.Element], _ variable: String, _ arguments: [QueryArgument]) -> NameScope {
        let target = ColumnNames(property(at: path, arguments)?.targetType.map { ModelClass.of($0) })
        return NameScope(target, variables + [(variable, target)])
    }
}
