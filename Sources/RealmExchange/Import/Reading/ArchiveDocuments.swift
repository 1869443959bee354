internal import RealmLayout
internal import RealmReader

/// The documents of all collections of an archive of `mongodump --archive`: the inverse of `Archive`.
final class ArchiveDocuments: DocumentSource {
    /// A collection, as the archive names it.
    struct Collection: Hashable {
        let database: String
        let name: String
    }

    static let magic: UInt32 = 0x8199_E26D
    private static let terminator: UInt32 = 0xFFFF_FFFF

    private let input: InputBuffer
    private let cursor = BSONCursor()
    private var current = 0
    private(set) var number = -1
    let isBinary = true
    /// The collections that the archive begins with.
    private(set) var collections: [Collection] = []
    /// The position of the table that the documents of each collection go to; others are left out.
    var positions: [Collection: Int] = [:]
    private(set) var position = 0
    private var isInCollection = false
    private var isWanted = false

    /// Reads the prelude.
    init(_ input: InputBuffer) throws(ImportError) {
        self.input = input
        guard try input.available(4) >= 4, input.view(4).uint32(unchecked: 0) == Self.magic else {
            throw .document(located(DocumentError(.malformed, "no archive of mongodump")))
        }
        input.advance(4)
        // Its own version and those of the programs that wrote it.
        guard try document() != nil else { throw failure("the archive has no header") }
        while let metadata = try document() {
            if let collection = try collection(metadata).collection, !collections.contains(collection) {
                collections.append(collection)
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
                    continue
                }
                number += 1
                if isWanted { return document }
                continue
            }
            input.advance(current)
            current = 0
            guard try input.available(1) > 0 else { return nil }
            guard let header = try document() else { throw failure("a terminator where a collection should begin") }
            let (collection, isEnd) = try collection(header)
            isInCollection = true
            let found = collection.flatMap { positions[$0] }
            isWanted = found != nil && !isEnd
            position = found ?? 0
        }
    }

    /// The next document; nil for a terminator.
    private func document() throws(ImportError) -> ByteView? {
        input.advance(current)
        current = 0
        let count = try input.available(4)
        guard count >= 4 else { throw .document(located(DocumentError(.truncated, "the archive ends too early"))) }
        let word = input.view(4).uint32(unchecked: 0)
        guard word != Self.terminator else {
            input.advance(4)
            return nil
        }
        let length = Int(Int32(bitPattern: word))
        guard length >= 5 else { throw failure("a document cannot have \(length) bytes") }
        let got = try input.available(length)
        guard got >= length else {
            throw .document(located(DocumentError(.truncated, "a document of \(length) bytes ends after \(got)")))
        }
        current = length
        return input.view(length)
    }

    /// The collection that a document of metadata or a header names, and whether it ends there.
    private func collection(_ document: ByteView) throws(ImportError) -> (collection: Collection?, isEnd: Bool) {
        do throws(DocumentError) {
            var place = try cursor.begin(0, document)
            var database: String?
            var name: String?
            var isEnd = false
            while let element = try cursor.next(&place) {
                switch (element.key.string, element.type) {
                case ("db", .string): database = element.value.string
                case ("collection", .string): name = element.value.string
                case ("EOF", .bool): isEnd = element.bool
                default: break
                }
            }
            guard let database, let name else { return (nil, isEnd) }
            return (Collection(database: database, name: name), isEnd)
        } catch {
            throw .document(located(error))
        }
    }

    private func failure(_ detail: String) -> ImportError { .document(located(DocumentError(.malformed, detail))) }
}
