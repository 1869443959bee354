internal import RealmLayout
public import RealmStorage

extension ByteSource {
    /// Makes a private copy of the file at `path`, as of one commit.
    ///
    /// The copy has no name and is deleted with the source. It takes as much space in the folder for temporary files
    /// (`TMPDIR`) as the file. A copy of an encrypted file is encrypted, too. When a commit ends during copying, the
    /// copy is repeated.
    ///
    /// - Parameter attempts: the number of copies to try before giving up.
    /// - Throws: `StorageError` when the file cannot be read or the copy cannot be written, `fileChanged` when a commit
    ///   ended during each attempt.
    public static func privateCopy(ofFileAt path: String, attempts: Int = 20) throws -> ByteSource {
        try privateCopy(of: OpenedFile(path: path), attempts: attempts)
    }

    /// Makes a private copy of an open file, as of one commit.
    ///
    /// - Throws: as `privateCopy(ofFileAt:attempts:)`.
    package static func privateCopy(of file: OpenedFile, attempts: Int = 20) throws -> ByteSource {
        guard try file.isMappable() else { return try ByteSource(file) }
        for _ in 0..<max(1, attempts) {
            let mark = try CommitMark(of: file)
            // The commit in the mark is already in the file, so data appended later does not matter.
            guard let copy = try file.unnamedCopy(size: try file.size()), try CommitMark(of: file) == mark else {
                continue
            }
            return try ByteSource(mapping: copy)
        }
        throw FormatError(
            .fileChanged, "another process changed the file during each of \(attempts) attempts to copy it")
    }
}
