internal import RealmCore
internal import RealmLayout

/// The documents of all collections of a `mongodump --archive` archive: the inverse of `Archive`.
final class ArchiveDocuments: DocumentSource {
    /// A collection, as named in the archive.
    struct Collection: Hashable {
        let database: String
        let name: String

        /// Whether these are the operations that `mongodump --oplog` adds.
        var isOplog: Bool { database.isEmpty && name == "oplog" }
    }

    static let magic: UInt32 = 0x8199_E26D
    private static let terminator: UInt32 = 0xFFFF_FFFF

    private let input: InputBuffer
    private let cursor = BSONCursor()
    private var current = 0
    private(set) var number = -1
    let isBinary = true
    /// The collections listed in the prelude.
    private(set) var collections: [Collection] = []
    /// The collections that have no documents of their own.
    private(set) var views: Set<Collection> = []
    /// The metadata of each collection in the prelude.
    private(set) var metadata: [Collection: JSONValue] = [:]
    /// The table for the documents of each collection; other collections are skipped.
    var positions: [Collection: TablePosition] = [:]
    private(set) var position = TablePosition(0)
    private var isInCollection = false
    private var isWanted = false
    /// Collections that must still end: those that have begun, and all but views.
    private var awaited: Set<Collection> = []
    /// The checksums of the collections that are interrupted. `checksum` is that of the current one.
    private var checksums: [Collection: CRC64] = [:]
    private var collection: Collection?
    private var checksum = CRC64()

    /// Reads the prelude.
    init(_ input: InputBuffer) throws(ImportError) {
        self.input = input
        guard try input.available(4) >= 4, input.view(4).uint32(unchecked: 0) == Self.magic else {
            throw .document(place(DocumentError(.malformed, "no archive of mongodump")))
        }
        input.advance(4)
        // The header has the versions of the archive and of the programs that wrote it.
        guard try document() != nil else { throw failure("the archive has no header") }
        while let metadata = try document() {
            let namespace = try namespace(metadata)
            if let collection = namespace.collection, !collections.contains(collection) {
                collections.append(collection)
                if namespace.isPlain { awaited.insert(collection) }
                if namespace.isView { views.insert(collection) }
                self.metadata[collection] = namespace.metadata
            }
        }
    }

    var name: String { input.name }
    var offset: Int { input.offset }

    func next() throws(ImportError) -> ByteView? {
        while true {
            if isInCollection {
                guard let document = try document() else {
                    isInCollection = false
                    if let collection { checksums[collection] = checksum }
                    continue
                }
                number += 1
                checksum.update(document)
                if isWanted { return document }
                continue
            }
            input.advance(current)
            current = 0
            guard try input.available(1) > 0 else {
                if let open = collections.first(where: awaited.contains) ?? awaited.first {
                    throw .document(
                        place(DocumentError(.truncated, "the archive ends before the end of \(open.name.singleLine)")))
                }
                return nil
            }
            guard let header = try document() else { throw failure("a terminator where a collection should begin") }
            try begin(try namespace(header))
            isInCollection = true
        }
    }

    /// Begins documents of a collection, or ends it.
    private func begin(_ header: Namespace) throws(ImportError) {
        guard let named = header.collection, collections.contains(named) || named.isOplog else {
            let name = header.collection?.name.singleLine ?? "without a name"
            throw failure("documents of a collection that the archive does not begin with: \(name)")
        }
        let found = positions[named]
        isWanted = found != nil && !header.isEnd
        position = found ?? TablePosition(0)
        checksum = checksums[named] ?? CRC64()
        collection = header.isEnd ? nil : named
        guard header.isEnd else {
            awaited.insert(named)
            return
        }
        checksums[named] = nil
        awaited.remove(named)
        if let expected = header.checksum, expected != checksum.value {
            throw failure("the documents of \(named.name.singleLine) do not have the checksum that the archive says")
        }
    }

    /// Returns the next document, or nil for a terminator.
    private func document() throws(ImportError) -> ByteView? {
        input.advance(current)
        current = 0
        let count = try input.available(4)
        guard count >= 4 else { throw .document(place(DocumentError(.truncated, "the archive ends too early"))) }
        let word = input.view(4).uint32(unchecked: 0)
        guard word != Self.terminator else {
            input.advance(4)
            return nil
        }
        let length = Int(Int32(bitPattern: word))
        guard length >= 5 else { throw failure("a document cannot have \(length) bytes") }
        let got = try input.available(length)
        guard got >= length else {
            throw .document(
                place(DocumentError(.truncated, "the archive ends after \(got) of the \(length) bytes of a document")))
        }
        current = length
        return input.view(length)
    }

    /// The contents of a metadata document or a header.
    private struct Namespace {
        var collection: Collection?
        /// Whether the collection ends there.
        var isEnd = false
        /// Whether the collection has its own documents, judging by its type.
        var isPlain = true
        var isView = false
        var metadata: JSONValue?
        /// The checksum of all its documents.
        var checksum: UInt64?
    }

    private func namespace(_ document: ByteView) throws(ImportError) -> Namespace {
        do throws(DocumentError) {
            var place = try cursor.begin(0, document)
            var database: String?
            var name: String?
            var found = Namespace()
            while let element = try cursor.next(&place) {
                switch (element.key.string, element.type) {
                case ("db", .string): database = element.value.string
                case ("collection", .string): name = element.value.string
                case ("EOF", .bool): found.isEnd = element.bool
                case ("type", .string):
                    found.isPlain = element.value.string == "collection"
                    found.isView = element.value.string == "view"
                case ("metadata", .string): found.metadata = try? JSONValue(parsing: element.value)
                case ("CRC", .int64): found.checksum = UInt64(bitPattern: element.int64)
                default: break
                }
            }
            if let database, let name { found.collection = Collection(database: database, name: name) }
            return found
        } catch {
            throw .document(place(error))
        }
    }

    private func failure(_ detail: String) -> ImportError { .document(place(DocumentError(.malformed, detail))) }

    /// The error with the place of the next document. Between documents there is no document number.
    private func place(_ error: DocumentError) -> DocumentError {
        error.at(file: name, document: isInCollection ? number + 1 : nil, offset: offset + (error.offset ?? 0))
    }
}
