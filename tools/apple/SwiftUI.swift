// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
@_exported import Combine

// The declarations of SwiftUI that property wrappers depend on, with the isolation of its interface (iOS 18). They
// display nothing.

public protocol DynamicProperty { mutating func update() }
extension DynamicProperty { public mutating func update() {} }

@frozen @propertyWrapper @dynamicMemberLookup public struct Binding<Value> {
    private let get: () -> Value
    private let set: (Value) -> Void
    public init(get: @escaping @Sendable () -> Value, set: @escaping @Sendable (Value) -> Void) {
        (self.get, self.set) = (get, set)
    }
    public var wrappedValue: Value {
        get { get() }
        nonmutating set { set(newValue) }
    }
    public var projectedValue: Binding<Value> { self }
    public subscript<Subject>(dynamicMember keyPath: WritableKeyPath<Value, Subject>) -> Binding<Subject> {
        nonisolated(unsafe) let (me, path) = (self, keyPath)
        return Binding<Subject>(get: { me.wrappedValue[keyPath: path] }, set: { me.wrappedValue[keyPath: path] = $0 })
    }
}
extension Binding: @unchecked Sendable where Value: Sendable {}

@propertyWrapper @frozen @MainActor @preconcurrency
public struct ObservedObject<ObjectType: ObservableObject>:
    DynamicProperty
{
    @MainActor @preconcurrency public var wrappedValue: ObjectType
    @MainActor @preconcurrency public init(wrappedValue: ObjectType) { self.wrappedValue = wrappedValue }
}

@frozen @propertyWrapper @MainActor @preconcurrency
public struct StateObject<ObjectType: ObservableObject>:
    DynamicProperty
{
    private final class Box {
        let make: () -> ObjectType
        var made: ObjectType?
        nonisolated init(_ make: @escaping () -> ObjectType) { self.make = make }
    }
    nonisolated(unsafe) private let box: AnyObject
    nonisolated public init(wrappedValue thunk: @autoclosure @escaping () -> ObjectType) { box = Box(thunk) }
    @MainActor @preconcurrency public var wrappedValue: ObjectType {
        guard let box = box as? Box else { fatalError("another box") }
        let value = box.made ?? box.make()
        box.made = value
        return value
    }
}

public protocol EnvironmentKey {
    associatedtype Value
    static var defaultValue: Value { get }
}

public struct EnvironmentValues {
    private var values: [ObjectIdentifier: Any] = [:]
    public init() {}
    public subscript<K: EnvironmentKey>(key: K.Type) -> K.Value {
        get { values[ObjectIdentifier(key)] as? K.Value ?? K.defaultValue }
        set { values[ObjectIdentifier(key)] = newValue }
    }
}

@frozen @propertyWrapper public struct Environment<Value>: DynamicProperty {
    private let path: KeyPath<EnvironmentValues, Value>
    public init(_ keyPath: KeyPath<EnvironmentValues, Value>) { path = keyPath }
    public var wrappedValue: Value { EnvironmentValues()[keyPath: path] }
}
