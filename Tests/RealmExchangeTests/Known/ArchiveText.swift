import TestSupport

/// A reader for `mongodump` archives, following the description in mongo-tools (`common/archive`).
struct ArchiveText {
    struct Collection {
        var database: String
        var name: String
        var metadata: String
        var bytes: [UInt8] = []
        var isComplete = false
    }

    private(set) var header: [String: BSONValue] = [:]
    private(set) var collections: [Collection] = []
    private let bytes: [UInt8]
    private var offset = 0

    init(_ bytes: [UInt8]) throws {
        self.bytes = bytes
        guard bytes.starts(with: [0x6D, 0xE2, 0x99, 0x81]) else { throw TestSupportError("not an archive") }
        offset = 4
        header = try document().members
        while try !isTerminator() {
            let members = try document().members
            guard members["type"] == .string(Array("collection".utf8)), members["size"] == .int32(0) else {
                throw TestSupportError("a collection that says too little")
            }
            collections.append(
                Collection(
                    database: members.text("db"), name: members.text("collection"), metadata: members.text("metadata")))
        }
        while offset < bytes.count {
            let members = try document().members
            guard
                let index = collections.firstIndex(where: {
                    $0.database == members.text("db") && $0.name == members.text("collection")
                }), !collections[index].isComplete, case .int64(let checksum) = members["CRC"]
            else { throw TestSupportError("documents of an unknown collection") }
            if members["EOF"] == .bool(true) {
                guard try isTerminator(), UInt64(bitPattern: checksum) == crc64(collections[index].bytes) else {
                    throw TestSupportError("a wrong checksum")
                }
                collections[index].isComplete = true
                continue
            }
            guard members["EOF"] == .bool(false), checksum == 0 else { throw TestSupportError("a broken segment") }
            while try !isTerminator() {
                let start = offset
                try skipDocument()
                collections[index].bytes += bytes[start..<offset]
            }
        }
        guard collections.allSatisfy(\.isComplete) else { throw TestSupportError("a collection without an end") }
    }

    private mutating func isTerminator() throws -> Bool {
        guard bytes.count - offset >= 4 else { throw TestSupportError("the archive ends early") }
        guard bytes[offset..<(offset + 4)].allSatisfy({ $0 == 0xFF }) else { return false }
        offset += 4
        return true
    }

    private mutating func skipDocument() throws {
        guard bytes.count - offset >= 5 else { throw TestSupportError("the archive ends early") }
        let length = (0..<4).reduce(0) { $0 | Int(bytes[offset + $1]) << (8 * $1) }
        guard length >= 5, length <= bytes.count - offset else {
            throw TestSupportError("a document of \(length) bytes")
        }
        offset += length
    }

    private mutating func document() throws -> BSONValue {
        let start = offset
        try skipDocument()
        return try BSONValue.documents(in: Array(bytes[start..<offset]))[0]
    }
}

extension BSONValue {
    /// The fields of a document by name.
    var members: [String: BSONValue] {
        guard case .document(let fields) = self else { return [:] }
        return Dictionary(
            fields.map { (String(decoding: $0.name, as: UTF8.self), $0.value) }, uniquingKeysWith: { first, _ in first }
        )
    }
}

extension [String: BSONValue] {
    /// Returns the text of a member; empty when there is none.
    func text(_ name: String) -> String {
        if case .string(let bytes)? = self[name] { String(decoding: bytes, as: UTF8.self) } else { "" }
    }
}
