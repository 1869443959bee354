public import RealmStorage
public import RealmWriter

/// What is wrong with documents that are imported, and where.
///
/// ```swift
/// do {
///     _ = try await Importer(["dogs.json"]).run(to: "new.realm")
/// } catch {
///     if case .document(let error) = error { print(error.code, error.file ?? "", error.line ?? 0) }
/// }
/// ```
public struct DocumentError: Error, Equatable, Sendable, CustomStringConvertible {
    /// What kind of error; stable names for scripts and tests.
    public enum Code: String, CaseIterable, Sendable {
        /// The bytes are no BSON, Extended JSON, JSON, CSV, archive or gzip.
        case malformed
        /// The input ends in the middle of a document.
        case truncated
        /// Documents and arrays are nested too deeply.
        case tooDeep
        /// A document is larger than any that Realm values make.
        case tooLarge
        /// A schema or sidecar is not what it should be.
        case badSchema
        /// There is nothing to import, or no class for it.
        case noDocuments
        /// A document of a canonical export lacks what only such have.
        case notCanonical
    }

    /// What kind of error.
    public let code: Code
    /// What was found and what was expected, in words.
    public let detail: String
    /// The file.
    public internal(set) var file: String?
    /// The document, counted from 0.
    public internal(set) var document: Int?
    /// The byte offset in the file, before compression; in the document's own form where it is text.
    public internal(set) var offset: Int?
    /// The line in a file of lines with fields, from 1 on.
    public internal(set) var line: Int?

    init(_ code: Code, at offset: Int? = nil, _ detail: String) {
        self.code = code
        self.detail = detail
        self.offset = offset
    }

    /// The same error in a file.
    func at(file: String, document: Int? = nil, offset: Int? = nil, line: Int? = nil) -> DocumentError {
        var copy = self
        copy.file = copy.file ?? NativePath.shown(file)
        copy.document = copy.document ?? document
        copy.offset = offset ?? copy.offset
        copy.line = copy.line ?? line
        return copy
    }

    /// One line: place and what is wrong.
    public var description: String {
        var text = file.map { "\($0): " } ?? ""
        if let line { return "\(text)line \(line): \(detail)" }
        if let document { text += "document \(document)" }
        if let offset { text += "\(document == nil ? "at" : " at") byte \(offset)" }
        if document != nil || offset != nil { text += ": " }
        return text + detail
    }
}

/// What keeps documents from being imported.
///
/// ```swift
/// do {
///     _ = try await Importer(["dump"], ImportOptions(allowsLosses: false)).run(to: "new.realm")
/// } catch {
///     if case .losses(let report) = error { print(report.lossCount) }
/// }
/// ```
public indirect enum ImportError: Error, CustomStringConvertible {
    // Indirect: functions that mostly succeed have no room for it to carry around.

    /// Documents or schemas that cannot be read.
    case document(DocumentError)
    /// What the new file cannot hold, or the system refuses to write.
    case write(WriteError)
    /// What the system refuses to read.
    case storage(StorageError)
    /// Something could not be kept, which the options do not allow.
    case losses(ImportReport)
    /// What a stream of documents threw.
    case stream(any Error)
    /// The task was cancelled.
    case cancelled

    /// One line.
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

/// Turns errors of reading documents into those of importing.
@inline(__always)
func importing<R>(_ body: () throws(DocumentError) -> R) throws(ImportError) -> R {
    do throws(DocumentError) { return try body() } catch { throw .document(error) }
}

/// Turns errors of the system into those of importing.
@inline(__always)
func importing<R>(_ body: () throws(StorageError) -> R) throws(ImportError) -> R {
    do throws(StorageError) { return try body() } catch { throw .storage(error) }
}

/// Turns errors of writing into those of importing.
@inline(__always)
func importing<R>(_ body: () throws(WriteError) -> R) throws(ImportError) -> R {
    do throws(WriteError) { return try body() } catch { throw .write(error) }
}
