internal import ArgumentParser
internal import RealmCore
internal import RealmForensics
internal import RealmLayout
internal import RealmStorage

/// Options that choose the commit, for commands that read a snapshot.
struct CommitOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Which commit to read: the current one, or what the header's other slot leads to, mostly the commit before.",
            valueName: "current|other"))
    var slot: SlotOption = .current

    @OptionGroup var found: FoundCommitOptions

    /// The commit as named on a command line.
    var arguments: CommitArguments { CommitArguments(found.place, slot) }

    func validate() throws {
        if slot != .current, found.place != nil {
            throw ValidationError("Choose one of --slot other, --commit, --root")
        }
    }
}

/// `--commit` and `--root`: a commit found in the file, whatever the header refers to.
struct FoundCommitOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Take the commit of this number, wherever in the file its root is; `repair --find-root --dry-run` lists them.",
            valueName: "number"))
    var commit: UInt64?

    @Option(
        help: ArgumentHelp("Take the commit whose root is at this offset.", valueName: "0x…"),
        transform: FileOffset.parsed)
    var root: FileOffset?

    func validate() throws {
        if commit != nil, root != nil { throw ValidationError("Choose one of --commit, --root") }
    }

    /// The requested commit; nil for none.
    var place: CommitLocation? { CommitLocation(number: commit, root: root) }
}

/// A commit as named on a command line.
enum CommitArguments: Equatable, Sendable {
    case current
    case other
    case found(CommitLocation)

    /// Creates the argument for a commit that was found, or else for the commit of a slot.
    init(_ place: CommitLocation?, _ slot: SlotOption) {
        self = place.map { .found($0) } ?? (slot == .other ? .other : .current)
    }

    /// Whether it names a commit by number or root, which no command chooses by itself.
    var isFound: Bool { if case .found = self { true } else { false } }

    /// The options for commands that read one commit.
    var options: [String] { options("--") }

    /// The options for the second file of a command.
    var otherOptions: [String] { options("--other-") }

    private func options(_ prefix: String) -> [String] {
        switch self {
        case .current: []
        case .other: ["\(prefix)slot", "other"]
        case .found(.number(let number)): ["\(prefix)commit", String(number)]
        case .found(.root(let root)): ["\(prefix)root", hexadecimal(root.offset)]
        }
    }
}

extension CommitLocation {
    /// Creates a location from option values: a commit number, or else the offset of a root; nil for neither.
    init?(number: UInt64?, root: FileOffset?) {
        guard let place = number.map({ Self.number($0) }) ?? root.map({ .root(Ref($0.value)) }) else { return nil }
        self = place
    }
}

/// The slot of the header to read, as an option.
enum SlotOption: String, ExpressibleByArgument, CaseIterable {
    case current
    case other

    var selection: SnapshotSelection { self == .current ? .current : .otherSlot }
}

/// A byte offset on the command line, in hexadecimal: `0x1a8`.
struct FileOffset {
    let value: Int
    /// Whether it was given in decimal.
    var isDecimal = false

    /// Parses an offset; here, a number without `0x` is decimal, and the user is informed.
    static func parsedOrDecimal(_ argument: String) throws -> FileOffset {
        if let number = Int(unsigned: argument) { return FileOffset(value: number, isDecimal: number > 9) }
        return try parsed(argument)
    }

    /// Parses a hexadecimal offset.
    ///
    /// - Throws: `ValidationError`, also for digits without `0x` that mean different numbers in decimal and
    ///   hexadecimal.
    static func parsed(_ argument: String) throws -> FileOffset {
        let lowercased = argument.lowercased()
        let isMarked = lowercased.hasPrefix("0x")
        guard let number = Int(unsigned: isMarked ? lowercased.dropFirst(2) : lowercased[...], radix: 16) else {
            throw ValidationError("an offset is written in hexadecimal, as 0x1a8")
        }
        guard isMarked || number < 10 else {
            let decimal = Int(unsigned: lowercased).map { ", or \(hexadecimal($0)) for the decimal number \($0)" } ?? ""
            throw ValidationError("write 0x\(lowercased)\(decimal)")
        }
        return FileOffset(value: number)
    }
}

/// A number of bytes on the command line: decimal, or `0x13`.
struct ByteCount: ExpressibleByArgument {
    let value: Int

    init?(argument: String) {
        let lowercased = argument.lowercased()
        let number =
            lowercased.hasPrefix("0x")
            ? Int(unsigned: lowercased.dropFirst(2), radix: 16) : Int(unsigned: lowercased)
        guard let number else { return nil }
        value = number
    }
}

extension Int {
    /// Creates a number from digits only: without a sign, which `Int` accepts.
    init?(unsigned digits: some StringProtocol, radix: Int = 10) {
        guard let first = digits.utf8.first, first != UInt8(ascii: "+"), first != UInt8(ascii: "-") else { return nil }
        self.init(digits, radix: radix)
    }
}

extension InputOptions {
    /// Opens a commit of the file. Objects are read later; the snapshot then detects whether the file changed.
    func snapshot(_ options: CommitOptions, _ key: GivenKey?) throws -> Snapshot {
        try reading { try snapshot(options, of: $0, key) }
    }

    /// Opens a commit of the file with the given bytes.
    func snapshot(_ options: CommitOptions, of bytes: ByteSource, _ key: GivenKey?) throws(CommandFailure) -> Snapshot {
        if let place = options.found.place { return try snapshot(at: place, of: bytes, key) }
        return try snapshot(options.slot, of: database(bytes, key))
    }

    /// Opens a commit that the header need not refer to.
    func snapshot(at place: CommitLocation, of bytes: ByteSource, _ key: GivenKey?) throws(CommandFailure) -> Snapshot {
        do {
            return try commits(in: bytes, key).snapshot(place, toleratingDamage: true)
        } catch {
            throw CommandFailure(error, file: name, hasOtherCommit: false)
        }
    }

    /// Returns the search for commits in the given bytes.
    func commits(in bytes: ByteSource, _ key: GivenKey?) throws -> FileRepair {
        let repair = try key.using { key in
            if let key { return try FileRepair(bytes, key: key) }
            if let problem = DatabaseImage.headerProblem(bytes), problem.code == .encrypted { throw problem }
            return FileRepair(bytes)
        }
        return access.jsDates ? repair.withMillisecondDates : repair
    }

    /// Opens a commit of the opened file.
    func snapshot(_ slot: SlotOption, of database: RealmDatabase) throws(CommandFailure) -> Snapshot {
        do {
            return try database.snapshot(slot.selection, toleratingDamage: true)
        } catch {
            let hasOther =
                slot == .current ? (try? database.snapshot(.otherSlot, toleratingDamage: true)) != nil : false
            throw CommandFailure(error, file: name, hasOtherCommit: hasOther)
        }
    }
}
