/// A value handed to another isolation, and used in only one of them at a time.
struct SendableBox<Value>: @unchecked Sendable {
    let value: Value

    init(_ value: Value) { self.value = value }
}
