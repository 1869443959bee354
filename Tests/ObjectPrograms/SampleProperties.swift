import RealmObjects

/// A property of a sample: how to read it, and how to change it in a live object and in memory.
struct SampleProperty: @unchecked Sendable {
    let name: String
    let read: (Sample) -> Plain
    let change: (Sample, inout Plain, World) -> Void
    /// Whether single elements and their number equal those of the collection in memory; true for other properties.
    let elementsAgree: (Sample, Plain, World) -> Bool

    init(
        name: String, read: @escaping (Sample) -> Plain,
        elementsAgree: @escaping (Sample, Plain, World) -> Bool = { _, _, _ in true },
        change: @escaping (Sample, inout Plain, World) -> Void
    ) {
        (self.name, self.read, self.elementsAgree, self.change) = (name, read, elementsAgree, change)
    }

    /// Returns a property with a value, or a collection that is replaced as a whole.
    static func value<V: SampleValue>(
        _ name: String, _ path: ReferenceWritableKeyPath<Sample, V>
    ) -> SampleProperty {
        SampleProperty(name: name, read: { $0[keyPath: path].plain }) { sample, plain, world in
            let value = V.random(world)
            plain = value.plain
            if world.dice.roll(4) == 0 { sample[name] = value } else { sample[keyPath: path] = value }
        }
    }

    static func list<V: SampleValue & RealmCollectionValue>(
        _ name: String, _ path: ReferenceWritableKeyPath<Sample, List<V>>
    ) -> SampleProperty {
        SampleProperty(
            name: name, read: { $0[keyPath: path].plain },
            elementsAgree: { elementsAgree($0[keyPath: path], $1.list, $2) }
        ) { sample, plain, world in
            if world.dice.roll(12) == 0 {
                let list = List<V>.random(world)
                plain = list.plain
                return sample[keyPath: path] = list
            }
            var values = plain.list
            change(sample[keyPath: path], &values, world)
            plain = .list(values)
        }
    }

    static func set<V: SampleValue & RealmCollectionValue>(
        _ name: String, _ path: ReferenceWritableKeyPath<Sample, MutableSet<V>>
    ) -> SampleProperty {
        SampleProperty(
            name: name, read: { $0[keyPath: path].plain },
            elementsAgree: { sample, plain, world in
                let (set, value) = (sample[keyPath: path], V.random(world))
                return set.contains(value) == plain.set.contains(value.plain) && set.count == plain.set.count
            }
        ) { sample, plain, world in
            let set = sample[keyPath: path]
            let other = MutableSet<V>.random(world)
            switch world.dice.roll(8) {
            case 0:
                set.removeAll()
                plain = .set([])
            case 1:
                set.formUnion(other)
                plain = .set(plain.set.union(other.plain.set))
            case 2:
                set.formIntersection(other)
                plain = .set(plain.set.intersection(other.plain.set))
            case 3:
                set.subtract(other)
                plain = .set(plain.set.subtracting(other.plain.set))
            case 4:
                plain = other.plain
                sample[keyPath: path] = other
            case 5:
                for value in other { set.remove(value) }
                plain = .set(plain.set.subtracting(other.plain.set))
            default:
                let value = V.random(world)
                set.insert(value)
                plain = .set(plain.set.union([value.plain]))
            }
        }
    }

    static func map<V: SampleValue & RealmCollectionValue>(
        _ name: String, _ path: ReferenceWritableKeyPath<Sample, Map<String, V>>
    ) -> SampleProperty {
        SampleProperty(
            name: name, read: { $0[keyPath: path].plain },
            elementsAgree: { sample, plain, world in
                let (map, key) = (sample[keyPath: path], world.key())
                return map[key]?.plain == plain.map[key] && map.count == plain.map.count
            }
        ) { sample, plain, world in
            if world.dice.roll(12) == 0 {
                let map = Map<String, V>.random(world)
                plain = map.plain
                return sample[keyPath: path] = map
            }
            var entries = plain.map
            change(sample[keyPath: path], &entries, world)
            plain = .map(entries)
        }
    }

    private static func elementsAgree<V: SampleValue & RealmCollectionValue>(
        _ list: List<V>, _ values: [Plain], _ world: World
    ) -> Bool {
        guard list.count == values.count else { return false }
        guard !values.isEmpty else { return list.isEmpty && list.first == nil && list.last == nil }
        let place = world.dice.roll(values.count)
        let ends = list.first?.plain == values.first && list.last?.plain == values.last
        return ends && list[place].plain == values[place]
    }

