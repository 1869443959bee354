internal import RealmCore
internal import RealmLayout
internal import RealmStorage

/// The open database of a store: its device, its header, and the last commit.
struct OpenDatabase: Sendable {
    let device: any DatabaseDevice
    /// Nil if the database is not in a file.
    var file: DatabaseFile?
    var header: FileHeader
    var current: Snapshot
    /// The oldest commit that a loss of power may lead back to: its nodes must not be overwritten.
    var oldestNeeded: UInt64
    /// Whether `current` is known to be on the disk, or need not be. When a database is opened, its last commit may
    /// come from a process that was killed before it had waited for the disk.
    var isOnDisk: Bool
}

extension OpenDatabase {
    /// Opens the database on a device. A database without a commit gets its first one.
    ///
    /// - Throws: `FormatError` if it cannot be changed in place, `StorageError`.
    init(_ device: any DatabaseDevice, _ durability: RealmStore.Durability) throws {
        try EmptyDatabase.begin(on: device, isDurable: durability != .none)
        let database = try RealmDatabase(on: device)
        let snapshot = try database.snapshot()
        try Self.check(snapshot)
        let header =
            database.isStreaming ? try Self.madeUpdatable(snapshot, device, durability) : database.header
        self.init(
            device: device, header: header, current: snapshot, oldestNeeded: snapshot.commitNumber,
            isOnDisk: durability == .none)
    }

    /// Opens a file.
    ///
    /// - Parameter former: the previous device of the content.
    /// - Throws: as `init(_:_:)`.
    init(
        _ file: DatabaseFile, _ durability: RealmStore.Durability = .full, replacing former: DeviceIdentity? = nil
    ) throws {
        try self.init(file.device(replacing: former), durability)
        self.file = file
    }

    /// Checks whether the database can be changed in place.
    ///
    /// - Throws: the reason why it cannot.
    private static func check(_ snapshot: Snapshot) throws(FormatError) {
        guard snapshot.topRef != nil else {
            throw FormatError(.noCommit, "the database is empty: there are no classes whose objects could change")
        }
        guard snapshot.version.number == RealmStore.format else {
            throw FormatError(
                .unknownFormat, at: FileHeader.Offset.format0.rawValue + snapshot.slot,
                "a database of format \(snapshot.version) is not changed in place; only those of format 24 are: "
                    + "open it with the option to upgrade it, or upgrade a copy")
        }
        try checkHistory(of: snapshot)
    }

    /// Checks that no synchronisation follows the database, which would have to be notified of changes.
    static func checkHistory(of snapshot: Snapshot) throws(FormatError) {
        switch snapshot.history.type {
        case .some(.none), .some(.inRealm), .some(.outOfRealm): break
        case nil, .some(.syncClient), .some(.syncServer):
            throw FormatError(
                .synchronised,
                "the database is synchronised: a change that its history does not tell of would never reach the others; "
                    + "a copy that is written of it is a local one")
        }
    }

    /// Moves the root of a file in streaming form to slot 1, because the footer that refers to it is about to be
    /// overwritten.
    private static func madeUpdatable(
        _ snapshot: Snapshot, _ device: any DatabaseDevice, _ durability: RealmStore.Durability
    ) throws -> FileHeader {
        guard let root = snapshot.topRef else { throw FormatError.emptyDatabase }
        let change = HeaderChange(root, format: snapshot.version.number, slot: 1)
        // This is done only once, so waiting is acceptable.
        try device.select(change, waiting: durability == .none ? .never : .forDisk)
        return try header(of: device)
    }

    /// Reads the current header.
    static func header(of device: any DatabaseDevice) throws(StorageError) -> FileHeader {
        let image = try DatabaseImage(device, size: FileHeader.size)
        guard let header = FileHeader(image.view) else { throw .withoutHeader(device.path) }
        return header
    }

    /// Returns the open database after a commit that has been written and is about to be selected.
    ///
    /// - Throws: `WriteError` if the commit cannot be read.
    func following(_ commit: Commit.Result, _ durability: RealmStore.Durability) throws(WriteError) -> OpenDatabase {
        do {
            let image = try DatabaseImage(device, size: commit.logicalSize)
            let snapshot = try Snapshot(
                following: current, in: image, slot: 1 - header.selectedSlot, topRef: commit.root)
            // Without waiting for the selection, a loss of power may lead back to the previous commit.
            let oldest = durability == .ordered ? current.commitNumber : snapshot.commitNumber
            return OpenDatabase(
                device: device, file: file, header: header, current: snapshot, oldestNeeded: oldest, isOnDisk: true)
        } catch let error as StorageError {
            throw .storage(error)
        } catch {
            throw .internalInconsistency("the commit cannot be read: \(error)")
        }
    }
}
