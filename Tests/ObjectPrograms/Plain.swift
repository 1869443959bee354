import Foundation
import RealmObjects

/// The values of an object, by property name.
typealias Record = [String: Plain]

/// A value in memory, the model of a live one. Values are equal if they have the same bits and bytes: in Swift,
/// different strings and numbers can be equal, and NaN does not equal itself.
enum Plain: Hashable, CustomStringConvertible {
    case null
    case bool(Bool)
    case int(Int)
    case float(bits: UInt32)
    case double(bits: UInt64)
    case text(utf8: [UInt8])
    case data(Data)
    case date(Date)
    case mark(ObjectId)
    case decimal(Decimal128)
    case uuid(UUID)
    /// An object, by its primary key.
    case object(Int)
    case piece(Record)
    case list([Plain])
    case set(Set<Plain>)
    case map(Record)

    var description: String {
        switch self {
        case .null: "null"
        case .bool(let value): "\(value)"
        case .int(let value): "\(value)"
        case .float(let bits): "\(Float(bitPattern: bits))f"
        case .double(let bits): "\(Double(bitPattern: bits))"
        case .text(let bytes): String(decoding: bytes, as: UTF8.self).debugDescription
        case .data(let value): "\(value.count) bytes"
        case .date(let value): "\(value.timeIntervalSince1970) s"
        case .mark(let value): "\(value)"
        case .decimal(let value): "\(value)d"
        case .uuid(let value): "\(value)"
        case .object(let id): "#\(id)"
        case .piece(let record): "piece\(record)"
        case .list(let values): "\(values)"
        case .set(let values): "set\(values)"
        case .map(let entries): "\(entries)"
        }
    }

    static func text(_ text: String) -> Plain { .text(utf8: Array(text.utf8)) }

    var double: Double? { if case .double(let bits) = self { Double(bitPattern: bits) } else { nil } }
    var utf8: [UInt8]? { if case .text(let bytes) = self { bytes } else { nil } }
    var list: [Plain] { if case .list(let values) = self { values } else { [] } }
    var set: Set<Plain> { if case .set(let values) = self { values } else { [] } }
    var map: Record { if case .map(let values) = self { values } else { [:] } }
    var int: Int? { if case .int(let number) = self { number } else { nil } }
    var linked: Int? { if case .object(let id) = self { id } else { nil } }

    /// Removes references to a deleted object: lists and sets lose the element; elsewhere it becomes null.
    mutating func forget(_ id: Int) {
        switch self {
        case .object(id): self = .null
        case .piece(var record):
            for key in record.keys { record[key]?.forget(id) }
            self = .piece(record)
        case .map(var entries):
            for key in entries.keys { entries[key]?.forget(id) }
            self = .map(entries)
        case .set(let values): self = .set(values.filter { $0 != .object(id) })
        case .list(var values):
            values.removeAll { $0 == .object(id) }
            for index in values.indices { values[index].forget(id) }
            self = .list(values)
        default: break
        }
    }

    /// Returns a set or dictionary merged with the elements of another.
    func merged(into known: Plain) -> Plain {
        switch (self, known) {
        case (.set(let values), .set(let others)): .set(values.union(others))
        case (.map(let entries), .map(let others)): .map(others.merging(entries) { $1 })
        default: self
        }
    }

    /// The value as notified to its owner, without the content of embedded objects.
    var shallow: Plain {
        switch self {
        case .piece: .piece([:])
        case .list(let values): .list(values.map(\.shallow))
        case .map(let entries): .map(entries.mapValues(\.shallow))
        default: self
        }
    }
}

/// A type of which programs have values.
protocol SampleValue {
    /// The model of the value.
    var plain: Plain { get }
    static func random(_ world: World) -> Self
}

extension Bool: SampleValue {
    var plain: Plain { .bool(self) }
    static func random(_ world: World) -> Bool { world.dice.roll(2) == 0 }
}

