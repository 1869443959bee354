internal import RealmQuery
internal import RealmReader

/// What names mean in a query: those of its class, in a subquery those of the class of its objects, and those behind names of objects.
struct NameScope {
    let names: ColumnNames
    private let variables: [(variable: String, names: ColumnNames)]

    init(_ names: ColumnNames, _ variables: [(variable: String, names: ColumnNames)] = []) {
        (self.names, self.variables) = (names, variables)
    }

    /// A path whose arguments are names.
    func spelled(_ path: [QueryPath.Element], _ arguments: [QueryArgument]) -> [QueryPath.Element] {
        path.flatMap { element -> [QueryPath.Element] in
            guard case .argument(let number) = element, arguments.indices.contains(number),
                case .value(.string(let text)) = arguments[number], !text.contains("@"), !text.contains("[")
            else { return [element] }
            return text.split(separator: ".").map { .name(String($0)) }
        }
    }

    /// The names that a path begins with, and how many of its elements say so.
    func names(of path: [QueryPath.Element]) -> (names: ColumnNames, count: Int) {
        guard case .name(let first)? = path.first, let found = variables.last(where: { $0.variable == first }) else {
            return (names, 0)
        }
        return (found.names, 1)
    }

    /// The property at the end of a path; nil where there is none.
    func property(at path: [QueryPath.Element], _ arguments: [QueryArgument]) -> ModelProperty? {
        let (names, count) = names(of: path)
        var steps: [String] = []
        for element in spelled(path, arguments).dropFirst(count) {
            guard case .name(let name) = element else { return nil }
            steps.append(name)
        }
        return names.property(at: steps)
    }

    /// The scope inside of a subquery.
    func inside(_ path: [QueryPath.Element], _ variable: String, _ arguments: [QueryArgument]) -> NameScope {
        let target = ColumnNames(property(at: path, arguments)?.targetType.map { ModelClass.of($0) })
        return NameScope(target, variables + [(variable, target)])
    }
}
