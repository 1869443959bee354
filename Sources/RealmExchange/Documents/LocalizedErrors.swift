#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

extension DocumentError: LocalizedError {
    /// A description of the problem and its place in the document.
    public var errorDescription: String? { description }
}

extension ImportError: LocalizedError {
    /// The reason why the documents could not be imported.
    public var errorDescription: String? { description }
}
