internal import RealmCore
internal import RealmLayout

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// Access to properties of Foundation's types in classes that the program does not define.
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

    /// Returns the text of a Foundation decimal; nil for anything else.
    static func decimalText(_ any: Any) -> String? { (any as? Decimal)?.description }
}

extension Decimal128 {
    /// The number as a Foundation decimal; NaN if it does not fit.
    public var decimalValue: Decimal { isNaN ? .nan : Decimal(string: bits.description) ?? .nan }
}
