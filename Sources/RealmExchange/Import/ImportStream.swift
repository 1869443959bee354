internal import RealmLayout
internal import RealmStorage

/// Documents that are in memory, or come piece by piece, under the name that their file would have.
///
/// ```swift
/// let dogs = ImportStream("Dog.bson", try Exporter(snapshot).chunks(ofClass: "Dog"))
/// let people = ImportStream("Person.json", Array(#"{"_id": 1, "name": "Ann"}"#.utf8))
/// let report = try await Importer([dogs, people]).run(to: "new.realm")
/// print(report.objects)
/// ```
public struct ImportStream: Sendable {
    /// The name: what is before `.bson`, `.json`, `.jsonl`, `.csv` or `.tsv` is that of the class. Archives of `mongodump`, and
    /// compressed documents, are known by what is in them.
    public let name: String
    /// Puts all bytes into where the import reads them, as it does so more than once.
    let spill: @Sendable (SpilledBytes) async throws -> Void

    /// Documents in memory.
    public init(_ name: String, _ bytes: [UInt8]) {
        self.name = name
        spill = { target in try ByteView.with(bytes) { view throws(StorageError) in try target.append(view) } }
    }

    /// Documents that come in pieces: documents, or bytes cut anywhere. They are read once, to a file without a name beside the new one.
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

    /// Documents that come byte by byte.
    public init<Bytes: AsyncSequence & Sendable>(_ name: String, bytes: Bytes) where Bytes.Element == UInt8 {
        self.name = name
        spill = { target in
            for try await byte in bytes { try target.append(byte) }
            try Task.checkCancellation()
        }
    }
}

/// What inputs that cannot be read again were put into, by path or name.
struct SpilledInputs {
    private var bytes: [String: SpilledBytes] = [:]
    /// The names that are no paths: nothing is beside them.
    private(set) var streams: Set<String> = []

    subscript(path: String) -> SpilledBytes? {
        get { bytes[path] }
        set { bytes[path] = newValue }
    }

    mutating func add(_ stream: String, _ new: SpilledBytes) {
        bytes[stream] = new
        streams.insert(stream)
    }

    /// Whether it is in no folder.
    func isPlaceless(_ path: String) -> Bool { path == "-" || streams.contains(path) }
}
