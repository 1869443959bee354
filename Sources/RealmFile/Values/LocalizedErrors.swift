#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

// Makes `localizedDescription` equal `description`, instead of "The operation could not be completed".

extension FormatError: LocalizedError {
    /// The damage and its position.
    public var errorDescription: String? { description }
}

extension StorageError: LocalizedError {
    /// The refused action and the reason.
    public var errorDescription: String? { description }
}

extension KeyError: LocalizedError {
    /// The reason why text or bytes are not a key.
    public var errorDescription: String? { description }
}

extension InvalidValue: LocalizedError {
    /// The reason why the value does not fit, and its place.
    public var errorDescription: String? { description }
}

extension WriteError: LocalizedError {
    /// The reason why the file was not written.
    public var errorDescription: String? { description }
}

extension ContentComparisonError: LocalizedError {
    /// The reason why the comparison failed.
    public var errorDescription: String? { description }
}
