internal import RealmCore
internal import RealmLayout

/// The common values of a group, `Hashable` by equality in queries: 1 equals 1.0.
struct GroupKey: Hashable {
    private var bytes: [UInt8] = []

    init(_ values: [Value]) {
        for value in values { add(value) }
    }

    private mutating func add(_ value: Value) {
        switch value {
        case .null: bytes.append(0)
        case .bool(let truth): bytes += [1, truth ? 1 : 0]
        case .int(let number): add(2, UInt64(bitPattern: number))
        case .float(let number): add(Double(number))
        case .double(let number): add(number)
        case .decimal128(let number): add(4, Array(number.description.utf8))
        case .string(let text): add(5, Array(text.utf8))
        case .malformedString(let content): add(5, content)
        case .binary(let content): add(6, content)
        case .timestamp(let time):
            add(7, UInt64(bitPattern: time.seconds))
            add(7, UInt64(bitPattern: Int64(time.nanoseconds)))
        case .objectId(let id): add(8, id.bytes)
        case .uuid(let id): add(9, id.bytes)
        case .link, .embedded:
            guard let link = QueryOrder.link(value) else { return }
            add(10, UInt64(link.table))
            add(10, UInt64(bitPattern: link.key))
        case .list(let values), .set(let values):
            add(11, UInt64(values.count))
            for value in values { add(value) }
        case .dictionary(let entries):
            add(12, UInt64(entries.count))
            for entry in entries {
                add(entry.key)
                add(entry.value)
            }
        }
    }

    private mutating func add(_ number: Double) {
        if let whole = Int64(exactly: number) { return add(2, UInt64(bitPattern: whole)) }
        add(3, number.isNaN ? Double.nan.bitPattern : number.bitPattern)
    }

    private mutating func add(_ kind: UInt8, _ number: UInt64) {
        bytes.append(kind)
        for shift in UInt64(0)..<8 { bytes.append(UInt8(truncatingIfNeeded: number &>> (8 &* shift))) }
    }

    private mutating func add(_ kind: UInt8, _ content: [UInt8]) {
        add(kind, UInt64(content.count))
        bytes += content
    }
}
