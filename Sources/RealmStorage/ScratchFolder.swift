/// The folder for unnamed files needed while a database is written: the folder of the database, whose disk must have
/// space anyway.
///
/// Databases that are written at the same time have one each.
package final class ScratchFolder: Sendable {
    /// Nil for the usual folder.
    private let path: String?

    /// The folder of a database to be written, with links followed; the usual folder for temporary files if there is
    /// none.
    package init(beside database: String?) {
        path = database.map { OutputFile.split(OutputFile.followed($0)).folder }
    }

    /// Creates a file that vanishes when it is closed.
    ///
    /// - Throws: `StorageError` if the file cannot be created in the folder.
    func makeFile() throws(StorageError) -> OpenedFile { try .unnamed(in: path) }

    /// Creates a file, elsewhere if that fails in the folder, which may have been removed.
    func makeFileSomewhere() throws(StorageError) -> OpenedFile {
        do throws(StorageError) { return try makeFile() } catch { return try .unnamed() }
    }
}
