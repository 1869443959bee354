import Foundation
import RealmCore
import RealmLayout
import RealmStore
import TestSupport
import WriterTestSupport

/// Files for queries that no fixture covers. Realm Core was run on exactly these bytes; after any change, run it again
/// (`Truth/README.md`).
enum TruthFile: String, CaseIterable {
    /// Valid and invalid GeoJSON points.
    case places
    /// Dictionaries and sets of links, and collections inside mixed values.
    case keyed

    func build() throws -> [UInt8] {
        let folder = try TemporaryFolder()
        let builder: RealmBuilder
        switch self {
        case .places:
            builder = try RealmBuilder(Self.placesSchema, at: NewFile(folder.file("\(rawValue).realm")))
            try Self.addPlaces(builder)
        case .keyed:
            builder = try RealmBuilder(Self.keyedSchema, at: NewFile(folder.file("\(rawValue).realm")))
            try Self.addKeyed(builder)
        }
        try builder.finish()
        guard let bytes = folder.bytes("\(rawValue).realm") else { throw CocoaError(.fileReadNoSuchFile) }
        // `REALMFILE_TRUTH_FILES=folder` keeps them there, for Core.
        if let place = ProcessInfo.processInfo.environment["REALMFILE_TRUTH_FILES"] {
            try Data(bytes).write(to: URL(filePath: place).appending(path: "\(rawValue).realm"))
        }
        return bytes
    }

    // MARK: Places

    private static let placesSchema = SchemaDefinition([
        TableDefinition(
            class: "Point", kind: .embedded,
            [
                PropertyDefinition("type", .string, isNullable: true),
                PropertyDefinition("coordinates", .double, collection: .list),
            ]),
        TableDefinition(
            class: "Loose", kind: .topLevel,
            [
                PropertyDefinition("type", .string), PropertyDefinition("coordinates", .double, collection: .list),
            ]),
        TableDefinition(class: "Other", kind: .embedded, [PropertyDefinition("type", .string)]),
        TableDefinition(
            class: "Place", primaryKey: "_id",
            [
                PropertyDefinition("_id", .int), PropertyDefinition("name", .string, isNullable: true),
                PropertyDefinition("location", .link, target: "Point"),
                PropertyDefinition("stops", .link, collection: .list, target: "Point"),
                PropertyDefinition("named", .link, collection: .dictionary(.string), target: "Point"),
                PropertyDefinition("next", .link, target: "Place"),
                PropertyDefinition("near", .link, collection: .list, target: "Place"),
                PropertyDefinition("loose", .link, target: "Loose"),
                PropertyDefinition("other", .link, target: "Other"),
            ]),
    ])

    private static func point(_ longitude: Double, _ latitude: Double, _ more: Double...) -> NewValue {
        .embedded(["type": .string("Point"), "coordinates": .list(([longitude, latitude] + more).map { .double($0) })])
    }

