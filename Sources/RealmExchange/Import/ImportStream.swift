internal import RealmLayout
internal import RealmStorage

/// Documents in memory or from an asynchronous sequence, under the name that their file would have.
///
/// ```swift
/// let dogs = ImportStream("Dog.bson", try Exporter(snapshot).chunks(ofClass: "Dog"))
/// let people = ImportStream("Person.json", Array(#"{"_id": 1, "name": "Ann"}"#.utf8))
/// let report = try await Importer([dogs, people]).run(to: "new.realm")
/// print(report.objects)
/// ```
public struct ImportStream: Sendable {
    /// The name. The part before `.bson`, `.json`, `.jsonl`, `.csv` or `.tsv` is the class name. `mongodump` archives
    /// and compressed documents are recognised by their contents.
    public let name: String
    /// Copies all bytes to a place that the import can read more than once.
    let spill: @Sendable (SpilledBytes) async throws -> Void

    /// Creates a stream of documents in memory.
    public init(_ name: String, _ bytes: [UInt8]) {
        self.name = name
        spill = { target in try ByteView.with(bytes) { view throws(StorageError) in try target.append(view) } }
    }

    /// Creates a stream of pieces, which may be whole documents or arbitrary sections of bytes. It is read once, into a
    /// nameless file next to the new one.
    public init<Pieces: AsyncSequence & Sendable>(_ name: String, _ pieces: Pieces)
    where Pieces.Element: Sequence, Pieces.Element.Element == UInt8 {
        self.name = name
        spill = { target in
            for try await piece in pieces {
                try Task.checkCancellation()
                try ByteView.with(Array(piece)) { view throws(StorageError) in try target.append(view) }
            }
        }
    }

    /// Creates a stream of single bytes.
    public init<Bytes: AsyncSequence & Sendable>(_ name: String, bytes: Bytes) where Bytes.Element == UInt8 {
        self.name = name
        spill = { target in
            for try await byte in bytes { try target.append(byte) }
            try Task.checkCancellation()
        }
    }
}

/// The copied contents of inputs that can be read only once, by path or name.
struct SpilledInputs {
    private var bytes: [String: SpilledBytes] = [:]
    /// The names that are not paths, and so have nothing next to them.
    private(set) var streams: Set<String> = []

    subscript(path: String) -> SpilledBytes? {
        get { bytes[path] }
        set { bytes[path] = newValue }
    }

    mutating func add(_ stream: String, _ new: SpilledBytes) {
        bytes[stream] = new
        streams.insert(stream)
    }

    /// Whether the input is not in a folder.
    func isPlaceless(_ path: String) -> Bool { path == "-" || streams.contains(path) }
}
