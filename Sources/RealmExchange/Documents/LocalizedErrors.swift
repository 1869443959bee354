#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

extension DocumentError: LocalizedError {
    /// What is wrong with a document, and where.
    public var errorDescription: String? { description }
}

extension ImportError: LocalizedError {
    /// What kept the documents from being imported.
    public var errorDescription: String? { description }
}
