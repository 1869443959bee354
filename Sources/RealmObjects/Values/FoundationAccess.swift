internal import RealmReader

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// How properties of Foundation's types are read where the program has no class for them.
enum FoundationAccess {
    static func data(_ property: StoredProperty) -> any PersistedAccess.Type {
        DynamicAccess.access(Data.self, property)
    }
    static func date(_ property: StoredProperty) -> any PersistedAccess.Type {
        DynamicAccess.access(Date.self, property)
    }
    static func uuid(_ property: StoredProperty) -> any PersistedAccess.Type {
        DynamicAccess.access(UUID.self, property)
    }
}
