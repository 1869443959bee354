#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

extension QueryError: LocalizedError {
    /// What is wrong with the query.
    public var errorDescription: String? { description }
}

extension QuerySyntaxError: LocalizedError {
    /// What is wrong with the text, and where.
    public var errorDescription: String? { description }
}
