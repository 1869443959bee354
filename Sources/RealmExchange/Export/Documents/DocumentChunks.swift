public import RealmCore
public import RealmLayout
internal import RealmStorage

/// The documents of a class in chunks that are created on demand, so that only one chunk is in memory.
///
/// ```swift
/// let exporter = Exporter(snapshot)
/// for try await chunk in try exporter.chunks(ofClass: "Dog", whenDone: { print($0.losses.count) }) {
///     print(chunk.count)  // bytes of whole documents, about a quarter of a megabyte
/// }
/// ```
///
/// The concatenated chunks equal the result of `Exporter.documents(ofClass:)`.
public struct DocumentChunks: AsyncSequence, Sendable {
    /// Bytes of whole documents.
    public typealias Element = [UInt8]

    let exporter: Exporter
    let position: TablePosition
    let whenDone: (@Sendable (ExportReport) -> Void)?

    /// Begins at the first document.
    public func makeAsyncIterator() -> Iterator { Iterator(self) }

    /// Creates the chunks in order.
    public struct Iterator: AsyncIteratorProtocol {
        private let chunks: DocumentChunks
        private let pieces: any DocumentPieces
        private var tally: ObjectTally?
        private var isBegun = false
        private var isAtEnd = false

        init(_ chunks: DocumentChunks) {
            self.chunks = chunks
            pieces = chunks.exporter.sinks().pieces(ofTable: chunks.position, of: chunks.exporter)
            tally = chunks.exporter.tally([chunks.position])
        }

        /// Returns the next documents, or nil after the last.
        ///
        /// - Throws: `FormatError` if data that may not be left out cannot be read, or another process committed
        ///   meanwhile; `CancellationError` if the task was cancelled.
        public mutating func next() async throws -> [UInt8]? {
            guard !isAtEnd else { return nil }
            do {
                try Task.checkCancellation()
                return try nextPart()
            } catch {
                isAtEnd = true
                throw error
            }
        }

        private mutating func nextPart() throws(FormatError) -> [UInt8]? {
            if !isBegun {
                isBegun = true
                if let header = chunks.exporter.header(ofTable: chunks.position) { return header }
            }
            let count = pieces.outcome.objects
            let made: [UInt8]?
            do throws(FormatError) { made = try pieces.next() } catch {
                try chunks.exporter.snapshot.checkUnchanged()
                throw error.at(table: chunks.exporter.snapshot.cores[chunks.position].schema.tableName)
            }
            let outcome = pieces.outcome
            if let made {
                tally?.add(outcome.objects - count)
                return made
            }
            isAtEnd = true
            try chunks.exporter.snapshot.checkUnchanged()
            if let whenDone = chunks.whenDone {
                var session = ExportSession(chunks.exporter, [chunks.position])
                session.note(outcome, of: chunks.position)
                whenDone(session.report)
            }
            return chunks.exporter.end(afterObjects: outcome.objects).map { Array($0.utf8) }
        }
    }
}

extension Exporter {
    /// The documents of one class in chunks.
    ///
    /// - Parameters:
    ///   - className: The class.
    ///   - whenDone: Called with the report after the last documents.
    /// - Throws: `FormatError` if the class does not exist or is embedded.
    public func chunks(
        ofClass className: String, whenDone: (@Sendable (ExportReport) -> Void)? = nil
    ) throws(FormatError) -> DocumentChunks {
        DocumentChunks(exporter: self, position: try exportedPosition(named: className), whenDone: whenDone)
    }

    /// The document of one object in the export's format, without a line end. For CSV, this is the line without the
    /// header.
    ///
    /// ```swift
    /// var options = ExportOptions()
    /// options.format = .json
    /// print(String(decoding: try Exporter(snapshot, options).document(of: person), as: UTF8.self))
    /// ```
    ///
    /// - Parameter object: An object of the exporter's snapshot; an embedded one has no `_id`.
    /// - Throws: `otherDatabase` for an object of another snapshot, `noSuchObject` for a tombstone, `FormatError` if
    ///   the object cannot be read, or if a value cannot and `ExportOptions.onDamage` requires an error.
    public func document(of object: StoredObject) throws(FormatError) -> [UInt8] {
        guard object.table.snapshot === snapshot else {
            throw FormatError(.otherDatabase, "the object is of another snapshot than the one that is exported")
        }
        guard !object.key.isUnresolved else {
            throw FormatError(.noSuchObject, "it is a tombstone, which has no document")
                .at(table: object.table.schema.tableName, objectKey: object.key)
        }
        let place = object.place
        var bytes = try sinks(isSingle: true).pieces(ofTable: object.table.position, of: self)
            .document(inRow: place.row, of: place.cluster)
        guard options.format != .bson else { return bytes }
        while let last = bytes.last, last == UInt8(ascii: "\n") || last == UInt8(ascii: "\r") { bytes.removeLast() }
        return bytes
    }
}

extension StoredObject {
    /// The object as a document, with `_id` and, for links, the `_id` of their objects.
    ///
    /// ```swift
    /// print(String(decoding: try person.document(as: .json), as: UTF8.self))
    /// ```
    ///
    /// For many objects, an `Exporter` is faster because it analyses the schema only once.
    ///
    /// - Throws: The same errors as `Exporter.document(of:)`.
    public func document(as format: ExportOptions.Format) throws(FormatError) -> [UInt8] {
        var options = ExportOptions()
        options.format = format
        return try Exporter(table.snapshot, options).document(of: self)
    }
}
