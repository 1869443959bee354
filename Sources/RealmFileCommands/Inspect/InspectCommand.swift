internal import ArgumentParser
internal import RealmExchange
internal import RealmLayout
internal import RealmReader

/// `realmfile inspect`: one node of the file, for debugging.
struct InspectCommand: ConsoleCommand {
    static let configuration = CommandConfiguration(
        commandName: "inspect",
        abstract: "Shows one node of the file: header bits, elements and what they mean.",
        discussion: """
            Without an option: the file's header and the group's top, from which all nodes can be reached. Follow an \
            element with --path: --path 1 is the list of tables, --path 1/0 the first table, and so on.
            """)

    @OptionGroup var input: InputOptions
    @OptionGroup var slotOptions: SlotOptions

    @Option(help: ArgumentHelp("Show the node at this offset.", valueName: "0x…"))
    var ref: FileOffset?

    @Option(help: ArgumentHelp("Show the node that these elements lead to, from the group's top.", valueName: "1/0/3"))
    var path: NodePath?

    @Option(help: ArgumentHelp("Tell what the byte at this offset belongs to, and show the node.", valueName: "0x…"))
    var find: FileOffset?

    @Flag(help: "Show all elements, values and bytes; otherwise the first ones.")
    var all = false

    @Flag(help: "Write one JSON object instead of text.")
    var json = false

    func validate() throws {
        if [ref != nil, path != nil, find != nil].count(where: { $0 }) > 1 {
            throw ValidationError("Give one of --ref, --path and --find, not several")
        }
    }

    func run(on console: any Console) async throws -> ExitStatus {
        let key = try input.key(console)
        let (database, snapshot) = try input.reading { bytes in
            let database = try input.database(bytes, key)
            return (database, try input.snapshot(slotOptions.slot, of: database))
        }
        do {
            let report = try report(on: snapshot, of: database)
            if json {
                try console.writeLine(report.json.pretty)
            } else {
                try report.write(to: console)
            }
            try database.checkUnchanged()
            return report.status
        } catch let error as FormatError {
            throw CommandFailure(error, file: input.name)
        }
    }

    private func report(on snapshot: Snapshot, of database: RealmDatabase) throws(FormatError) -> InspectReport {
        let inspector = NodeInspector(snapshot)
        var report = InspectReport(
            name: input.name, header: database.header, slot: snapshot.slot, limit: all ? Int.max : 32)
        if let find {
            guard find.value < database.dataSize else {
                throw FormatError(.noSuchObject, "the file has only \(database.dataSize) bytes")
            }
            let found = try inspector.whereabouts(
                of: find.value, header: database.header, fileSize: database.dataSize)
            report.finding = (find.value, found)
            if case .node(let node, _) = found { report.node = node }
        } else if let ref {
            let place = hexadecimal(ref.value)
            guard ref.value & 7 == 0, ref.value >= FileHeader.size, ref.value < snapshot.logicalSize else {
                throw FormatError(
                    .noSuchObject,
                    "no node begins at \(place): refs are multiples of 8 from 0x18 to the end of the database, "
                        + "\(hexadecimal(snapshot.logicalSize)); --find \(place) tells what is there")
            }
            report.node = try inspector.node(at: Ref(ref.value))
        } else if let path {
            report.node = try inspector.node(at: path.elements)
        } else {
            report.showsHeader = true
            if snapshot.topRef != nil { report.node = try inspector.node(at: []) }
        }
        return report
    }
}

/// A byte offset on the command line: `0x1a8`, or decimal.
struct FileOffset: ExpressibleByArgument {
    let value: Int

    init?(argument: String) {
        let lowercased = argument.lowercased()
        let number = lowercased.hasPrefix("0x") ? Int(lowercased.dropFirst(2), radix: 16) : Int(lowercased)
        guard let number, number >= 0 else { return nil }
        value = number
    }
}

/// A way from the group's top on the command line: `1/0/3`; nothing or `/` for the top itself.
struct NodePath: ExpressibleByArgument {
    let elements: [Int]

    init?(argument: String) {
        var elements: [Int] = []
        for part in argument.split(separator: "/") {
            guard let element = Int(part), element >= 0 else { return nil }
            elements.append(element)
        }
        self.elements = elements
    }
}
