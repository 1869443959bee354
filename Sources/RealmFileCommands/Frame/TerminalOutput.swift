extension Console {
    /// Refuses to fill a terminal with bytes that are not text.
    ///
    /// - Parameters:
    ///   - what: the bytes, as in "BSON documents".
    ///   - advice: what to do instead.
    func refuseTerminal(_ what: String, _ advice: String) throws(CommandFailure) {
        guard outputWidth != nil else { return }
        throw CommandFailure("\(what) are not for a terminal; \(advice)", status: .usage)
    }
}
