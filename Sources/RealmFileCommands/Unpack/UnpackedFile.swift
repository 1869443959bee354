internal import RealmCore
internal import RealmExchange
internal import RealmLayout
internal import RealmStorage

/// A file without what it was packed in, which is never changed: its bytes are in an unnamed temporary file.
struct UnpackedFile {
    /// A packing that was undone.
    struct Layer {
        let packing: Packing
        /// The chosen file of an archive.
        var entry: ArchiveEntry?
        /// The number of bytes that came out.
        var size = 0
        /// The reason why they are not as they were packed; nil if they are.
        var problem: String?
    }

    /// The innermost file.
    fileprivate(set) var bytes: ByteSource
    /// The packings, the outermost first; empty for a file that is not packed.
    fileprivate(set) var layers: [Layer] = []

    /// Whether the bytes are those of the file itself.
    var isWhole: Bool { layers.isEmpty }

    /// A file that is not packed.
    init(_ bytes: ByteSource) { self.bytes = bytes }

    /// The file before text processing changed its bytes but not its header: nil if there is no sign of that.
    ///
    /// - Throws: `StorageError` when there is no room.
    func beforeTextProcessing() throws(StorageError) -> UnpackedFile? {
        let form: TextForm
        if TextForm.mayHaveLineEnds(bytes.view) {
            form = .lineEnds
        } else if TextForm(bytes.view) == .utf8 {
            form = .utf8
        } else {
            return nil
        }
        var other = self
        other.bytes = try form.undone(bytes.view)
        other.layers.append(Layer(packing: .text(form), size: other.bytes.count))
        return other
    }
}

/// Takes a file out of what it is packed in: an archive, a compressed file, text, bytes before it; also several of
/// them in one another.
struct Unpacker {
    /// The maximum number of packings in one another.
    private static let mostLayers = 4

    /// The file as named on the command line, for advice; nil for standard input.
    let arguments: FileArguments?
    /// The file to take out of an archive: a name or a number; nil for the only database.
    let entry: String?

    /// Undoes all packings.
    func unpack(_ file: ByteSource) throws(UnpackFailure) -> UnpackedFile {
        var unpacked = UnpackedFile(file)
        let limit = Self.mostBytes(from: file.count)
        while unpacked.layers.count < Self.mostLayers, let packing = Packing(unpacked.bytes) {
            var layer = UnpackedFile.Layer(packing: packing)
            let content: ByteSource?
            do {
                content = try self.content(unpacked.bytes, &layer, limit)
            } catch {
                throw UnpackFailure(cause: error, layers: unpacked.layers + [layer])
            }
            guard let content else { break }
            layer.size = content.count
            unpacked.bytes = content
            unpacked.layers.append(layer)
        }
        if entry != nil, !unpacked.layers.contains(where: \.packing.isArchive) {
            throw UnpackFailure(cause: .noArchive, layers: unpacked.layers)
        }
        return unpacked
    }

    /// The content of a packing; nil for bytes that only look like one.
    private func content(
        _ file: ByteSource, _ layer: inout UnpackedFile.Layer, _ limit: Int
    ) throws(UnpackFailure.Cause) -> ByteSource? {
        switch layer.packing {
        case .file(.zip):
            if let archive = ZipArchive(file) { return try content(.zip(archive), &layer, limit) }
            if let count = DatabaseImage.bytesInFront(of: file) {
                layer = UnpackedFile.Layer(packing: .prefix(count), problem: "the end of the archive is lost")
                return try rest(of: file, from: count)
            }
            throw .refused(
                .init(problem: "its list of files, which is at its end, is lost", advice: "copy the file again"))
        case .file(.tar): return try content(.tar(TarArchive(file)), &layer, limit)
        case .file(.gzip): return try gzipContent(file, &layer, limit)
        case .file(let kind): throw .refused(.init(advice: "unpack it first", command: command(kind)))
        case .text(let form) where form.isReversible:
            return try storing { () throws(StorageError) in
                try form.undone(file.view)
            }
        case .text(.lfsPointer): throw .refused(.init(advice: "fetch the file", command: gitCommand))
        case .text: throw .refused(.init(advice: "look for another copy"))
        case .prefix(let count): return try rest(of: file, from: count)
        }
    }

    private func rest(of file: ByteSource, from count: Int) throws(UnpackFailure.Cause) -> ByteSource? {
        guard let rest = file.view.slice(at: count, count: file.count - count) else { return nil }
        return try storing { () throws(StorageError) in try ByteSource(rest, paddedTo: rest.count) }
    }

