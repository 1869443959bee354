import RealmExchange
import Testing

/// A form of documents, with the options that `import` needs for it.
struct ExchangeForm: CustomTestStringConvertible, Sendable {
    let format: ExportOptions.Format
    var profile = ExportOptions.Profile.mongo
    var json = ExportOptions.ExtendedJSONForm.canonical
    var keepsNulls = false
    var hasSafeInts = false

    var testDescription: String {
        "\(format) \(profile) \(json)\(keepsNulls ? " nulls" : "")\(hasSafeInts ? " safe-ints" : "")"
    }

    static let all = [
        ExchangeForm(format: .bson), ExchangeForm(format: .bson, keepsNulls: true),
        ExchangeForm(format: .bson, profile: .canonical), ExchangeForm(format: .ejson),
        ExchangeForm(format: .ejson, json: .relaxed), ExchangeForm(format: .ejson, profile: .canonical),
        ExchangeForm(format: .json), ExchangeForm(format: .json, keepsNulls: true, hasSafeInts: true),
        ExchangeForm(format: .csv), ExchangeForm(format: .csv, hasSafeInts: true), ExchangeForm(format: .tsv),
    ]

    func set(_ options: inout ExportOptions) {
        options.format = format
        options.profile = profile
        options.extendedJSONForm = json
        options.keepsNulls = keepsNulls
        options.hasSafeInts = hasSafeInts
    }

    func set(_ options: inout ImportOptions) { if format == .json { options.format = .json } }
}
