internal import ArgumentParser

/// Options for reports, the same for all verbs.
struct ReportOptions: ParsableArguments {
    @Flag(help: "Write the report as one JSON object (Spec/200-json-reports.md) instead of text.")
    var json = false

    @Flag(
        name: .shortAndLong,
        help:
            "Print only the requested data, losses and errors; for verify and doctor, one line if something is wrong."
    )
    var quiet = false
}