extension SampleValue where Self: FixedWidthInteger {
    var plain: Plain { .int(Int(self)) }
    static func random(_ world: World) -> Self {
        switch world.dice.roll(8) {
        case 0: .max
        case 1: .min
        case 2: Self(truncatingIfNeeded: world.dice.next())
        default: Self(world.dice.roll(9))
        }
    }
}
extension Int: SampleValue {}
extension Int8: SampleValue {}
extension Int16: SampleValue {}
extension Int32: SampleValue {}
extension Int64: SampleValue {}

extension SampleValue where Self: BinaryFloatingPoint {
    /// Never negative zero: a property with the other zero keeps it when objects are updated.
    static func random(_ world: World) -> Self {
        switch world.dice.roll(20) {
        case 0: .nan
        case 1: .infinity
        case 2: -.infinity
        case 3: .leastNonzeroMagnitude
        case 4: -.greatestFiniteMagnitude
        default: Self(world.dice.roll(1000) - 500) / 8
        }
    }
}
extension Float: SampleValue {
    var plain: Plain { .float(bits: bitPattern) }
}
extension Double: SampleValue {
    var plain: Plain { .double(bits: bitPattern) }
}
extension String: SampleValue {
    var plain: Plain { .text(self) }
    static func random(_ world: World) -> String {
        switch world.dice.roll(12) {
        case 0: ""
        case 1: String(repeating: "é\(world.dice.roll(10))", count: 1 + world.dice.roll(50))
        case 2: "\u{0}\(world.dice.roll(3))"
        // Strings that are equal in Swift with different bytes, and characters of several scalars.
        case 3: world.dice.one(of: ["caf\u{e9}", "cafe\u{301}", "\u{301}", "\u{feff}t", "👩‍👩‍👧", "\r\n"])
        default: "t\(world.dice.roll(9))"
        }
    }
}
extension Data: SampleValue {
    var plain: Plain { .data(self) }
    static func random(_ world: World) -> Data {
        let length = world.dice.roll(10) == 0 ? world.dice.roll(400) : world.dice.roll(6)
        return Data((0..<length).map { _ in UInt8(truncatingIfNeeded: world.dice.next()) })
    }
}
extension Date: SampleValue {
    var plain: Plain { .date(self) }
    static func random(_ world: World) -> Date {
        switch world.dice.roll(16) {
        case 0: .distantPast
        case 1: .distantFuture
        default: Date(timeIntervalSince1970: Double(world.dice.roll(2_000_000) - 1_000_000) / 8)
        }
    }
}
extension ObjectId: SampleValue {
    var plain: Plain { .mark(self) }
    static func random(_ world: World) -> ObjectId {
        ObjectId(
            timestamp: Date(timeIntervalSince1970: Double(world.dice.roll(1_000_000))), machineIdentifier: 1,
            processIdentifier: 2)
    }
}
extension Decimal128: SampleValue {
    var plain: Plain { .decimal(self) }
    static func random(_ world: World) -> Decimal128 {
        switch world.dice.roll(16) {
        case 0: "NaN"
        case 1: world.dice.one(of: [.min, .max, "Infinity", "-Infinity", "1E-6176"])
        case 2: "0.1"
        default: Decimal128(world.dice.roll(100_000) - 50_000)
        }
    }
}
extension UUID: SampleValue {
    var plain: Plain { .uuid(self) }
    static func random(_ world: World) -> UUID {
        let bytes = (0..<16).map { _ in UInt8(truncatingIfNeeded: world.dice.next()) }
        return UUID(
            uuid: (
                bytes[0], bytes[1], bytes[2], bytes[3], bytes[4], bytes[5], bytes[6], bytes[7], bytes[8], bytes[9],
                bytes[10], bytes[11], bytes[12], bytes[13], bytes[14], bytes[15]
            ))
    }
}
extension Kind: SampleValue {
    var plain: Plain { .text(rawValue) }
    static func random(_ world: World) -> Kind { world.dice.one(of: allCases) }
}
extension Optional: SampleValue where Wrapped: SampleValue {
    var plain: Plain { self?.plain ?? .null }
    static func random(_ world: World) -> Wrapped? { world.dice.roll(4) == 0 ? nil : Wrapped.random(world) }
}
extension Sample: SampleValue {
    var plain: Plain { .object(id) }
    static func random(_ world: World) -> Self {
        guard let sample = world.sample(world.dice.one(of: world.ids)) as? Self else { fatalError("another class") }
        return sample
    }
}
extension Piece: SampleValue {
    var plain: Plain {
        .piece(["label": label.plain, "weight": weight.plain, "values": values.plain, "target": target.plain])
    }
    static func random(_ world: World) -> Self {
        let piece = Self()
        piece.label = .random(world)
        piece.weight = .random(world)
        for _ in 0..<world.dice.roll(3) { piece.values.append(.random(world)) }
        if world.dice.roll(3) == 0 { piece.target = .random(world) }
        return piece
    }
}
extension List: SampleValue where Element: SampleValue {
    var plain: Plain { .list(map(\.plain)) }
    static func random(_ world: World) -> List {
        let list = List()
        let most = Element.self is Piece.Type || Element.self is AnyRealmValue.Type ? 60 : 1200
        for _ in 0..<world.length(most) { list.append(.random(world)) }
        return list
    }
}
extension MutableSet: SampleValue where Element: SampleValue {
    var plain: Plain { .set(Set(map(\.plain))) }
    static func random(_ world: World) -> MutableSet {
        let set = MutableSet()
        for _ in 0..<world.length(100) { set.insert(.random(world)) }
        return set
    }
}
extension Map: SampleValue where Value: SampleValue, Key == String {
    var plain: Plain {
        .map(Dictionary(uniqueKeysWithValues: asKeyValueSequence().map { ($0.key, $0.value.plain) }))
    }
    static func random(_ world: World) -> Map {
        let map = Map()
        for _ in 0..<world.length(100) { map[world.key()] = .random(world) }
        return map
    }
}
extension AnyRealmValue: SampleValue {
    var plain: Plain {
        switch self {
        case .none: .null
        case .int(let value): .int(value)
        case .bool(let value): .bool(value)
        case .float(let value): value.plain
        case .double(let value): value.plain
        case .string(let value): .text(value)
        case .data(let value): .data(value)
        case .date(let value): .date(value)
        case .object: object(Sample.self)?.plain ?? .null
        case .objectId(let value): .mark(value)
        case .decimal128(let value): .decimal(value)
        case .uuid(let value): .uuid(value)
        case .dictionary(let value):
            Self.plain(value.keys.last.flatMap { key in value[key].map { [key: $0.plain] } }, value.plain)
        case .list(let value): Self.plain(value.last?.plain, value.plain)
        }
    }

