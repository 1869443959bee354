package import RealmCore
package import RealmLayout

/// A schema determined by random numbers.
package enum RandomSchema {
    package static let scalars: [StoredPropertyType] = StoredPropertyType.allCases.filter {
        $0 != .link && $0 != .mixed
    }

    package static func make(_ random: inout Numbers) -> SchemaDefinition {
        let count = Int.random(in: 1...6, using: &random)
        var kinds: [(String, TableKind)] = []
        for number in 0..<count {
            let kind: TableKind =
                number == 0 ? .topLevel : random.chance(4) ? .embedded : random.chance(9) ? .asymmetric : .topLevel
            kinds.append(("C\(number)", kind))
        }
        kinds.shuffle(using: &random)
        let tables = kinds.map { table($0.0, $0.1, kinds, &random) }
        return SchemaDefinition(tables, version: random.chance(3) ? nil : UInt64.random(in: 0...1000, using: &random))
    }

    package static func table(
        _ name: String, _ kind: TableKind, _ kinds: [(String, TableKind)], _ random: inout Numbers
    ) -> TableDefinition {
        var properties: [PropertyDefinition] = []
        var primaryKey: String?
        if kind == .asymmetric || kind == .topLevel && random.chance(2) {
            let type = [StoredPropertyType.int, .string, .objectId, .uuid].randomElement(using: &random) ?? .int
            primaryKey = "_id"
            properties.append(PropertyDefinition("_id", type, isNullable: random.chance(3), index: .general))
        }
        for number in 0..<Int.random(in: 1...9, using: &random) {
            properties.append(property("p\(number)", kind, kinds, &random))
        }
        if random.chance(3) { properties.shuffle(using: &random) }
        return TableDefinition(class: name, kind: kind, primaryKey: primaryKey, properties)
    }

    package static func property(
        _ name: String, _ owner: TableKind, _ kinds: [(String, TableKind)], _ random: inout Numbers
    ) -> PropertyDefinition {
        var type = StoredPropertyType.allCases.randomElement(using: &random) ?? .int
        let targets = kinds.filter { $0.1 == .embedded || $0.1 == .topLevel && owner != .asymmetric }
        let target = targets.randomElement(using: &random)
        if type == .link, target == nil { type = .int }
        // Realm Core does not allow links from these.
        if type == .mixed, owner == .asymmetric { type = .string }
        var collection: CollectionKind?
        if random.chance(2) {
            collection = [.list, .set, .dictionary(.string)].randomElement(using: &random)
            if collection == .set, type == .link, target?.1 == .embedded { collection = .list }
        }
        var index = IndexKind.none
        if random.chance(3), owner != .asymmetric {
            index = type == .string && collection == nil && random.chance(2) ? .fullText : .general
        }
        let definition = PropertyDefinition(
            name, type, isNullable: random.chance(2), collection: collection,
            target: type == .link ? target.map { "class_\($0.0)" } : nil, index: index)
        guard definition.canHaveGeneralIndex else {
            var plain = definition
            plain.index = .none
            return plain
        }
        return definition
    }
}

// Values.
extension Numbers {
    /// Returns true once in `times` calls on average.
    package mutating func chance(_ times: Int) -> Bool { Int.random(in: 0..<times, using: &self) == 0 }

    package mutating func word() -> String {
        ["a", "dog", "Käse", "日本", "e\u{301}", "é", "x y", "Z"].randomElement(using: &self) ?? "a"
    }

    package mutating func bytes(_ count: Int) -> [UInt8] {
        (0..<count).map { _ in UInt8.random(in: 0...255, using: &self) }
    }

    /// Returns a value of which a class needs many: different numbers give different values.
    package mutating func unique(_ type: StoredPropertyType, _ number: Int) -> NewValue {
        switch type {
        case .string: .string("key \(number)")
        case .objectId: ObjectID(bytes(8) + UInt32(number).littleEndianBytes).map { .objectId($0) } ?? .null
        case .uuid: UUIDBytes(bytes(12) + UInt32(number).littleEndianBytes).map { .uuid($0) } ?? .null
        default: .int(Int64(number) * 37 - 4)
        }
    }

