#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

extension QueryError: LocalizedError {
    /// Description of what is wrong with the query.
    public var errorDescription: String? { description }
}

extension QuerySyntaxError: LocalizedError {
    /// Description of the syntax error and its position.
    public var errorDescription: String? { description }
}