    /// Changes a list, and the same list in memory.
    static func change<V: SampleValue & RealmCollectionValue>(_ list: List<V>, _ values: inout [Plain], _ world: World)
    {
        let place = world.dice.roll(values.count + 1)
        guard place < values.count, world.dice.roll(3) > 0 else {
            let value = V.random(world)
            values.insert(value.plain, at: place)
            return list.insert(value, at: place)
        }
        let other = world.dice.roll(values.count)
        switch world.dice.roll(10) {
        case 0, 1, 2:
            list.remove(at: place)
            values.remove(at: place)
        case 3, 4:
            list.move(from: place, to: other)
            values.insert(values.remove(at: place), at: other)
        case 5 where !(V.self is EmbeddedObject.Type):
            list.swapAt(place, other)
            values.swapAt(place, other)
        case 6:
            list.removeAll()
            values.removeAll()
        case 7:
            let range = min(place, other)..<max(place, other)
            let new = List<V>.random(world)
            values.replaceSubrange(range, with: new.plain.list)
            list.replaceSubrange(range, with: Array(new))
        default:
            let value = V.random(world)
            values[place] = value.plain
            list[place] = value
        }
    }

    /// Changes a map, and the same map in memory.
    static func change<V: SampleValue & RealmCollectionValue>(
        _ map: Map<String, V>, _ entries: inout Record, _ world: World
    ) {
        let key = world.key()
        switch world.dice.roll(9) {
        case 0:
            map.removeAll()
            entries = [:]
        case 1:
            map[key] = nil
            entries[key] = nil
        case 2:
            map.removeObject(for: key)
            entries[key] = nil
        case 3:
            let other = Map<String, V>.random(world)
            entries.merge(other.plain.map) { $1 }
            map.merge(other.asKeyValueSequence()) { $1 }
        case 4:
            let value = V.random(world)
            entries[key] = value.plain
            map.updateValue(value, forKey: key)
        default:
            let value = V.random(world)
            entries[key] = value.plain
            map[key] = value
        }
    }

    /// Changes a random collection inside a mixed value.
    ///
    /// - Returns: whether there was one.
    static func change(inside value: AnyRealmValue, _ plain: inout Plain, _ world: World) -> Bool {
        switch value {
        case .list(let list):
            var values = plain.list
            let inner = values.indices.filter { values[$0].isCollection }
            if !inner.isEmpty, world.dice.roll(2) == 0 {
                let place = world.dice.one(of: inner)
                _ = change(inside: list[place], &values[place], world)
            } else {
                change(list, &values, world)
            }
            plain = .list(values)
        case .dictionary(let map):
            var entries = plain.map
            let inner = entries.filter { $0.value.isCollection }.keys.sorted()
            if !inner.isEmpty, world.dice.roll(2) == 0 {
                let key = world.dice.one(of: inner)
                if let value = map[key], var plain = entries[key] {
                    _ = change(inside: value, &plain, world)
                    entries[key] = plain
                }
            } else {
                change(map, &entries, world)
            }
            plain = .map(entries)
        default: return false
        }
        return true
    }

    /// Changes a piece in place.
    static func change(_ piece: Piece, _ record: inout Record, _ world: World) {
        switch world.dice.roll(4) {
        case 0:
            piece.label = .random(world)
            record["label"] = piece.label.plain
        case 1:
            let weight = Int?.random(world)
            piece.weight = weight
            record["weight"] = weight.plain
        case 2:
            var values = record["values"]?.list ?? []
            change(piece.values, &values, world)
            record["values"] = .list(values)
        default:
            let target = Sample?.random(world)
            piece.target = target
            record["target"] = target.plain
        }
    }
}

extension Plain {
    fileprivate var isCollection: Bool {
        switch self {
        case .list, .map: true
        default: false
        }
    }
}

