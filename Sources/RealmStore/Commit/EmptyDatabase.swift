package import RealmCore
internal import RealmLayout
package import RealmStorage

/// New databases: a file without a commit gets a first one without tables (Spec 10, 220).
package enum EmptyDatabase {
    /// The minimum size of a new file in bytes.
    private static let leastSize = 4096

    /// Writes the first commit of a database without one. Does nothing if there is a commit, or if the file contains
    /// something else.
    ///
    /// - Throws: `StorageError`, `WriteError`; the database is then without a commit, or has its first.
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
        // In a single write: the slots must never be invalid while one of them is selected.
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

    /// The bytes of a database of format 24 with the classes and the version of a schema, but without objects.
    ///
    /// - Throws: `WriteError`: `badSchema`; `StorageError` if there is no memory.
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
