/// The name of a MongoDB database: at most 63 bytes without the characters that separate or hide names.
struct DatabaseName {
    let text: String

    /// A name that the user gave; nil when MongoDB would refuse it.
    init?(_ name: String) {
        guard (1...Self.maximumBytes).contains(name.utf8.count), !name.unicodeScalars.contains(where: Self.isRefused)
        else { return nil }
        text = name
    }

    /// A name made from a file's, with underscores for what MongoDB refuses.
    init(makingFrom name: String) {
        var scalars = String.UnicodeScalarView(name.unicodeScalars.map { Self.isRefused($0) ? "_" : $0 })
        while String(scalars).utf8.count > Self.maximumBytes { scalars.removeLast() }
        let name = scalars.isEmpty ? "realm" : String(scalars)
        // `mongorestore` would write into these databases of the server's own, where names in any case are one name.
        text = ["admin", "config", "local"].contains(name.lowercased()) ? name + "_" : name
    }

    private static var maximumBytes: Int { 63 }

    /// What servers refuse on Windows too, so that a dump can go everywhere.
    private static func isRefused(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value < 0x20 || "/\\. \"$*<>:|?".unicodeScalars.contains(scalar)
    }
}
