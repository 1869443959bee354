internal import ArgumentParser
internal import RealmLayout
internal import RealmReader
internal import RealmStorage

/// The file that a command reads.
struct InputOptions: ParsableArguments {
    @Argument(help: ArgumentHelp("The Realm file; - for standard input.", valueName: "file"))
    var file: String

    /// The file's name for messages.
    var name: String { file == "-" ? "standard input" : file.singleLine }

    /// The name without folders and ending: what a database is called.
    var baseName: String {
        guard file != "-" else { return "realm" }
        let last = file.split(separator: "/").last.map(String.init) ?? file
        let base = last.hasSuffix(".realm") ? String(last.dropLast(6)) : last
        return base.isEmpty ? "realm" : base
    }

    /// Maps the file into memory, or reads standard input.
    func bytes() throws(CommandFailure) -> ByteSource {
        do {
            return file == "-" ? try ByteSource.standardInput() : try ByteSource(path: file)
        } catch {
            throw CommandFailure(error, file: name)
        }
    }

    /// Opens the file.
    func database() throws(CommandFailure) -> RealmDatabase {
        let bytes = try bytes()
        do {
            return try RealmDatabase(source: bytes)
        } catch {
            throw CommandFailure(error, file: name)
        }
    }

    /// Opens a commit of the file.
    func snapshot(_ slot: SlotOption) throws(CommandFailure) -> Snapshot {
        try snapshot(slot, of: database())
    }

    /// Opens a commit of the opened file.
    func snapshot(_ slot: SlotOption, of database: RealmDatabase) throws(CommandFailure) -> Snapshot {
        do {
            return try database.snapshot(slot.selection)
        } catch {
            let hasOther = slot == .current ? (try? database.snapshot(.other)) != nil : false
            throw CommandFailure(error, file: name, hasOtherCommit: hasOther)
        }
    }
}

/// Which commit to read, as an option.
enum SlotOption: String, ExpressibleByArgument, CaseIterable {
    case current
    case other

    var selection: SnapshotSelection { self == .current ? .current : .other }
}

/// `--slot`, for commands that read a snapshot.
struct SlotOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Which commit to read: the current one, or what the header's other slot leads to, mostly the commit before.",
            valueName: "current|other"))
    var slot: SlotOption = .current
}
