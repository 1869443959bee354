internal import RealmLayout

/// Counts values that the SDK that wrote them interprets differently (Spec 50).
package struct ForeignValues: Sendable {
    /// Dates beyond the year 9999 in a file of formats 2 to 4: probably milliseconds read as seconds, as written by
    /// Realm JavaScript before 0.13.
    package private(set) var farDates = 0
    /// UUIDs of version 4 in the byte order of .NET Guids, as written by Realm .NET before 10.10; 0 unless they are the
    /// majority.
    package private(set) var guids = 0
    /// The number of examined UUIDs.
    package private(set) var uuids = 0

    private static let lastSecond: Int64 = 253_402_300_799
    /// The table with which Realm .NET marks that its Guids have been reordered.
    private static let fixed = "dotnet_guid_representation_fixed"

    /// Examines the values of a snapshot.
    ///
    /// - Parameter most: the maximum number of values to examine.
    package init(_ snapshot: Snapshot, most: Int = 1 << 16) {
        var left = most
        if snapshot.version.number <= 4, !snapshot.data.hasMillisecondDates {
            Self.forEach(.timestamp, in: snapshot, &left) { value in
                if case .timestamp(let time) = value, abs(Double(time.seconds)) > Double(Self.lastSecond) {
                    farDates += 1
                }
            }
        }
        guard snapshot.version.number >= 21, !snapshot.schema.tables.contains(where: { $0.name.contains(Self.fixed) })
        else { return }
        var (swapped, usual) = (0, 0)
        Self.forEach(.uuid, in: snapshot, &left) { value in
            guard case .uuid(let id) = value else { return }
            uuids += 1
            id.withBytes { bytes in
                // The variant is in byte 8 in both orders. The version is in byte 6, or in byte 7 when the two are
                // swapped.
                guard bytes[8] >> 6 == 2 else { return }
                if bytes[6] >> 4 == 4 { usual += 1 } else if bytes[7] >> 4 == 4 { swapped += 1 }
            }
        }
        if swapped > usual, swapped * 2 > uuids { guids = swapped }
    }

    private static func forEach(
        _ type: StoredPropertyType, in snapshot: Snapshot, _ left: inout Int, _ body: (Value) -> Void
    ) {
        for table in snapshot.tables {
            let indexes = table.schema.properties.propertyIndexes.filter { table.schema.properties[$0].type == type }
            guard !indexes.isEmpty else { continue }
            var objects = table.objects
            while left > 0, let object = try? objects.next() {
                for index in indexes {
                    left -= 1
                    guard let value = try? object.value(of: index) else { continue }
                    switch value {
                    case .list(let elements), .set(let elements):
                        left -= elements.count
                        elements.forEach(body)
                    case .dictionary(let entries):
                        left -= entries.count
                        for entry in entries { body(entry.value) }
                    default: body(value)
                    }
                }
            }
        }
    }
}
