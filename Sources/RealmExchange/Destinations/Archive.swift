internal import RealmLayout
internal import RealmStorage

/// The archive format of `mongorestore --archive`: all collections in one stream.
///
/// It begins with a magic number, a header document, one metadata document per collection, and a terminator. Each
/// collection follows as a segment of documents between a header and a terminator, and an end document with the
/// checksum.
final class Archive {
    /// The description of a collection that precedes its documents.
    struct Collection {
        let database: String
        let name: String
        let metadata: String
    }

    private static let magic: UInt32 = 0x8199_E26D
    private static let terminator: UInt32 = 0xFFFF_FFFF

    private let target: any ByteDestination

    /// Writes the prelude.
    init(to target: any ByteDestination, _ collections: [Collection], toolVersion: String) throws(StorageError) {
        self.target = target
        var sink = BSONSink(isCanonical: false)
        sink.buffer.reserve(4)
        sink.buffer.store(Self.magic)
        let header = sink.beginRecord()
        Self.add("concurrent_collections", 1, to: &sink)
        Self.add("version", "0.1", to: &sink)
        Self.add("server_version", "", to: &sink)
        Self.add("tool_version", toolVersion, to: &sink)
        sink.endRecord(header)
        for collection in collections {
            let mark = sink.beginRecord()
            Self.add("db", collection.database, to: &sink)
            Self.add("collection", collection.name, to: &sink)
            Self.add("metadata", collection.metadata, to: &sink)
            Self.add("size", 0, to: &sink)
            Self.add("type", "collection", to: &sink)
            sink.endRecord(mark)
        }
        try finish(&sink)
    }

    /// Begins a collection, and returns the destination for its documents.
    func begin(_ collection: Collection) throws(StorageError) -> any ByteDestination {
        try writeHeader(collection, isEnd: false, checksum: 0)
        return Segment(self, collection)
    }

    /// Completes the archive.
    func finish() throws(StorageError) { try target.finish() }

    private func writeHeader(_ collection: Collection, isEnd: Bool, checksum: UInt64) throws(StorageError) {
        var sink = BSONSink(isCanonical: false)
        let mark = sink.beginRecord()
        Self.add("db", collection.database, to: &sink)
        Self.add("collection", collection.name, to: &sink)
        KeyTable.with(BSONSink.preparedKey("EOF")) { sink.bool($0, isEnd) }
        KeyTable.with(BSONSink.preparedKey("CRC")) { sink.int($0, Int64(bitPattern: checksum)) }
        sink.endRecord(mark)
        // The end of a collection has no documents after it, only a terminator.
        if isEnd { try finish(&sink) } else { try target.write(sink.buffer.view()) }
    }

    /// Writes the contents of the sink and a terminator.
    private func finish(_ sink: inout BSONSink) throws(StorageError) {
        sink.buffer.reserve(4)
        sink.buffer.store(Self.terminator)
        try target.write(sink.buffer.view())
    }

    private static func add(_ name: String, _ text: String, to sink: inout BSONSink) {
        KeyTable.with(BSONSink.preparedKey(name)) { key in
            ByteView.with(Array(text.utf8)) { _ = sink.string(key, $0) }
        }
    }

    private static func add(_ name: String, _ number: Int32, to sink: inout BSONSink) {
        KeyTable.with(BSONSink.preparedKey(name)) { sink.int32($0, number) }
    }

    /// The documents of one collection.
    private final class Segment: ByteDestination {
        private let archive: Archive
        private let collection: Collection
        private var checksum = CRC64()

        init(_ archive: Archive, _ collection: Collection) {
            self.archive = archive
            self.collection = collection
        }

        func write(_ bytes: ByteView) throws(StorageError) {
            checksum.update(bytes)
            try archive.target.write(bytes)
        }

        func finish() throws(StorageError) {
            var end = BSONSink(isCanonical: false)
            try archive.finish(&end)
            try archive.writeHeader(collection, isEnd: true, checksum: checksum.value)
        }
    }
}
