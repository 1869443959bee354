/// Where files without a name lie that a new database needs while it is written: in its own folder, whose disk has to have
/// room anyway.
///
/// Databases that are written at the same time have one each.
package final class ScratchFolder: Sendable {
    /// Nil for the usual one.
    private let path: String?

    /// The folder of a database that is to be written, links followed; the usual one for temporary files when there is none.
    package init(beside database: String?) {
        path = database.map { OutputFile.split(OutputFile.followed($0)).folder }
    }

    /// Makes a file that vanishes when it is closed.
    ///
    /// - Throws: `StorageError` when the folder takes no file.
    func makeFile() throws(StorageError) -> OpenedFile { try .unnamed(in: path) }

    /// Makes a file, elsewhere when the folder takes none: it may be gone since.
    func makeFileSomewhere() throws(StorageError) -> OpenedFile {
        do throws(StorageError) { return try makeFile() } catch { return try .unnamed() }
    }
}
