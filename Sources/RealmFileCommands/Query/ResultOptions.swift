internal import ArgumentParser
internal import RealmQuery

/// Options for the answer to a query, on the command line and on a line of the shell.
struct ResultOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            """
            table: a line an object, for people; vertical: a line a property; json, ejson, bson, csv, tsv: documents as \
            export writes them; keys: the key of each object on a line of its own (default: table)
            """))
    var format: QueryFormat?

    @Option(
        help: ArgumentHelp(
            """
            Print only these, with commas between: properties, paths as a.b and items.@count, elements as tags[0], \
            expressions, parts of dates as year(a), * for all, each with a name after AS; may be repeated.
            """, valueName: "columns"))
    var select: [String] = []

    @OptionGroup var grouping: GroupOptions

    @Option(help: ArgumentHelp("Stop after this many objects, or groups.", valueName: "number"))
    var limit: Int?

    @Option(
        help: ArgumentHelp(
            """
            Sort by these paths, each followed by ASC or DESC, as SORT(…) in the query does, or by items.@count; groups by \
            their columns, as 'sum(total) DESC, count'; may be repeated, the first counts most.
            """,
            valueName: "paths"))
    var sort: [String] = []

    @Option(
        parsing: .unconditionalSingleValue,
        help: ArgumentHelp(
            """
            The values of $0, $1 and so on in the query: JSON values with commas between, or Extended JSON for other types; \
            also dates, UUIDs and ObjectIds as they are printed; may be repeated. An array is a list.
            """, valueName: "values"))
    var args: [String] = []

    @Flag(help: "Print only how many objects there are.")
    var count = false

    @Flag(
        help:
            "Print how the query is run instead of objects: which index or column is asked, and what each step saw and kept."
    )
    var explain = false

    @Flag(help: "Print no line with the names of the properties.")
    var noHeader = false

    @Flag(help: "Begin CSV and TSV with a byte order mark, by which Excel recognises UTF-8.")
    var bom = false

    @Option(
        help: ArgumentHelp(
            "Write to this file instead of standard output; it appears when it is complete.", valueName: "path"))
    var out: String?

    @Flag(help: "With --out: replace the file if it exists.")
    var overwrite = false

    func validate() throws {
        try InputOptions.requirePath(out, "--out")
        if let limit, limit < 0 { throw ValidationError("--limit needs a number of 0 or more") }
        if count, format != nil || !select.isEmpty || noHeader {
            throw ValidationError("--count prints one number: leave out --format, --select and --no-header")
        }
        if explain, count || format != nil || !select.isEmpty || noHeader || grouping.isGiven {
            throw ValidationError(
                "--explain prints how a query is run: leave out --count, --format, --select and --group-by")
        }
        if grouping.isGiven, count || !select.isEmpty || format == .keys {
            throw ValidationError(
                "\(grouping.firstOption) prints groups: leave out --count, --select and --format keys")
        }
        if noHeader, let format, !format.hasHeader {
            throw ValidationError("--no-header goes with --format table, csv or tsv")
        }
        if bom, format != .csv && format != .tsv { throw ValidationError("--bom goes with --format csv or tsv") }
        if !select.isEmpty, format == .keys { throw ValidationError("--select goes with every --format but keys") }
        if !grouping.having.isEmpty, !grouping.isGiven { throw ValidationError("--having goes with --group-by") }
        if overwrite, out == nil { throw ValidationError("--overwrite goes with --out") }
    }

    /// The text of the columns to print; nil for all properties.
    var columns: String? { select.isEmpty ? nil : select.joined(separator: ",") }
}
