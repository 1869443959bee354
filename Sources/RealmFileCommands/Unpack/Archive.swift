internal import RealmLayout
internal import RealmStorage

/// A file in an archive.
struct ArchiveEntry {
    /// The maximum length of a name; of longer ones the beginning is taken.
    static let mostNameBytes = 4096

    /// Its name in the archive; bytes that are not UTF-8 as in `NativePath`.
    let name: String
    /// The number of its bytes, as the archive says.
    let size: Int
    /// The number of bytes that it takes in the archive.
    let packedSize: Int
    /// The reason why it cannot be taken out, after its name; nil if it can.
    var obstacle: String?
    /// Its place among all files of the archive.
    var place = 0

    /// Whether its name is that of a database, and not of one of the copies of attributes that macOS adds.
    var isNamedRealm: Bool { name.lowercased().hasSuffix(".realm") && !name.hasPrefix("__MACOSX/") }
}

/// The databases in an archive.
enum Archive {
    case zip(ZipArchive)
    case tar(TarArchive)

    /// The files that look like databases, by name or by content.
    var databases: [ArchiveEntry] {
        switch self {
        case .zip(let archive): archive.databases
        case .tar(let archive): archive.databases
        }
    }

    /// The number of files that were looked at.
    var fileCount: Int {
        switch self {
        case .zip(let archive): archive.fileCount
        case .tar(let archive): archive.fileCount
        }
    }

    /// Whether there are files that were not looked at: too many of them, or the archive is damaged.
    var isIncomplete: Bool {
        switch self {
        case .zip(let archive): archive.isIncomplete
        case .tar(let archive): archive.isIncomplete
        }
    }

    /// Takes a file out of the archive.
    ///
    /// - Parameter limit: the maximum number of bytes.
    /// - Returns: the bytes, as far as they can be read, and the reason why they are not as they were packed; nil when
    ///   there are more bytes.
    /// - Throws: `StorageError` when there is no room.
    func content(of entry: ArchiveEntry, limit: Int) throws(StorageError) -> (bytes: ByteSource, problem: String?)? {
        switch self {
        case .zip(let archive): try archive.content(of: entry, limit: limit)
        case .tar(let archive): try archive.content(of: entry)
        }
    }

    /// The database with a name, or with a number in the list, from 1 on; nil if there is none.
    func database(_ choice: String) -> ArchiveEntry? {
        if let named = databases.first(where: { $0.name == choice }) { return named }
        guard let number = Int(unsigned: choice), databases.indices.contains(number - 1) else { return nil }
        return databases[number - 1]
    }
}
