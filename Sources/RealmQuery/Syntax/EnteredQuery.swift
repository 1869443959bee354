extension ObjectQuery {
    /// Parses the input of a user: a predicate, or nothing for all objects, optionally followed by SORT, DISTINCT and
    /// LIMIT clauses, which can also stand alone.
    ///
    /// Values are also accepted as they are printed: dates such as `2024-02-29` and `2024-02-29 12:34:56 UTC`, UUIDs and
    /// ObjectIds. `reading(textsFor:arguments:)` then accepts them as texts.
    ///
    /// - Throws: `QuerySyntaxError` with the position.
    package init(entered text: String) throws(QuerySyntaxError) {
        let isAll = text.allSatisfy(\.isWhitespace)
        let steps = ["SORT(", "DISTINCT(", "LIMIT("]
        let start = text.drop(while: \.isWhitespace).uppercased()
        let isStep = steps.contains { start.hasPrefix($0) }
        do throws(QuerySyntaxError) {
            var parser = try QueryParser(
                isAll || isStep ? "TRUEPREDICATE \(text)" : text, takesPrintedValues: true)
            self = try parser.query()
        } catch {
            throw isStep ? error.moved(by: -"TRUEPREDICATE ".utf8.count, in: text) : error
        }
    }
}

extension QuerySyntaxError {
    /// The same error in another text.
    fileprivate func moved(by bytes: Int, in text: String) -> QuerySyntaxError {
        QuerySyntaxError(message, at: offset + bytes, in: text)
    }
}
