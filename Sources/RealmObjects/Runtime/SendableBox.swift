/// What is handed to another place, and used at one of the two at a time.
struct SendableBox<Value>: @unchecked Sendable {
    let value: Value

    init(_ value: Value) { self.value = value }
}
