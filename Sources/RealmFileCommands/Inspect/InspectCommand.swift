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
        abstract: "Shows one node of the file: header bits, elements and what they mean; or where a value lies.",
        discussion: """
            Without an option: the file's header and the group's top, from which all nodes can be reached. Follow an \
            element with --path: --path 1 is the list of tables, --path 1/0 the first table, and so on.
            With a class and the key of an object: the nodes, offsets and bytes of its values. With --free: the free \
            chunks, and what earlier commits left in them.

              realmfile inspect app.realm Dog 3 name
              realmfile inspect app.realm --free --texts
            """)

    @OptionGroup var input: InputOptions
    @OptionGroup var commitOptions: CommitOptions
    @OptionGroup var reporting: ReportOptions

    @Argument(help: ArgumentHelp("Show where the values of an object of this class lie.", valueName: "class"))
    var className: String?

    @Argument(
        help: ArgumentHelp(
            "The primary key of the object; its object key if the class has no primary key.", valueName: "key"))
    var objectKey: String?

    @Argument(help: ArgumentHelp("Only this property, and show its leaf (default: all).", valueName: "property"))
    var property: String?

    @Flag(name: .customLong("object-key"), help: "The key is an object key, although the class has a primary key.")
    var isObjectKey = false

    @Option(
        help: ArgumentHelp("Show the node at this offset.", valueName: "0x…"), transform: FileOffset.parsed)
    var ref: FileOffset?

    @Option(help: ArgumentHelp("Show the node that these elements lead to, from the group's top.", valueName: "1/0/3"))
    var path: NodePath?

    @Option(
        help: ArgumentHelp("Tell what the byte at this offset belongs to, and show the node.", valueName: "0x…"),
        transform: FileOffset.parsedOrDecimal)
    var find: FileOffset?

    @Flag(help: "List the free chunks with their bytes.")
    var free = false

    @Flag(help: "With --free: the texts in the free chunks, of four characters or more, in place of all bytes.")
    var texts = false

    @Flag(help: "Show all elements, values and bytes; otherwise the first ones.")
    var all = false

    var realmFiles: [InputOptions] { [input] }

    func validate() throws {
        if [ref != nil, path != nil, find != nil, free, className != nil].count(where: { $0 }) > 1 {
            throw ValidationError("Choose one of --ref, --path, --find, --free, or a class and a key")
        }
        if className != nil, objectKey == nil {
            throw ValidationError("give the key of an object after the class; `realmfile query` lists them")
        }
        if isObjectKey, className == nil { throw ValidationError("--object-key goes with a class and a key") }
        if texts, !free { throw ValidationError("--texts goes with --free") }
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
            let members = try report.members()
            try tell([input.reportName], status, cautions: cautions, members, on: console)
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
            name: input.name,
            header: ref == nil && path == nil && find == nil && !free && className == nil ? header : nil,
            slot: snapshot.slot, limit: limit)
        report.inspector = inspector
        if free {
            report.free = try inspector.freeChunks()
            report.showsTexts = texts
        } else if let className, let objectKey {
            let table = try snapshot.table(named: className)
            report.places = try places(in: table, key: objectKey)
            if property != nil, let leaf = report.places?.properties.first?.leaf {
                report.node = try inspector.node(at: leaf)
            }
        } else if let find {
            guard find.value < size else {
                throw FormatError(.noSuchObject, "the file has only \(size) bytes")
            }
            let found = try inspector.whereabouts(
                of: find.value, isStreaming: header?.isStreaming ?? false, fileSize: size)
            report.finding = (find.value, found)
            if case .node(let node, _) = found { report.node = node }
            if case .free(let chunk, _) = found { report.shownBytes = (find.value & ~15)..<chunk.upperBound }
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

extension InspectCommand {
    /// The places of the values of an object.
    private func places(in table: Table, key: String) throws(FormatError) -> ValuePlaces {
        var index: PropertyIndex?
        if let property {
            guard let found = table.schema.properties.propertyIndex(named: property) else {
                throw table.noSuchProperty(property)
            }
            index = found
        }
        return try ValuePlaces(of: found(key, in: table), in: table, property: index)
    }

    /// The object key of the object that the user named.
    private func found(_ text: String, in table: Table) throws(FormatError) -> ObjectKey {
        guard let primary = table.schema.primaryKey, !isObjectKey else {
            guard let number = Int64(text) else {
                throw FormatError(.noSuchObject, "'\(text.singleLine)' is not an object key, which is a number")
            }
            return ObjectKey(number)
        }
        let value: Value? =
            switch primary.type {
            case .int: Int64(text).map { .int($0) }
            case .objectId: ObjectID(text).map { .objectId($0) }
            case .uuid: UUIDBytes(text).map { .uuid($0) }
            default: .string(text)
            }
        guard let value else {
            throw FormatError(
                .noSuchObject,
                "'\(text.singleLine)' is no value of the primary key \(primary.name.singleLine): \(primary.type.rawValue)"
            )
        }
        guard let object = try table.object(primaryKey: value) else {
            throw FormatError(
                .noSuchObject,
                "no object of \(table.name.singleLine) has the primary key \(text.singleLine); --object-key takes object keys"
            )
        }
        return object.key
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
