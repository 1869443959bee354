public import RealmCore
public import RealmStorage

extension RealmStore {
    /// The guarantee that a commit is on the disk.
    public enum Durability: Sendable {
        /// Durable when `write` returns: a commit waits for the disk twice (`F_FULLFSYNC` on Apple's systems,
        /// `fdatasync` on Linux).
        case full
        /// Durable later, but in order: after a loss of power the file holds one of the last commits, complete. A
        /// commit sets one barrier (`F_BARRIERFSYNC` on Apple's systems, which does not wait; Linux has nothing weaker
        /// than `fdatasync`, so a commit waits once).
        case ordered
        /// No guarantee: a loss of power may damage the file, but a crash of the program does not.
        case none
    }

    /// The treatment of a file of an older format, which cannot be changed in place.
    public enum Upgrade: Sendable {
        /// Opening the file fails.
        case refuse
        /// The content is written into a new file of format 24, which replaces the old one. The old file is kept beside
        /// it as `NAME.realm.format-9.backup`, with the number of its format; if that name is taken, followed by `-2`,
        /// `-3` and so on.
        case withBackup
    }

    /// Options for opening a store.
    ///
    /// ```swift
    /// var options = RealmStore.Options(schema: schema)
    /// options.durability = .ordered
    /// options.waitLimit = .seconds(5)
    /// let store = try RealmStore(path: "app.realm", options: options)
    /// print(store.snapshot().commitNumber)
    /// ```
    public struct Options: Sendable {
        /// The classes for a file that is missing or empty; nil if that is an error.
        public var schema: SchemaDefinition?
        /// The key of an encrypted file; nil for an unencrypted one. Pages are decrypted on demand; a commit fills
        /// whole pages.
        public var key: EncryptionKey?
        /// The guarantee that commits are on the disk.
        public var durability: Durability
        /// How long to wait for another process that has the file open.
        public var waitLimit: Duration
        /// Decides whether to compact the file first, given its size and the number of bytes in use; nil for never.
        public var compactWhen: (@Sendable (_ total: Int, _ used: Int) -> Bool)?
        /// The treatment of a file of an older format.
        public var upgrade: Upgrade
        /// A file that is copied if there is none.
        package var seedPath: String?

        /// Creates options; what is not given has its default.
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
    /// How a commit waits when it changes the header.
    var wait: SelectionWait {
        switch self {
        case .full: .forDisk
        case .ordered: .forOrder
        case .none: .never
        }
    }
}