    package mutating func scalar(_ type: StoredPropertyType, _ number: Int?) -> NewValue {
        switch type {
        case .int:
            let edges: [Int64] = [
                .min, .max, 0, 1, -1, 2, 3, 4, 15, 16, 127, 128, -128, -129, 32767, 32768, -32769, 1 << 31, -1 << 31,
                1 << 32,
            ]
            return .int(
                (chance(2) ? edges.randomElement(using: &self) : nil) ?? Int64.random(in: -9...99, using: &self))
        case .bool: return .bool(chance(2))
        case .string: return text()
        case .binary:
            return .binary(bytes([0, 1, 7, 8, 63, 64, 65, 300].randomElement(using: &self) ?? 0))
        case .timestamp:
            let seconds: Int64 =
                [Int64.min, .max, 0, 1, -1, 1_700_000_000, -62_135_596_800].randomElement(using: &self) ?? 0
            let nanoseconds: Int64 = [0, 1, 999_999_999].randomElement(using: &self) ?? 0
            return Timestamp(seconds: seconds, nanoseconds: seconds < 0 ? -nanoseconds : nanoseconds)
                .map { .timestamp($0) } ?? .null
        case .float:
            let edges: [Float] = [
                0, -0.0, 1.5, -.infinity, .infinity, .greatestFiniteMagnitude, .leastNonzeroMagnitude, .nan,
                Float(bitPattern: 0xFFC0_0001), Float(bitPattern: 0x7F80_0001),
            ]
            return .float(edges.randomElement(using: &self) ?? 0)
        case .double:
            let edges: [Double] = [
                0, -0.0, 0.1, -.infinity, .infinity, .greatestFiniteMagnitude, .leastNonzeroMagnitude, .nan,
                Double(bitPattern: 0xFFF8_0000_0000_0001), Double(bitPattern: 0x7FF0_0000_0000_0001),
            ]
            return .double(edges.randomElement(using: &self) ?? 0)
        case .decimal128:
            let edges: [(UInt64, UInt64)] = [
                (0x3040_0000_0000_0000, 0), (0xB040_0000_0000_0000, 0), (0x3040_0000_0000_0000, 1),
                (0x303E_0000_0000_0000, 15),
                (0x5FFF_ED09_BEAD_87C0, 0x378D_8E63_FFFF_FFFF), (0x7800_0000_0000_0000, 0), (0xF800_0000_0000_0000, 0),
                (0x7C00_0000_0000_0000, 0), (0xB042_0000_0000_0000, UInt64.max),
            ]
            let (high, low) = edges.randomElement(using: &self) ?? (0, 0)
            return .decimal128(Decimal128Bits(high: high, low: low))
        case .objectId:
            let id = chance(4) ? [UInt8](repeating: 0, count: 12) : bytes(12)
            return ObjectID(id).map { .objectId($0) } ?? .null
        case .uuid:
            let id = chance(4) ? [UInt8](repeating: 0, count: 16) : bytes(16)
            return UUIDBytes(id).map { .uuid($0) } ?? .null
        case .mixed, .link: return .null
        }
    }

    private mutating func text() -> NewValue {
        switch Int.random(in: 0..<8, using: &self) {
        case 0: return ""
        case 1: return .string((0..<4).map { _ in word() }.joined(separator: " "))
        case 2: return .malformedString([0xC3, 0x28, 0xFF])
        case 3: return .string("with\u{0}zero")
        case 4:
            let count = [7, 8, 15, 16, 31, 32, 63, 64, 65, 200, 1000].randomElement(using: &self) ?? 0
            return .string(String(repeating: "x", count: count - 1) + (chance(2) ? "y" : "z"))
        default: return .string(word() + "\(Int.random(in: 0...30, using: &self))")
        }
    }

    /// Returns values no two of which are the same number in different types.
    package mutating func setElement(_ type: StoredPropertyType) -> NewValue {
        let number = Int.random(in: 1...40, using: &self)
        switch type {
        case .float: return chance(8) ? .float(-.infinity) : .float(Float(number) / 4)
        case .double: return chance(8) ? .double(.nan) : .double(Double(number) / 4)
        case .decimal128: return .decimal128(Decimal128Bits(high: 0x3040_0000_0000_0000, low: UInt64(number)))
        default:
            switch Int.random(in: 0..<8, using: &self) {
            case 0: return .null
            case 1: return .int(Int64(number))
            case 2: return .double(Double(number) + 0.5)
            case 3: return .float(Float(number) + 0.25)
            case 4: return .decimal128(Decimal128Bits(high: 0x303E_0000_0000_0000, low: UInt64(number) * 10 + 1))
            default:
                return scalar(
                    [.bool, .string, .binary, .timestamp, .objectId, .uuid].randomElement(using: &self) ?? .bool, nil)
            }
        }
    }
}
