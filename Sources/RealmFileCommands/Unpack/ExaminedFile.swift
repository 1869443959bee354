internal import RealmForensics
internal import RealmLayout
internal import RealmStorage

/// A file without its packings, and what each recovery option would keep of it.
struct ExaminedFile {
    let file: UnpackedFile
    let checkup: FileCheckup

    /// Examines a file. Text processing is undone if more can be read without it.
    ///
    /// - Throws: `FormatError` `encrypted` and `notEncrypted`; `StorageError` when there is no room; `fileChanged`.
    init(_ file: UnpackedFile, _ key: GivenKey?, jobs: Int) throws {
        let checkup = try Self.checkup(file.bytes, key, jobs)
        if !checkup.isSound, let other = try file.beforeTextProcessing() {
            let otherCheckup = try Self.checkup(other.bytes, key, jobs)
            if otherCheckup.isBetter(than: checkup) {
                (self.file, self.checkup) = (other, otherCheckup)
                return
            }
        }
        (self.file, self.checkup) = (file, checkup)
    }

    private static func checkup(_ bytes: ByteSource, _ key: GivenKey?, _ jobs: Int) throws -> FileCheckup {
        try key.using { key in
            let checkup = try FileCheckup(bytes, key: key, jobs: jobs)
            // A key from the environment applies to encrypted files only.
            if let problem = checkup.problem,
                problem.code == .notEncrypted || key == nil && problem.code == .encrypted
            {
                throw problem
            }
            return checkup
        }
    }
}
