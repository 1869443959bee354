#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

// `localizedDescription` says what `description` does, and not "The operation could not be completed".

extension FormatError: LocalizedError {
    /// What is wrong, and where.
    public var errorDescription: String? { description }
}

extension StorageError: LocalizedError {
    /// What the system refused, and why.
    public var errorDescription: String? { description }
}

extension KeyError: LocalizedError {
    /// What keeps a text or bytes from being a key.
    public var errorDescription: String? { description }
}

extension InvalidValue: LocalizedError {
    /// What does not fit, and where.
    public var errorDescription: String? { description }
}

extension WriteError: LocalizedError {
    /// What kept the file from being written.
    public var errorDescription: String? { description }
}

extension ContentComparisonError: LocalizedError {
    /// What kept the comparison from being made.
    public var errorDescription: String? { description }
}