    private static func addPlaces(_ builder: RealmBuilder) throws {
        var points: [NewValue] = []
        for longitude in -3...3 { for latitude in -3...3 { points.append(point(Double(longitude), Double(latitude))) } }
        points += [
            point(0.5, 0.5), point(0.25, 0.75), point(0.5, 0), point(-0.0, 0.5), point(180, 1), point(-180, 1),
            point(179, 1), point(-179, 1), point(0, 90), point(90, 90), point(0, -90), point(0, 89), point(120, 89),
            point(10.7522, 59.9139), point(2.3522, 48.8566), point(-74.006, 40.7128), point(151.2093, -33.8688),
            point(2, 2, 2), point(2, 2, 2, 2), point(200, 1), point(1, 100), point(.nan, 1), point(1, .infinity),
            point(1e-9, 1e-9), point(1, 1 + 1e-12), point(90, 0), point(-90, 0), point(180, 0), point(45, 45),
            .embedded(["type": .string("point"), "coordinates": .list([.double(1), .double(1)])]),
            .embedded(["type": .string("POINT"), "coordinates": .list([.double(1), .double(1)])]),
            .embedded(["type": .string("Polygon"), "coordinates": .list([.double(1), .double(1)])]),
            .embedded(["type": .string("Points"), "coordinates": .list([.double(1), .double(1)])]),
            .embedded(["type": .null, "coordinates": .list([.double(1), .double(1)])]),
            .embedded(["type": .string("Point"), "coordinates": .list([.double(1)])]),
            .embedded(["type": .string("Point"), "coordinates": .list([])]), .null,
        ]
        var random = Numbers(state: 11)
        let spreads: [Double] = [1, 10, 90]
        for number in 0..<120 {
            let spread = spreads[number % 3]
            let longitude = Double.random(in: -2 * spread...2 * spread, using: &random)
            points.append(point(longitude, Double.random(in: -spread...spread, using: &random)))
        }
        let loose = try builder.add(
            "Loose", ["type": .string("Point"), "coordinates": .list([.double(1), .double(1)])])
        var places: [ObjectReference] = []
        for (number, point) in points.enumerated() {
            func others(_ count: Int) -> [NewValue] {
                (0..<count).compactMap { points[(number * 7 + $0 * 13) % points.count] }.filter {
                    if case .null = $0 { false } else { true }
                }
            }
            var values: [String: NewValue] = ["_id": .int(Int64(number)), "location": point]
            values["name"] = number % 9 == 0 ? .null : .string("place \(number)")
            values["stops"] = .list(others(number % 4))
            values["named"] = .dictionary(
                Dictionary(uniqueKeysWithValues: others(number % 3).enumerated().map { ("k\($0.offset)", $0.element) }))
            if let last = places.last, number % 3 > 0 { values["next"] = .link(last) }
            values["near"] = .list(places.suffix(number % 5).map { .link($0) })
            values["loose"] = number % 2 == 0 ? .null : .link(loose)
            values["other"] = number % 2 == 0 ? .null : .embedded(["type": .string("Point")])
            places.append(try builder.add("Place", values))
        }
    }

    // MARK: Keys

    private static let keyedSchema = SchemaDefinition([
        TableDefinition(
            class: "Pet", primaryKey: "_id",
            [
                PropertyDefinition("_id", .int), PropertyDefinition("name", .string, isNullable: true, index: .general),
                PropertyDefinition("about", .string, isNullable: true, index: .fullText),
                PropertyDefinition("weight", .double), PropertyDefinition("born", .timestamp, isNullable: true),
                PropertyDefinition("mix", .mixed),
            ]),
        TableDefinition(class: "Home", kind: .embedded, [PropertyDefinition("street", .string, isNullable: true)]),
        TableDefinition(
            class: "Keeper",
            [
                PropertyDefinition("name", .string),
                PropertyDefinition("pets", .link, collection: .dictionary(.string), target: "Pet"),
                PropertyDefinition("petList", .link, collection: .list, target: "Pet"),
                PropertyDefinition("petSet", .link, collection: .set, target: "Pet"),
                PropertyDefinition("homes", .link, collection: .dictionary(.string), target: "Home"),
                PropertyDefinition("pet", .link, target: "Pet"),
                PropertyDefinition("mix", .mixed), PropertyDefinition("anys", .mixed, collection: .list),
                PropertyDefinition("anySet", .mixed, collection: .set),
                PropertyDefinition("anyDict", .mixed, collection: .dictionary(.string)),
                PropertyDefinition("numbers", .int, isNullable: true, collection: .dictionary(.string)),
                PropertyDefinition("words", .string, isNullable: true, collection: .dictionary(.string)),
                PropertyDefinition("boss", .link, target: "Keeper"),
            ]),
    ])

