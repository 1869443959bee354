internal import RealmLayout
public import RealmStorage

extension ByteSource {
    /// Copies the file at `path` to where nobody else can change it, as of one commit.
    ///
    /// The copy has no name and vanishes with the source; it takes as much room in the folder for temporary files
    /// (`TMPDIR`) as the file has. Of an encrypted file it is encrypted, too. When a commit ends while the file is being
    /// copied, the copy is made again.
    ///
    /// - Parameter attempts: how many copies to try before giving up.
    /// - Throws: `StorageError` when the file cannot be read or the copy cannot be written, `fileChanged` when a commit
    ///   ended during each attempt.
    public static func privateCopy(ofFileAt path: String, attempts: Int = 20) throws -> ByteSource {
        let file = try OpenedFile(path: path)
        guard try file.isMappable() else { return try ByteSource(file) }
        for _ in 0..<max(1, attempts) {
            let mark = try CommitMark(of: file)
            // The commit that the mark names is in the file already: what others append later does not matter.
            guard let copy = try file.unnamedCopy(size: try file.size()), try CommitMark(of: file) == mark else {
                continue
            }
            return try ByteSource(mapping: copy)
        }
        throw FormatError(
            .fileChanged, "another process changed the file during each of \(attempts) attempts to copy it")
    }
}