extension SampleProperty {
    /// All properties except the primary key and those computed from backlinks.
    static let all: [SampleProperty] = [
        value("flag", \.flag), value("tiny", \.tiny), value("short", \.short), value("middle", \.middle), age,
        value("single", \.single), value("double", \.double), value("name", \.name), value("comment", \.comment),
        value("bytes", \.bytes), value("moment", \.moment), value("mark", \.mark), value("decimal", \.decimal),
        value("uuid", \.uuid), value("kind", \.kind), any, value("next", \.next), piece, list("numbers", \.numbers),
        list("gaps", \.gaps), list("texts", \.texts), list("moments", \.moments), anys, list("friends", \.friends),
        pieces,
        set("tags", \.tags), set("sizes", \.sizes), set("circle", \.circle), map("prices", \.prices),
        map("notes", \.notes), map("mates", \.mates), anyMap, pieceMap,
    ]

    static let collections = all.filter {
        switch $0.read(Sample()) {
        case .list, .set, .map: true
        default: false
        }
    }

    static let names = all.map(\.name) + ["long"]

    private static let named = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })

    static func value(_ name: String, of sample: Sample) -> Plain {
        named[name]?.read(sample) ?? sample.long.plain
    }

    static func record(_ sample: Sample) -> Record {
        var record: Record = ["id": sample.id.plain, "long": sample.long.plain]
        for property in all { record[property.name] = property.read(sample) }
        return record
    }

    private static let age = SampleProperty(name: "age", read: { $0.age.plain }) { sample, plain, world in
        let age = world.dice.roll(4) == 0 ? nil : world.dice.roll(9)
        sample.age = age
        plain = age.plain
    }

    private static let any = SampleProperty(name: "any", read: { $0.any.plain }) { sample, plain, world in
        guard world.dice.roll(3) == 0 || !change(inside: sample.any, &plain, world) else { return }
        let value = AnyRealmValue.random(world)
        plain = value.plain
        sample.any = value
    }

    private static let anys = within("anys", \.anys, list("anys", \.anys)) { sample, plain, world in
        var values = plain.list
        let place = world.dice.roll(values.count)
        _ = change(inside: sample.anys[place], &values[place], world)
        plain = .list(values)
    }

    private static let wholeAnyMap = map("anyMap", \.anyMap)

    private static let anyMap = SampleProperty(
        name: "anyMap", read: wholeAnyMap.read, elementsAgree: wholeAnyMap.elementsAgree
    ) { sample, plain, world in
        let key = world.key()
        if world.dice.roll(2) == 0, let value = sample.anyMap[key], var inner = plain.map[key],
            change(inside: value, &inner, world)
        {
            var entries = plain.map
            entries[key] = inner
            plain = .map(entries)
        } else {
            wholeAnyMap.change(sample, &plain, world)
        }
    }

    private static let piece = SampleProperty(name: "piece", read: { $0.piece.plain }) { sample, plain, world in
        if world.dice.roll(2) == 0, let piece = sample.piece, case .piece(var record) = plain {
            change(piece, &record, world)
            plain = .piece(record)
        } else {
            let piece = Piece?.random(world)
            plain = piece.plain
            sample.piece = piece
        }
    }

    private static let pieces = within("pieces", \.pieces, list("pieces", \.pieces)) { sample, plain, world in
        var values = plain.list
        let place = world.dice.roll(values.count)
        guard case .piece(var record) = values[place] else { return }
        change(sample.pieces[place], &record, world)
        values[place] = .piece(record)
        plain = .list(values)
    }

    private static let wholePieceMap = map("pieceMap", \.pieceMap)

    private static let pieceMap = SampleProperty(
        name: "pieceMap", read: wholePieceMap.read, elementsAgree: wholePieceMap.elementsAgree
    ) { sample, plain, world in
        let key = world.key()
        if world.dice.roll(2) == 0, let piece = sample.pieceMap[key] ?? nil, case .piece(var record)? = plain.map[key] {
            var entries = plain.map
            change(piece, &record, world)
            entries[key] = .piece(record)
            plain = .map(entries)
        } else {
            wholePieceMap.change(sample, &plain, world)
        }
    }

    /// Returns a list that is changed as a whole, or inside an element.
    private static func within<V: SampleValue & RealmCollectionValue>(
        _ name: String, _ path: KeyPath<Sample, List<V>>, _ whole: SampleProperty,
        _ inside: @escaping (Sample, inout Plain, World) -> Void
    ) -> SampleProperty {
        SampleProperty(name: name, read: whole.read, elementsAgree: whole.elementsAgree) { sample, plain, world in
            if world.dice.roll(2) == 0, !plain.list.isEmpty {
                inside(sample, &plain, world)
            } else {
                whole.change(sample, &plain, world)
            }
        }
    }
}
