internal import RealmCore

// Exclusions for files that Realm Core 14.14 changes as well, because it handles them incorrectly, whichever program
// wrote them (Spec 165).
extension TableDefinition {
    /// Removes indexes of Mixed values: in these, Core loses numbers with fractions, the second NaN, strings next to
    /// binaries of the same bytes, and entries of deleted objects.
    mutating func removeIndexesOfMixed() {
        for index in properties.indices { properties[index].removeIndexOfMixed() }
    }
}

extension PropertyDefinition {
    mutating func removeIndexOfMixed() {
        if type == .mixed { index = .none }
    }
}
