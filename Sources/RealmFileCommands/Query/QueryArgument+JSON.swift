internal import RealmCore
internal import RealmExchange
internal import RealmLayout
internal import RealmQuery

extension [QueryArgument] {
    /// Creates the values for `$0` and so on from `--args`: JSON values separated by commas, in one text or several. An
    /// array is a list.
    init(json texts: [String]) throws(CommandFailure) {
        self = []
        for text in texts {
            let values: [JSONValue]
            do throws(DocumentError) {
                values = try JSONValue.values(listed: text)
            } catch {
                throw CommandFailure(
                    "--args '\(text.singleLine)': \(error.detail); it takes JSON values with commas between them, as in --args '30, \"Rex\"'",
                    status: .usage)
            }
            for value in values { append(try Self.argument(value)) }
        }
    }

    private static func argument(_ json: JSONValue) throws(CommandFailure) -> QueryArgument {
        guard case .array(let elements) = json else { return .value(try value(json)) }
        var values: [Value] = []
        for element in elements { values.append(try value(element)) }
        return .list(values)
    }

    private static func value(_ json: JSONValue) throws(CommandFailure) -> Value {
        guard let value = Value(extendedJSON: json) else {
            throw CommandFailure(
                "--args: \(json.compact.singleLine) is no value; types that JSON does not have are written in Extended JSON, as {\"$oid\": \"…\"}, {\"$uuid\": \"…\"}, {\"$date\": \"…\"}, {\"$numberDecimal\": \"…\"}",
                status: .usage)
        }
        return value
    }
}
