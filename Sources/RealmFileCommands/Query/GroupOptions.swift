internal import ArgumentParser
internal import RealmLayout
internal import RealmQuery

/// Options for grouping and aggregating results.
struct GroupOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            """
            Print one line for each distinct value with the number of objects, in order of first appearance. Also elements \
            of a list, as tags or items.product.name, which are then counted, and parts of dates: year(a), month(a), day(a), \
            hour(a), weekday(a), date(a); may be repeated.
            """,
            valueName: "columns"))
    var groupBy: [String] = []

    @Option(
        help: ArgumentHelp(
            "The sums of these properties or expressions, for each group, or without --group-by for all objects; may be repeated, as the next three.",
            valueName: "columns"))
    var sum: [String] = []

    @Option(help: ArgumentHelp("The averages.", valueName: "columns"))
    var avg: [String] = []

    @Option(help: ArgumentHelp("The lowest values, also of texts and dates.", valueName: "columns"))
    var min: [String] = []

    @Option(help: ArgumentHelp("The highest values.", valueName: "columns"))
    var max: [String] = []

    @Option(
        help: ArgumentHelp(
            "Print only groups with this in one of their columns, as 'count > 1' or 'sum(total) >= 100'; may be repeated.",
            valueName: "condition"))
    var having: [String] = []

    /// Whether groups or totals are requested.
    var isGiven: Bool { !groupBy.isEmpty || !aggregates.isEmpty }

    /// The option that requests them, for messages.
    var firstOption: String {
        let options = [("--group-by", groupBy), ("--sum", sum), ("--avg", avg), ("--min", min), ("--max", max)]
        return options.first { !$0.1.isEmpty }?.0 ?? "--group-by"
    }

    /// The aggregates in the order of the columns.
    var aggregates: [(function: QueryAggregate, columns: String)] {
        let options: [(QueryAggregate, [String])] = [
            (.sum, sum), (.average, avg), (.minimum, min), (.maximum, max),
        ]
        return options.flatMap { function, texts in texts.map { (function, $0) } }
    }
}
