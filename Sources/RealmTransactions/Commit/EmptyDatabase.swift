internal import RealmLayout
internal import RealmReader
package import RealmStorage
package import RealmWriter

/// Databases that begin: files without a commit get one without tables, which all others follow (Spec 10, 220).
package enum EmptyDatabase {
    /// Bytes that a new file has at least.
    private static let leastSize = 4096

    /// Gives a database without a commit its first one. Does nothing where there is one, or where something else lies there.
    ///
    /// - Throws: `StorageError`, `WriteError`; the database is without a commit then, or has its first.
    package static func begin(on device: any DatabaseDevice, isDurable: Bool) throws {
        guard device.pages == nil, try isEmpty(device) else { return }
        if try device.size() < leastSize { try device.grow(to: leastSize) }
        let nodes = NodeOutput(in: FixedPlaces(device, at: FileHeader.size))
        let names = try nodes.names([[UInt8]]())
        let tables = try nodes.refs([Int64]())
        let format = FormatVersion(24)
        let root = try GroupTop(format: format).write(names: names, tables: tables, to: nodes)
        try nodes.end()
        if isDurable { try device.synchronize() }
        // At once, as a disk writes it: no slot may lead anywhere while the selected one does not.
        let header = FileHeader.bytes(selecting: (root, format))
        try ByteView.with(header) { header throws(StorageError) in try device.write(header, at: 0) }
        if isDurable { try device.synchronize() }
    }

    private static func isEmpty(_ device: any DatabaseDevice) throws(StorageError) -> Bool {
        let size = try device.size()
        guard size > 0 else { return true }
        guard size >= FileHeader.size else { return false }
        let source = try device.map(FileHeader.size)
        guard let header = FileHeader(source.view) else { return false }
        return header.hasMnemonic && header.slots.allSatisfy { $0.topRef == 0 }
    }

    /// The bytes of a database of format 24 that has the classes of a schema, and its version, but no objects.
    ///
    /// - Throws: `WriteError`: `badSchema`; `StorageError` when the system has no memory.
    package static func bytes(of schema: SchemaDefinition) throws -> [UInt8] {
        let device = try MemoryDevice([])
        let store = try RealmStore(on: device)
        try store.write { transaction in
            try transaction.apply(schema)
            if let version = schema.version { try transaction.setSchemaVersion(version) }
        }
        return try withExtendedLifetime(store) { try device.map(device.size()).bytes }
    }
}
