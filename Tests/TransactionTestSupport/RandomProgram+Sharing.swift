internal import RealmWriter

// What is left out in a file that Realm Core 14.14 changes as well, as it gets it wrong, whoever wrote it (Spec 165).
extension TableDefinition {
    /// Takes away indexes of Mixed values: in them Core loses numbers with fractions, the second NaN, strings beside binaries of the same
    /// bytes, and entries of objects that are gone.
    mutating func removeIndexesOfMixed() {
        for index in properties.indices { properties[index].removeIndexOfMixed() }
    }
}

extension PropertyDefinition {
    mutating func removeIndexOfMixed() {
        if type == .mixed { index = .none }
    }
}