    private static func addKeyed(_ builder: RealmBuilder) throws {
        var random = Numbers(state: 23)
        let keys = ["a", "b", "Käse", "long key that takes more than sixteen bytes", "", "x y", "1"]
        let names = ["Rex", "rex", "Fido", "Ärger", "ärger", "", "코코", "Old Yeller", "x"]
        let abouts = [
            "A quick brown fox", "The lazy dog sleeps", "quick, quicker: quickest", "Käse & Brot", "", "dog-food 24h",
            "café CAFÉ cafe", "one",
        ]
        func scalar() -> NewValue {
            switch Int.random(in: 0..<9, using: &random) {
            case 0: .null
            case 1: .int(Int64.random(in: -3...30, using: &random))
            case 2: .double(Double(Int.random(in: -3...30, using: &random)) / 2)
            case 3: .string(names.randomElement(using: &random) ?? "")
            case 4: .bool(random.chance(2))
            case 5: .binary(Array((names.randomElement(using: &random) ?? "").utf8))
            case 6: .float(Float(Int.random(in: 0...9, using: &random)))
            case 7: .decimal128(Decimal128Bits(Int64.random(in: 0...9, using: &random)))
            default:
                Timestamp(seconds: Int64.random(in: -2...5, using: &random) * 86400, nanoseconds: 0).map {
                    .timestamp($0)
                } ?? .null
            }
        }
        func nested(_ depth: Int) -> NewValue {
            switch depth < 3 ? Int.random(in: 0..<4, using: &random) : 3 {
            case 0: .list((0..<Int.random(in: 0...3, using: &random)).map { _ in nested(depth + 1) })
            case 1:
                .dictionary(
                    Dictionary(
                        uniqueKeysWithValues: keys.prefix(Int.random(in: 0...3, using: &random)).map {
                            ($0, nested(depth + 1))
                        }))
            default: scalar()
            }
        }
        func dictionary(_ value: () -> NewValue) -> NewValue {
            var entries: [String: NewValue] = [:]
            for key in keys where random.chance(3) { entries[key] = value() }
            return .dictionary(entries)
        }
        var pets: [ObjectReference] = []
        for number in 0..<40 {
            pets.append(
                try builder.add(
                    "Pet",
                    [
                        "_id": .int(Int64(number * 3)),
                        "name": number % 7 == 6 ? .null : .string(names[number % names.count]),
                        "about": number % 11 == 10 ? .null : .string(abouts[number % abouts.count]),
                        "weight": .double(Double(number % 13) / 2), "mix": scalar(),
                        "born": number % 5 == 4
                            ? .null
                            : Timestamp(seconds: Int64(number - 20) * 86400, nanoseconds: 0).map { .timestamp($0) }
                                ?? .null,
                    ]))
        }
        var keepers: [ObjectReference] = []
        for number in 0..<300 {
            func pet() -> NewValue { pets.randomElement(using: &random).map { .link($0) } ?? .null }
            var values: [String: NewValue] = ["name": .string("keeper \(number % 50)"), "mix": nested(0)]
            values["pets"] = dictionary { random.chance(5) ? .null : pet() }
            values["petList"] = .list((0..<Int.random(in: 0...3, using: &random)).map { _ in pet() })
            values["petSet"] = .list((0..<Int.random(in: 0...3, using: &random)).map { _ in pet() })
            values["homes"] = dictionary {
                .embedded(["street": random.chance(4) ? .null : .string(names.randomElement(using: &random) ?? "")])
            }
            values["pet"] = random.chance(4) ? .null : pet()
            values["anys"] = .list((0..<Int.random(in: 0...3, using: &random)).map { _ in nested(1) })
            values["anySet"] = .list((0..<Int.random(in: 0...3, using: &random)).map { _ in scalar() })
            values["anyDict"] = dictionary { nested(1) }
            values["numbers"] = dictionary { random.chance(5) ? .null : .int(Int64.random(in: -3...9, using: &random)) }
            values["words"] = dictionary {
                random.chance(5) ? .null : .string(names.randomElement(using: &random) ?? "")
            }
            values["boss"] = random.chance(3) ? .null : keepers.randomElement(using: &random).map { .link($0) } ?? .null
            keepers.append(try builder.add("Keeper", values))
        }
    }
}
