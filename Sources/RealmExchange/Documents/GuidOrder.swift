internal import RealmLayout

/// The byte order of .NET Guids: the first three groups of digits are little-endian numbers.
enum GuidOrder {
    private static let places = [3, 2, 1, 0, 5, 4, 7, 6, 8, 9, 10, 11, 12, 13, 14, 15]

    /// The sixteen bytes of a UUID, converted to the other order.
    static func turned(_ bytes: ByteView) -> [UInt8] {
        guard bytes.count == places.count else { return bytes.bytes }
        return places.map { bytes.byte(unchecked: $0) }
    }
}
