internal import RealmLayout
internal import RealmReader

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
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

    /// The text of a decimal number of Foundation's; nil for anything else.
    static func decimalText(_ any: Any) -> String? { (any as? Decimal)?.description }
}

extension Decimal128 {
    /// The number as Foundation has it; not a number where that has no room for it.
    public var decimalValue: Decimal { isNaN ? .nan : Decimal(string: bits.description) ?? .nan }
}
