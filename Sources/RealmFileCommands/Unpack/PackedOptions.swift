internal import ArgumentParser

/// The option for files in archives.
struct PackedOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Which Realm file of a ZIP or tar archive with several: its name, or its number in the list that doctor prints.",
            valueName: "name"))
    var entry: String?

    func validate() throws {
        if entry?.isEmpty ?? false { throw ValidationError("--entry needs a name, and got none") }
    }
}
