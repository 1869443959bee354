public import RealmCore
public import RealmStorage

/// An error in imported documents, and its place.
///
/// ```swift
/// do {
///     _ = try await Importer(["dogs.json"]).run(to: "new.realm")
/// } catch {
///     if case .document(let error) = error { print(error.code, error.file ?? "", error.line ?? 0) }
/// }
/// ```
public struct DocumentError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The kind of error, with stable names for scripts and tests.
    public enum Code: String, CaseIterable, Sendable {
        /// The bytes are not valid BSON, Extended JSON, JSON, CSV, archive or gzip data.
        case malformed
        /// The input ends in the middle of a document.
        case truncated
        /// Documents and arrays are nested too deeply.
        case tooDeep
        /// A document is larger than Realm values can make it.
        case tooLarge
        /// A schema or sidecar is invalid.
        case badSchema
        /// There is nothing to import, or no class for it.
        case noDocuments
        /// A document of a canonical export lacks required data.
        case notCanonical
    }

    /// The kind of error.
    public let code: Code
    /// A description of what was found and what was expected.
    public let detail: String
    /// The file.
    public internal(set) var file: String?
    /// The document, counted from 0.
    public internal(set) var document: Int?
    /// The byte offset in the uncompressed file; in CSV, that of the line.
    public internal(set) var offset: Int?
    /// The line in a text, counted from 1.
    public internal(set) var line: Int?
    /// The character in that line, counted from 1; nil if only the line is known.
    public internal(set) var column: Int?

    init(_ code: Code, at offset: Int? = nil, _ detail: String) {
        self.code = code
        self.detail = detail
        self.offset = offset
    }

    /// Returns the error with its place in a file.
    func at(
        file: String, document: Int? = nil, offset: Int? = nil, line: Int? = nil, column: Int? = nil
    ) -> DocumentError {
        var copy = self
        copy.file = copy.file ?? NativePath.shown(file)
        copy.document = copy.document ?? document
        copy.offset = offset ?? copy.offset
        copy.line = copy.line ?? line
        copy.column = copy.column ?? column
        return copy
    }

    /// A one-line description with the place of the error.
    public var description: String {
        var text = file.map { "\($0): " } ?? ""
        if let line { return "\(text)line \(line)\(column.map { ", column \($0)" } ?? ""): \(detail)" }
        if let document { text += "document \(document)" }
        if let offset { text += "\(document == nil ? "at" : " at") byte \(offset)" }
        if document != nil || offset != nil { text += ": " }
        return text + detail
    }
}

/// An error that prevents documents from being imported.
///
/// ```swift
/// do {
///     _ = try await Importer(["dump"], ImportOptions(allowsLosses: false)).run(to: "new.realm")
/// } catch {
///     if case .losses(let report) = error { print(report.lossCount) }
/// }
/// ```
public indirect enum ImportError: Error, CustomStringConvertible {
    // Indirect, because functions that mostly succeed should not reserve space for a large error.

    /// Documents or schemas are invalid.
    case document(DocumentError)
    /// The new file cannot hold the data, or cannot be written.
    case write(WriteError)
    /// An input cannot be read.
    case storage(StorageError)
    /// There were losses, which the options do not allow.
    case losses(ImportReport)
    /// A stream of documents threw this error.
    case stream(any Error)
    /// The task was cancelled.
    case cancelled

    /// A one-line description.
    public var description: String {
        switch self {
        case .document(let error): error.description
        case .write(let error): error.description
        case .storage(let error): error.description
        case .losses(let report): "\(report.lossCount) values could not be kept"
        case .stream(let error): "\(error)"
        case .cancelled: "the import was cancelled"
        }
    }
}

/// Converts errors of documents to import errors.
@inline(__always)
func importing<R>(_ body: () throws(DocumentError) -> R) throws(ImportError) -> R {
    do throws(DocumentError) { return try body() } catch { throw .document(error) }
}

/// Converts system errors to import errors.
@inline(__always)
func importing<R>(_ body: () throws(StorageError) -> R) throws(ImportError) -> R {
    do throws(StorageError) { return try body() } catch { throw .storage(error) }
}

/// Converts write errors to import errors.
@inline(__always)
func importing<R>(_ body: () throws(WriteError) -> R) throws(ImportError) -> R {
    do throws(WriteError) { return try body() } catch { throw .write(error) }
}