    private func content(
        _ archive: Archive, _ layer: inout UnpackedFile.Layer, _ limit: Int
    ) throws(UnpackFailure.Cause) -> ByteSource? {
        let databases = archive.databases
        if let entry {
            guard let chosen = archive.database(entry) else { throw .noSuchEntry(entry, among: databases) }
            layer.entry = chosen
        } else {
            guard databases.count <= 1 else { throw .choice(databases) }
            layer.entry = databases.first
        }
        guard let chosen = layer.entry else {
            let files = archive.fileCount == 1 ? "its only file is not" : "none of its \(archive.fileCount) files is"
            let rest = archive.isIncomplete ? "; not all of it could be looked at" : ""
            throw .refused(.init(problem: "\(files) a Realm file\(rest)"))
        }
        let command = command(archive, chosen)
        if let obstacle = chosen.obstacle {
            throw .refused(
                .init(problem: "\(chosen.name.shownPath) \(obstacle)", advice: "take it out first", command: command))
        }
        let content = try storing { () throws(StorageError) in
            chosen.size > limit ? nil : try archive.content(of: chosen, limit: limit)
        }
        guard let content else { throw Self.tooLarge(limit, command) }
        layer.problem = content.problem
        return content.bytes
    }

    private func gzipContent(
        _ file: ByteSource, _ layer: inout UnpackedFile.Layer, _ limit: Int
    ) throws(UnpackFailure.Cause) -> ByteSource? {
        guard let content = try storing({ () throws(StorageError) in try GzipContent(of: file, limit: limit) }) else {
            throw Self.tooLarge(limit, command(.gzip))
        }
        if content.bytes.count == 0, let problem = content.problem {
            // The header of a Realm file may have been overwritten with such bytes.
            if DatabaseImage.headerProblem(file)?.code == .overwrittenHeader { return nil }
            throw .refused(.init(problem: problem, advice: "copy the file again"))
        }
        layer.problem = content.problem
        return content.bytes
    }

    private func storing<Result>(
        _ body: () throws(StorageError) -> Result
    ) throws(UnpackFailure.Cause) -> Result {
        do throws(StorageError) { return try body() } catch { throw .storage(error) }
    }
}

// Archives of a few bytes can be made that hold as many bytes as a disk has.
extension Unpacker {
    /// The size that any file may have, however much it was compressed.
    private static let alwaysTaken = 250_000_000
    /// The largest ratio of sizes beyond that, for all packings together. One of gzip or ZIP reaches 1032.
    private static let largestRatio = 100

    private static func mostBytes(from fileSize: Int) -> Int {
        let (most, overflow) = fileSize.multipliedReportingOverflow(by: largestRatio)
        return overflow ? .max : max(most, alwaysTaken)
    }

    private static func tooLarge(_ limit: Int, _ command: String?) -> UnpackFailure.Cause {
        .refused(
            .init(
                problem: "it grows to more than \(roundedSize(limit)), as archives do that are made to fill disks",
                advice: "if it is a database, unpack it first", command: command))
    }
}

// Commands for what this program does not unpack.
extension Unpacker {
    private func command(_ kind: ForeignFile) -> String? {
        guard let path = arguments?.path else { return nil }
        let file = FileArguments.quoted(FileArguments.argument(path))
        return switch kind {
        case .gzip: "gunzip --keep \(file)"
        case .xz: "unxz --keep \(file)"
        case .bzip2: "bunzip2 --keep \(file)"
        case .zstd: "unzstd \(file)"
        case .sevenZip: "7z x \(file)"
        default: nil
        }
    }

    /// The command that takes a file out of an archive, as far as it has one.
    private func command(_ archive: Archive, _ entry: ArchiveEntry) -> String? {
        guard let path = arguments?.path else { return nil }
        let file = FileArguments.quoted(FileArguments.argument(path))
        let name = FileArguments.quoted(entry.name)
        return switch archive {
        case .zip: "unzip -j \(file) \(name)"
        case .tar: "tar -xf \(file) \(name)"
        }
    }

    /// The command that fetches all Git LFS files of the repository that contains a file. A command for one file would
    /// need its path from the root of the repository.
    private var gitCommand: String? {
        guard let path = arguments?.path else { return nil }
        guard let slash = path.lastIndex(of: "/") else { return "git lfs pull" }
        let folder = slash == path.startIndex ? "/" : String(path[..<slash])
        return "git -C \(FileArguments.quoted(FileArguments.argument(folder))) lfs pull"
    }
}
