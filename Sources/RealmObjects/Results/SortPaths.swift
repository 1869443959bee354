internal import RealmLayout
internal import RealmQuery
internal import RealmReader

// The paths that results are sorted by, or told apart by.

extension ColumnNames {
    /// The path of names that are separated by points, each maybe with the key of a dictionary behind it: `prices[apple].value`.
    ///
    /// - Precondition: it leads along links to a property that has one value; else the program ends with RealmSwift's words.
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
            // Of classes that only the file tells, the query tells what is wrong.
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
    /// The property with a name in the program, or in the file.
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
    /// Values are sorted, and told apart, by themselves.
    ///
    /// - Precondition: it is what the paths say; else the program ends with RealmSwift's words.
    func checkSelf(_ keyPaths: [String]) {
        guard case .collection(let collection) = source else { return }
        let type = collection.place.property.type
        if keyPaths.count > 1 { Failure.stop("Cannot sort array of '\(type)' on more than one key path") }
        if let path = keyPaths.first, path != "self" {
            Failure.stop("Cannot sort on key path '\(path)': arrays of '\(type)' can only be sorted on 'self'")
        }
    }
}
