internal import RealmCore
internal import RealmLayout
internal import RealmStore

extension PropertyDefinition {
    /// The replacement for null in a property, or in the elements of its collection, that cannot be null.
    var zero: NewValue {
        do throws(FormatError) { return try NewValue(Value(scalar: type.zero) ?? .null) } catch { return .null }
    }
}
