internal import ArgumentParser
internal import RealmCore
internal import RealmExchange
internal import RealmForensics
internal import RealmLayout
internal import RealmStorage

/// `realmfile inspect`: shows one node of the file, for debugging.
struct InspectCommand: CommitCommand {
    static let configuration = CommandConfiguration(
        commandName: "inspect",
        abstract: "Shows one node of the file: header bits, elements and what they mean.",
        discussion: """
            Without an option: the file's header and the group's top, from which all nodes can be reached. Follow an \
            element with --path: --path 1 is the list of tables, --path 1/0 the first table, and so on.
            """)

    @OptionGroup var input: InputOptions
    @OptionGroup var commitOptions: CommitOptions
    @OptionGroup var reporting: ReportOptions

    @Option(
        help: ArgumentHelp("Show the node at this offset.", valueName: "0x…"), transform: FileOffset.parsed)
    var ref: FileOffset?

    @Option(help: ArgumentHelp("Show the node that these elements lead to, from the group's top.", valueName: "1/0/3"))
    var path: NodePath?

    @Option(
        help: ArgumentHelp("Tell what the byte at this offset belongs to, and show the node.", valueName: "0x…"),
        transform: FileOffset.parsedOrDecimal)
    var find: FileOffset?

    @Flag(help: "Show all elements, values and bytes; otherwise the first ones.")
    var all = false

    var realmFiles: [InputOptions] { [input] }

    func validate() throws {
        if [ref != nil, path != nil, find != nil].count(where: { $0 }) > 1 {
            throw ValidationError("Choose one of --ref, --path, --find")
        }
    }

    func run(on console: any Console) async throws -> ExitStatus {
        let status = try show(on: console)
        if let find, find.isDecimal, !reporting.quiet {
            try console.flush()
            console.message("realmfile: --find \(find.value): taken as a decimal number, \(hexadecimal(find.value))")
        }
        return status
    }

    private func show(on console: any Console) throws -> ExitStatus {
        let key = try input.key(console)
        // Standard input can be read only once.
        let opened = try input.reading { try open($0, key) }
        do {
            switch opened {
            case .commit(let snapshot, let result):
                let report = try result.get()
                let cautions = Caution.all(of: snapshot, values: false)
                try write(report, report.status, cautions, to: console)
                cautions.show(input.name, on: console)
                try snapshot.checkUnchanged()
                return report.status
            case .nodes(let inspector, let size, let ref, let error):
                var report = InspectReport(name: input.name, slot: 0, limit: limit)
                report.node = try node(at: ref, inspector, end: size)
                console.message(
                    "realmfile: \(input.name): \(error.line); refs are taken as offsets in the file, and what the node is "
                        + "for is not known")
                try write(report, .findings, [], to: console)
                return .findings
            }
        } catch let error as FormatError {
            throw CommandFailure(error, file: input.name)
        }
    }

    /// The opened part of a file.
    private enum Opened {
        case commit(Snapshot, Result<InspectReport, any Error>)
        /// The nodes of a file that is not encrypted but whose header or top cannot be read, with the requested node.
        case nodes(NodeInspector, size: Int, FileOffset, FormatError)
    }

    private func open(_ bytes: ByteSource, _ key: GivenKey?) throws -> Opened {
        do {
            let snapshot = try input.snapshot(commitOptions, of: bytes, key)
            // Created here, so that it is created again if the file changes meanwhile.
            return .commit(snapshot, Result { try report(on: snapshot) })
        } catch {
            guard let ref, commitOptions.found.place == nil, let problem = try problem(bytes, key) else { throw error }
            return .nodes(try NodeInspector(wholeOf: bytes), size: bytes.count, ref, problem)
        }
    }

    /// The reason why a file that is not encrypted cannot be opened, if its nodes may still be readable.
    private func problem(_ bytes: ByteSource, _ key: GivenKey?) throws -> FormatError? {
        do {
            let database = try RealmDatabase.open(bytes, key)
            guard database.encryption == nil else { return nil }
            _ = try database.snapshot(commitOptions.slot.selection, toleratingDamage: true)
            return nil
        } catch let error as FormatError {
            let others: Set<FormatError.Code> = [
                .emptyFile, .tooShort, .zeroedFile, .notARealm, .encrypted, .wrongKey, .wrongCipherKey, .notEncrypted,
                .damagedPage, .unwrittenPage, .fileChanged, .noOtherSlot, .noCommit,
            ]
            return others.contains(error.code) ? nil : error
        }
    }

    private var limit: Int { all ? Int.max : 32 }

    private func write(
        _ report: InspectReport, _ status: ExitStatus, _ cautions: [Caution], to console: any Console
    ) throws {
        if reporting.json {
            try tell([input.reportName], status, cautions: cautions, report.members, on: console)
        } else {
            try report.write(to: console)
        }
    }

    /// The node at an offset that the user gave.
    ///
    /// - Parameter end: the end of the database.
    private func node(
        at offset: FileOffset, _ inspector: NodeInspector, end: Int
    ) throws(FormatError) -> InspectedNode {
        let place = hexadecimal(offset.value)
        let hint = "--find \(place) tells what is there"
        guard offset.value & 7 == 0, offset.value >= FileHeader.size, offset.value < end else {
            throw FormatError(
                .noSuchObject,
                "no node begins at \(place): refs are multiples of 8 from 0x18 to the end of the database, "
                    + "\(hexadecimal(end)); \(hint)")
        }
        do throws(FormatError) {
            return try inspector.node(at: Ref(offset.value))
        } catch  where [.badNode, .nodeOutsideFile].contains(error.code) {
            throw FormatError(.noSuchObject, "no node begins at \(place): \(error.line); \(hint)")
        }
    }

    private func report(on snapshot: Snapshot) throws(FormatError) -> InspectReport {
        let inspector = NodeInspector(snapshot)
        let size = snapshot.data.view.count
        // A commit found in the file may come without a header.
        let header = FileHeader(snapshot.data.view).flatMap { $0.hasMnemonic ? $0 : nil }
        var report = InspectReport(
            name: input.name, header: ref == nil && path == nil && find == nil ? header : nil,
            slot: snapshot.slot, limit: limit)
        if let find {
            guard find.value < size else {
                throw FormatError(.noSuchObject, "the file has only \(size) bytes")
            }
            let found = try inspector.whereabouts(
                of: find.value, isStreaming: header?.isStreaming ?? false, fileSize: size)
            report.finding = (find.value, found)
            if case .node(let node, _) = found { report.node = node }
        } else if let ref {
            report.node = try node(at: ref, inspector, end: snapshot.logicalSize)
        } else if let path {
            report.node = try inspector.node(at: path.elements)
        } else {
            if snapshot.topRef != nil { report.node = try inspector.node(at: []) }
        }
        return report
    }
}

/// A path from the group's top on the command line: `1/0/3`; empty or `/` for the top itself.
struct NodePath: ExpressibleByArgument {
    let elements: [Int]

    init?(argument: String) {
        var elements: [Int] = []
        for part in argument.split(separator: "/") {
            guard let element = Int(unsigned: part) else { return nil }
            elements.append(element)
        }
        self.elements = elements
    }
}
