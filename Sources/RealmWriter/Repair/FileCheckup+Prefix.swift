internal import RealmLayout
internal import RealmReader
public import RealmStorage

extension FileCheckup {
    /// How many places are tried where a header may begin.
    private static let mostPlaces = 64
    /// How far from the beginning a header is looked for.
    private static let reach = 1 << 24

    /// How many foreign bytes are in front of a database that can be opened without them; nil when there is none.
    ///
    /// - Returns: the offset of its header, above 0.
    public static func prefix(of source: ByteSource) -> Int? {
        let view = source.view
        let mnemonic = Array("T-DB".utf8)
        // Where the mnemonic is in a header.
        let start = 16
        var (tried, place) = (0, start + 1)
        while place + 4 <= min(view.count, reach), tried < mostPlaces {
            defer { place += 1 }
            guard view[place] == mnemonic[0], (1..<4).allSatisfy({ view[place + $0] == mnemonic[$0] }) else { continue }
            tried += 1
            let first = place - start
            let rest = ByteSource(bytes: view.slice(unchecked: first, count: view.count - first).bytes)
            if (try? RealmDatabase(source: rest).snapshot()) != nil { return first }
        }
        return nil
    }
}
