internal import RealmLayout

/// The order of bytes in Guids of .NET: the first three groups of digits are numbers whose lowest byte comes first.
enum GuidOrder {
    private static let places = [3, 2, 1, 0, 5, 4, 7, 6, 8, 9, 10, 11, 12, 13, 14, 15]

    /// The sixteen bytes of a UUID in the other order.
    static func turned(_ bytes: ByteView) -> [UInt8] {
        guard bytes.count == places.count else { return bytes.bytes }
        return places.map { bytes.byte(unchecked: $0) }
    }
}
