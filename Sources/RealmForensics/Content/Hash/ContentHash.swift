public import RealmCore
internal import RealmLayout
internal import RealmStorage

/// A hash of a snapshot's content. Hashes are equal if schema, objects and values are, regardless of the file's layout
/// (Spec 170).
///
/// ```swift
/// let original = try RealmDatabase(path: "app.realm").snapshot().contentHash()
/// let copy = try RealmDatabase(path: "copy.realm").snapshot().contentHash()
/// print(original.total == copy.total)
/// ```
public struct ContentHash: Equatable, Sendable {
    /// The hash of one table.
    public struct Table: Equatable, Sendable {
        /// The name of the class; the full name for other tables.
        public let name: String
        /// The full name of the table.
        public let tableName: String
        /// Digest of the schema, the objects and the tombstones.
        public let digest: ContentDigest
        /// Number of objects.
        public let objectCount: Int
    }

    /// How objects are identified.
    public let identity: ContentIdentity
    /// The schema version set by the app; nil if the file has none.
    public let schemaVersion: UInt64?
    /// The tables, ordered by the bytes of their full names.
    public let tables: [Table]
    /// Digest of the schema version and all tables.
    public let total: ContentDigest

    /// Total number of objects.
    public var objectCount: Int { tables.reduce(0) { $0 + $1.objectCount } }
}

extension Snapshot {
    /// Hashes the whole content.
    ///
    /// - Parameters:
    ///   - identity: How objects are identified.
    ///   - includesSystemTables: Whether tables that are not classes count.
    /// - Throws: `FormatError` with class, property and object when something cannot be read; `StorageError` when
    ///   libcrypto has no SHA-256; `CancellationError` in a cancelled task.
    public func contentHash(
        by identity: ContentIdentity = .objectKey, includesSystemTables: Bool = false
    ) throws -> ContentHash {
        try contentHash(by: identity, includesSystemTables: includesSystemTables, progress: nil)
    }

    /// Hashes the whole content and reports progress in objects.
    package func contentHash(
        by identity: ContentIdentity, includesSystemTables: Bool = false,
        progress: (@Sendable (_ hashed: Int, _ total: Int) -> Void)?
    ) throws -> ContentHash {
        if let error = damage.first { throw error }
        let plan = HashPlan(self, identity)
        let positions = plan.positions(includingSystemTables: includesSystemTables)
        let tally = ObjectTally(
            total: positions.reduce(0) { $0 + (plan.isNested($1) ? 0 : (try? table(at: $1).count) ?? 0) }, progress)
        let hasher = try ContentHasher(plan, tally)
        var tables: [ContentHash.Table] = []
        for position in positions { tables.append(try hasher.hash(position)) }
        return ContentHash(
            identity: identity, schemaVersion: schema.version, tables: tables,
            total: try hasher.total(of: tables, schemaVersion: schema.version))
    }
}

extension Table {
    /// Hashes the table: its schema, objects and tombstones.
    ///
    /// - Throws: The errors of `Snapshot.contentHash`.
    public func contentHash(by identity: ContentIdentity = .objectKey) throws -> ContentHash.Table {
        if let error = snapshot.damage.first(where: { $0.table == schema.tableName }) { throw error }
        let hasher = try ContentHasher(HashPlan(snapshot, identity))
        return try hasher.hash(position)
    }
}

/// Assembles messages and hashes them.
private struct ContentHasher {
    let plan: HashPlan
    private let sha: MessageDigest
    private let tally: ObjectTally?

    init(_ plan: HashPlan, _ tally: ObjectTally? = nil) throws(StorageError) {
        (self.plan, self.tally) = (plan, tally)
        sha = try MessageDigest(.sha256)
    }

    func hash(_ position: TablePosition) throws -> ContentHash.Table {
        let table = plan.tables[position]
        update(Array(ContentMessage.table(plan.identity).rawValue.utf8) + ContentSchema.bytes(of: table))
        let count =
            switch plan.identity {
            case .objectKey: try addObjects(of: position)
            // Nested objects count as part of their owners.
            case .primaryKey where plan.isNested(position): try plan.snapshot.table(at: position).count
            case .primaryKey: try addDigests(of: position)
            }
        return ContentHash.Table(
            name: table.schema.name, tableName: table.schema.tableName,
            digest: ContentDigest(bytes: try sha.finish()), objectCount: count)
    }

    /// Adds objects and tombstones in key order.
    private func addObjects(of position: TablePosition) throws -> Int {
        let core = plan.tables[position].core
        let count = try addObjects(ContentCursor(plan, position, tree: core.objects), tally)
        _ = try addObjects(ContentCursor(plan, position, tree: core.tombstones, isTombstones: true), nil)
        return count
    }

    private func addObjects(_ cursor: consuming ContentCursor, _ tally: ObjectTally?) throws -> Int {
        var count = 0
        while try cursor.next() {
            try Task.checkCancellation()
            count += cursor.records.count
            tally?.add(cursor.records.count)
            sha.update(cursor.view)
        }
        update([ContentMark.end])
        return count
    }

    /// Adds the digests of the objects in byte order.
    private func addDigests(of position: TablePosition) throws -> Int {
        let objects = try MessageDigest(.sha256)
        var cursor = ContentCursor(plan, position, tree: plan.tables[position].core.objects)
        var digests = GrowingBytes()
        while try cursor.next() {
            try Task.checkCancellation()
            tally?.add(cursor.records.count)
            for index in cursor.records.indices {
                objects.update(cursor.view(of: index))
                digests.append(try objects.finish())
            }
        }
        let count = digests.count / MessageDigest.Algorithm.sha256.size
        digests.sortPieces((0..<count).map { $0 * MessageDigest.Algorithm.sha256.size })
        update(UInt64(count).littleEndianBytes)
        sha.update(digests.view)
        return count
    }

    func total(of tables: [ContentHash.Table], schemaVersion: UInt64?) throws -> ContentDigest {
        var bytes = Array(ContentMessage.database(plan.identity).rawValue.utf8)
        if let schemaVersion {
            bytes += [ContentTag.int.rawValue] + schemaVersion.littleEndianBytes
        } else {
            bytes.append(ContentTag.null.rawValue)
        }
        bytes += UInt64(tables.count).littleEndianBytes
        for table in tables { bytes += table.digest.bytes }
        update(bytes)
        return ContentDigest(bytes: try sha.finish())
    }

    private func update(_ bytes: [UInt8]) { ByteView.with(bytes) { sha.update($0) } }
}
