internal import RealmCore

// Collection operators of key-value coding: `@count`, `@sum.age`, `@unionOfObjects.name`.

extension RealmCollection {
    /// Returns the values of all objects at the end of a path of properties. With an operator in front, returns its
    /// result: `@count`, `@min.age`, `@max.age`, `@sum.age`, `@avg.age`, `@unionOfObjects.name`,
    /// `@distinctUnionOfObjects.name`, `@unionOfArrays.dogs` and `@distinctUnionOfArrays.dogs`. For values the property
    /// is `self`.
    ///
    /// ```swift
    /// print(realm.objects(Dog.self).value(forKeyPath: "@sum.age") as? Int ?? 0)
    /// ```
    ///
    /// - Precondition: the properties and the operator exist.
    public func value(forKeyPath keyPath: String) -> Any? {
        guard keyPath.first == "@" else {
            return map { ($0 as? ObjectBase)?.value(forKeyPath: keyPath) ?? Optional<Any>.none as Any }
        }
        if keyPath == "@count" { return count }
        let parts = keyPath.dropFirst().split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        let name = String(parts[0])
        guard let calculation = KeyPathOperator(rawValue: name) else {
            Failure.stop("Unsupported KVC collection operator found in key path '\(keyPath)'")
        }
        guard parts.count == 2, !parts[1].isEmpty else {
            Failure.stop("Missing key path for KVC collection operator \(name) in key path '\(keyPath)'")
        }
        guard !parts[1].contains(".") else {
            Failure.stop("Nested key paths are not supported yet for KVC collection operators.")
        }
        return calculated(calculation, String(parts[1]))
    }

    private func calculated(_ calculation: KeyPathOperator, _ property: String) -> Any? {
        switch calculation {
        case .min: return totals(of: property, .min).extreme(.min).flatMap { Totals.any($0) }
        case .max: return totals(of: property, .max).extreme(.max).flatMap { Totals.any($0) }
        case .sum: return Totals.any(totals(of: property, .sum).sum)
        case .avg: return totals(of: property, .average).average
        case .unionOfObjects: return value(forKey: property)
        case .distinctUnionOfObjects: return Self.distinct(value(forKey: property))
        case .unionOfArrays, .distinctUnionOfArrays:
            guard property != "self" else {
                Failure.stop(
                    "self is not a valid key-path for a KVC array collection operator as '\(calculation.rawValue)'.")
            }
            let elements = value(forKey: property).flatMap { ($0 as? any RealmCollection)?.dynamicElements ?? [] }
            return calculation == .unionOfArrays ? elements : Self.distinct(elements)
        }
    }

    private var dynamicElements: [Any] { value(forKey: "self") }

    /// Returns the first of equal values.
    private static func distinct(_ values: [Any]) -> [Any] {
        var seen: Set<DistinctValue> = []
        var (seenObjects, objects) = (InsertedObjects(), [ObjectBase]())
        return values.filter { value in
            if let object = value as? ObjectBase {
                guard !seenObjects.contains(object, among: objects) else { return false }
                seenObjects.add(object)
                objects.append(object)
                return true
            }
            return storedValue(value).map { seen.insert(DistinctValue($0)).inserted } ?? true
        }
    }
}

extension List {
    /// Returns the values of all objects at the end of a path of properties; see `RealmCollection.value(forKeyPath:)`.
    ///
    /// - Precondition: an operator in front of the path returns several values, not one.
    public func value(forKeyPath keyPath: String) -> [Any] {
        let value: Any? = AnyRealmCollection(self).value(forKeyPath: keyPath)
        guard let values = value as? [Any] else {
            Failure.stop("a List has one value at '\(keyPath)': ask AnyRealmCollection for it")
        }
        return values
    }
}

/// An operator on the values of many objects.
private enum KeyPathOperator: String {
    case min, max, sum, avg, unionOfObjects, distinctUnionOfObjects, unionOfArrays, distinctUnionOfArrays
}
