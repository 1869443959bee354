/// The name of a MongoDB database: at most 63 bytes without the characters that separate or hide names.
struct DatabaseName {
    let text: String

    /// Creates a name given by the user; nil when MongoDB would refuse it.
    init?(_ name: String) {
        guard (1...Self.maximumBytes).contains(name.utf8.count), !name.unicodeScalars.contains(where: Self.isRefused)
        else { return nil }
        text = name
    }

    /// Creates a name from a file name, with underscores for characters that MongoDB refuses.
    init(makingFrom name: String) {
        var scalars = String.UnicodeScalarView(name.unicodeScalars.map { Self.isRefused($0) ? "_" : $0 })
        while String(scalars).utf8.count > Self.maximumBytes { scalars.removeLast() }
        let name = scalars.isEmpty ? "realm" : String(scalars)
        // `mongorestore` would write into these system databases of the server. Their names are not case-sensitive.
        text = ["admin", "config", "local"].contains(name.lowercased()) ? name + "_" : name
    }

    private static var maximumBytes: Int { 63 }

    /// Whether a server refuses the character, including servers on Windows, so that a dump can be restored anywhere.
    private static func isRefused(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value < 0x20 || "/\\. \"$*<>:|?".unicodeScalars.contains(scalar)
    }
}
