internal import RealmCore
internal import RealmLayout
internal import RealmQuery

// Paths for sorting results, and for removing duplicates.

extension ColumnNames {
    /// Returns the path of names separated by points, each of which a dictionary key may follow: `prices[apple].value`.
    ///
    /// - Precondition: the path leads along links to a property with a single value; otherwise the program terminates
    ///   with RealmSwift's message.
    func sortPath(_ text: String) -> QueryPath {
        func check(_ isRight: Bool, _ message: @autoclosure () -> String) {
            if !isRight { Failure.stop("Cannot sort on key path '\(text)': \(message()).") }
        }
        let names = text.split(separator: ".", omittingEmptySubsequences: false)
        check(!names.contains(""), "missing property name")
        var (model, elements) = (self.model, [QueryPath.Element]())
        for (index, step) in names.enumerated() {
            let parts = step.split(separator: "[", maxSplits: 1, omittingEmptySubsequences: false)
            elements.append(.name(String(parts[0])))
            if parts.count > 1 {
                let end = parts[1].firstIndex(of: "]")
                check(end != nil, "missing ']'")
                elements.append(.key(String(parts[1][..<(end ?? parts[1].endIndex)])))
            }
            // For classes known only from the file, the query reports what is wrong.
            guard let known = model else { continue }
            let place = "property '\(known.className).\(parts[0])'"
            guard let property = known.sorting(by: String(parts[0])) else {
                Failure.stop("Cannot sort on key path '\(text)': \(place) does not exist.")
            }
            if case .dictionary? = property.collection {
                check(parts.count > 1, "missing dictionary key")
            } else {
                check(
                    property.collection == nil && !property.isLinkingObjects,
                    "\(place) is of unsupported type '\(property.unsortedKind)'")
            }
            check(
                property.type == .object || index == names.count - 1,
                "\(place) of type '\(property.type)' may only be the final property in the key path")
            model = property.targetType.map { ModelClass.of($0) }
        }
        return QueryPath(expanded(elements))
    }
}

extension ModelClass {
    /// Returns the property with a name in the program, or in the file.
    fileprivate func sorting(by name: String) -> ModelProperty? {
        index(of: name).map { properties[$0] } ?? properties.first { $0.columnName == name }
    }
}

extension ModelProperty {
    fileprivate var unsortedKind: String {
        switch collection {
        case .list: "array"
        case .set: "set"
        default: type.description
        }
    }
}

extension ResultSet {
    /// Checks the paths for values, which are sorted and compared by themselves.
    ///
    /// - Precondition: the only path is `self`; otherwise the program terminates with RealmSwift's message.
    func checkSelf(_ keyPaths: [String]) {
        guard case .collection(let collection) = source else { return }
        let type = collection.place.property.type
        if keyPaths.count > 1 { Failure.stop("Cannot sort array of '\(type)' on more than one key path") }
        if let path = keyPaths.first, path != "self" {
            Failure.stop("Cannot sort on key path '\(path)': arrays of '\(type)' can only be sorted on 'self'")
        }
    }
}
