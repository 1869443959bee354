internal import ArgumentParser

/// How a verb tells what it found, the same for all verbs.
struct ReportOptions: ParsableArguments {
    @Flag(help: "Write the report as one JSON object (Spec/200-json-reports.md) instead of text.")
    var json = false

    @Flag(
        name: .shortAndLong,
        help: "No report, no progress and no remarks: only the data that was asked for, and what is lost or wrong.")
    var quiet = false
}
