internal import RealmLayout

/// Lines and columns of places in a text, which readers know only as offsets.
///
/// Readers do not count lines, because only errors and the first losses of each kind need them.
struct LineFinder {
    /// A place in a text.
    struct Place: Equatable {
        /// The line, counted from 1.
        var line: Int
        /// The character in the line, counted from 1.
        var column: Int
    }

    private var place = Place(line: 1, column: 1)

    /// Finds places in a text that is in memory as a whole.
    static func place(of offset: Int, in text: ByteView) -> Place {
        var finder = LineFinder()
        finder.pass(text.slice(unchecked: 0, count: min(max(0, offset), text.count)))
        return finder.place
    }

    /// Finds the places of offsets in ascending order. Reads the input from its beginning.
    ///
    /// - Throws: `ImportError` if the input cannot be read any more.
    static func places(of offsets: [Int], in input: InputBuffer) throws(ImportError) -> [Place] {
        var finder = LineFinder()
        var places: [Place] = []
        for offset in offsets {
            while input.offset < offset {
                let count = min(try input.available(1), offset - input.offset)
                guard count > 0 else { break }
                finder.pass(input.view(count))
                input.advance(count)
            }
            places.append(finder.place)
        }
        return places
    }

    private mutating func pass(_ bytes: ByteView) {
        for offset in 0..<bytes.count {
            let byte = bytes.byte(unchecked: offset)
            if byte == 0x0A {
                place = Place(line: place.line + 1, column: 1)
            } else if byte & 0xC0 != 0x80 {
                place.column += 1
            }
        }
    }
}
