internal import ArgumentParser
internal import RealmCore
internal import RealmExchange
internal import RealmLayout
internal import RealmQuery

/// Options that choose the objects to export.
struct PartOptions: ParsableArguments {
    @Option(
        name: .customLong("where"), parsing: .unconditionalSingleValue,
        help: ArgumentHelp(
            """
            Export only the objects of a class that match a Realm Query Language predicate, also of a class that --class names, \
            and no class that is named in neither way; may be repeated, even for the same class.
            """, valueName: "class: predicate"))
    var conditions: [String] = []

    @Flag(
        help:
            "With --where or --class: also export what these objects link to, and what that links to, each object once."
    )
    var follow = false

    /// Checks everything that does not depend on the file.
    func validate(_ classes: [String], isStream: Bool) throws {
        let parts = conditions.map { Self.parts($0) }
        for (condition, parts) in zip(conditions, parts) where parts == nil {
            throw ValidationError(
                "--where '\(condition.singleLine)': it takes a class, a colon and a predicate, as in --where 'Person: age > 30'"
            )
        }
        if follow, classes.isEmpty, conditions.isEmpty {
            throw ValidationError("--follow goes with --where or --class: without them everything is exported")
        }
        let named = Set(classes + parts.compactMap { $0?.name })
        if isStream, named.count != 1 || follow {
            throw ValidationError(
                "--out - writes one class: name it with --class NAME or --where 'NAME: …', and leave out --follow")
        }
    }

    /// The class and the predicate of a condition.
    private static func parts(_ condition: String) -> (name: String, predicate: String)? {
        guard let colon = condition.firstIndex(of: ":"), colon > condition.startIndex else { return nil }
        let predicate = condition[condition.index(after: colon)...]
        guard predicate.contains(where: { $0 != " " }) else { return nil }
        return (String(condition[..<colon]), String(predicate.drop { $0 == " " }))
    }

    /// Returns the options for an export of this part; unchanged when everything is exported.
    func options(_ options: ExportOptions, of snapshot: Snapshot, file: String) async throws -> ExportOptions {
        guard !conditions.isEmpty || follow else { return options }
        var choice = ObjectChoice(snapshot)
        let conditions = try conditions.compactMap { Self.parts($0) }.map { name, predicate in
            (name: name, predicate: predicate, table: try snapshot.table(forQuery: name, file: file))
        }
        // A condition also restricts a class that --class names.
        let narrowed = Set(conditions.map(\.table.position))
        for name in options.classNames ?? [] {
            let table = try snapshot.table(named: name)
            if !narrowed.contains(table.position) { choice.add(table) }
        }
        for (name, predicate, table) in conditions {
            guard table.schema.kind != .embedded else {
                throw CommandFailure(
                    "\(file): \(name.singleLine) is an embedded class: its objects are in the documents of their owners",
                    status: .usage)
            }
            let query: ObjectQuery
            do throws(CommandFailure) {
                query = try ObjectQuery(entered: predicate, at: .commandLine)
            } catch {
                throw CommandFailure("--where of \(name.singleLine): \(error)", status: .usage)
            }
            let results = try await QueryCommand.asking { () async throws(QueryError) in
                try await table.objects(
                    matching: query.reading(textsFor: table, arguments: []), jobs: options.jobs)
            }
            let isSorted = query.steps.contains { if case .sort = $0 { true } else { false } }
            choice.add(results.keys, of: table, isOrdered: isSorted)
        }
        if follow { try choice.follow() }
        return choice.options(options)
    }

    /// Returns the exported classes; nil for all, and where links are followed.
    func classes(_ classes: [String]) -> [String]? {
        let names = classes + conditions.compactMap { Self.parts($0)?.name }
        return names.isEmpty || follow ? nil : names
    }

    /// Returns the name of the class, when only one is requested.
    func onlyClass(_ classes: [String]) -> String? {
        classes.first ?? conditions.first.flatMap { Self.parts($0)?.name }
    }
}
