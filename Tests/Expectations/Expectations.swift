import Testing

// Function versions of `#expect` on conditions. Each expansion of the macro is a closure and several generic calls that
// the compiler must check and generate: thousands of them took more than half of the type checking of the test targets.
// Errors (`#expect(throws:)`) and required values (`#require`) still use the macros.

/// Records an issue at the caller's line unless the condition holds.
public func expect(
    _ condition: Bool, _ comment: @autoclosure () -> Comment? = nil, sourceLocation: SourceLocation = #_sourceLocation
) {
    guard !condition else { return }
    record("Expectation failed", comment(), at: sourceLocation)
}

/// Records an issue with both values unless they are equal.
public func expectEqual<Value: Equatable>(
    _ value: Value, _ expected: Value, _ comment: @autoclosure () -> Comment? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
) {
    guard value != expected else { return }
    record(
        "Expectation failed: \(String(reflecting: value)) == \(String(reflecting: expected))", comment(),
        at: sourceLocation)
}

private func record(_ failure: String, _ comment: Comment?, at sourceLocation: SourceLocation) {
    let text = comment.map { "\(failure) (\($0))" } ?? failure
    Issue.record(Comment(rawValue: text), sourceLocation: sourceLocation)
}
