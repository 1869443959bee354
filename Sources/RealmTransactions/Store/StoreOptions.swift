public import RealmStorage
public import RealmWriter

extension RealmStore {
    /// When a commit is on the disk.
    public enum Durability: Sendable {
        /// When `write` returns: the commit waits for the disk twice (`F_FULLFSYNC` on Apple's systems, `fdatasync` on Linux).
        case full
        /// Later, but in order: after a loss of power the file holds one of the last commits, whole. A commit sets one barrier
        /// (`F_BARRIERFSYNC` on Apple's systems, which waits for nothing; Linux has nothing weaker than `fdatasync`, so that a commit
        /// waits once there).
        case ordered
        /// When the system likes. After a loss of power the file may be damaged; after a crash of the program it is not.
        case none
    }

    /// What becomes of a file of an older format, which cannot be changed in place.
    public enum Upgrade: Sendable {
        /// Opening it fails.
        case refuse
        /// Its content is written into a new file of format 24, which takes its name. The old file stays beside it as
        /// `NAME.realm.format-9.backup` (with its own format's number; `-2`, `-3` and so on behind it where there is one already).
        case withBackup
    }

    /// How a store is opened.
    ///
    /// ```swift
    /// var options = RealmStore.Options(schema: schema)
    /// options.durability = .ordered
    /// options.waitLimit = .seconds(5)
    /// let store = try RealmStore(path: "app.realm", options: options)
    /// print(store.snapshot().commitNumber)
    /// ```
    public struct Options: Sendable {
        /// The classes of a file that is made because there is none, or nothing in it; nil where that is an error.
        public var schema: SchemaDefinition?
        /// The key of an encrypted file, nil for a plain one. Pages are decrypted when they are needed; a commit fills whole pages.
        public var key: EncryptionKey?
        /// When commits are on the disk.
        public var durability: Durability
        /// How long to wait for another process that has the file open.
        public var waitLimit: Duration
        /// Whether to compact the file first, given its bytes and those of them that are in use; nil for never.
        public var compactWhen: (@Sendable (_ total: Int, _ used: Int) -> Bool)?
        /// What becomes of a file of an older format.
        public var upgrade: Upgrade
        /// A file that is copied where there is none.
        package var seedPath: String?

        /// Makes options; those that are not named are the usual ones.
        public init(
            schema: SchemaDefinition? = nil, key: EncryptionKey? = nil, durability: Durability = .full,
            waitLimit: Duration = .zero, upgrade: Upgrade = .refuse,
            compactWhen: (@Sendable (_ total: Int, _ used: Int) -> Bool)? = nil
        ) {
            (self.schema, self.key, self.durability, self.waitLimit) = (schema, key, durability, waitLimit)
            (self.upgrade, self.compactWhen) = (upgrade, compactWhen)
        }
    }
}

extension RealmStore.Durability {
    /// What a commit waits for when it changes the header.
    var wait: SelectionWait {
        switch self {
        case .full: .forDisk
        case .ordered: .forOrder
        case .none: .never
        }
    }
}
