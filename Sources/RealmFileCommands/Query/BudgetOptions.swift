internal import ArgumentParser
internal import RealmQuery

/// Options that limit the resources of a query, for queries from untrusted sources.
struct BudgetOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Stop a query after this many seconds (decimals allowed); in the shell, each query.",
            valueName: "seconds"))
    var timeLimit: Double?

    @Option(
        help: ArgumentHelp(
            "Stop a query after it has examined this many values: an object tested by a condition counts as one, and so does each list element.",
            valueName: "number"))
    var workLimit: Int?

    func validate() throws {
        if let timeLimit, !(timeLimit > 0 && timeLimit < 1e9) {
            throw ValidationError("--time-limit needs a number of seconds above 0")
        }
        if let workLimit, workLimit < 1 { throw ValidationError("--work-limit needs a number of 1 or more") }
    }

    var options: QueryOptions {
        QueryOptions(budget: QueryBudget(work: workLimit ?? .max, time: timeLimit.map { .seconds($0) }))
    }
}