    /// Returns a collection, one element of which was read separately before all were read.
    private static func plain(_ last: Plain?, _ all: Plain) -> Plain {
        last == all.list.last ? all : .text("\(all), whose last is \(last ?? .null) where it is read alone")
    }

    private static func plain(_ entry: Record?, _ all: Plain) -> Plain {
        let isSame = entry?.allSatisfy { all.map[$0.key] == $0.value } ?? all.map.isEmpty
        return isSame ? all : .text("\(all), with \(entry ?? [:]) where that is read alone")
    }

    static func random(_ world: World) -> AnyRealmValue { random(world, depth: 0) }

    /// - Parameter depth: the number of enclosing collections.
    static func random(_ world: World, depth: Int) -> AnyRealmValue {
        switch world.dice.roll(depth < 3 ? 16 : 12) {
        case 0: return .none
        case 1: return .bool(.random(world))
        case 2: return .float(.random(world))
        case 3: return .double(.random(world))
        case 4: return .data(.random(world))
        case 5: return .date(.random(world))
        case 6: return .objectId(.random(world))
        case 7: return .decimal128(.random(world))
        case 8: return .uuid(.random(world))
        case 9: return .object(Sample.random(world))
        case 10: return .string(.random(world))
        case 11: return .int(.random(world))
        case 12, 13: return .fromArray((0..<world.dice.roll(4)).map { _ in random(world, depth: depth + 1) })
        default:
            var entries: [String: AnyRealmValue] = [:]
            for _ in 0..<world.dice.roll(4) { entries[world.key()] = random(world, depth: depth + 1) }
            return .fromDictionary(entries)
        }
    }
}
