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
            if let printed = Self.printed(text) {
                self += printed
                continue
            }
            let values: [JSONValue]
            do throws(DocumentError) {
                values = try JSONValue.values(listed: text)
            } catch {
                throw CommandFailure(
                    "--args '\(text.singleLine)': \(error.detail); it takes JSON values and dates with commas between them, as in --args '30, \"Rex\"'",
                    status: .usage)
            }
            for value in values { append(try Self.argument(value)) }
        }
    }

    /// The values of a text that has dates, UUIDs or ObjectIds as they are printed, as texts; nil for other texts.
    private static func printed(_ text: String) -> [QueryArgument]? {
        let parts = text.split(separator: ",").map { String($0).withoutSpaces }
        guard parts.contains(where: { isPrinted($0) }) else { return nil }
        var values: [QueryArgument] = []
        for part in parts {
            if isPrinted(part) {
                values.append(.value(.string(part)))
            } else if let json = try? JSONValue.values(listed: part), json.count == 1,
                let value = try? argument(json[0])
            {
                values.append(value)
            } else {
                return nil
            }
        }
        return values
    }

    private static func isPrinted(_ text: String) -> Bool {
        Timestamp(iso8601: text, assumesUTC: true) != nil || UUIDBytes(text) != nil || ObjectID(text) != nil
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

extension String {
    /// The text without the spaces around it.
    fileprivate var withoutSpaces: String {
        var rest = drop { $0 == " " }
        while rest.last == " " { rest.removeLast() }
        return String(rest)
    }
}
