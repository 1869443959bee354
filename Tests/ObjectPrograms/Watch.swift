import Foundation
import RealmObjects

/// The observers of a program, which apply their notifications.
final class Watch {
    private var tokens: [NotificationToken] = []
    private let sorted = Replay { .piece(["id": $0.piece["id"] ?? .null]) }
    private let deep = Replay { .piece(["id": $0.piece["id"] ?? .null]) }
    private let friends = Replay()
    private let numbers = Replay()
    private let anys = Replay()
    private let pieces = Replay()
    private let sections = SectionReplay()
    /// The property used as section key.
    private var sectioned = ""
    private var prices: Record = [:]
    private var mates: Record = [:]
    private var tags: Set<Plain> = []
    private var first: Record = [:]
    private var refreshes = 0
    private var told = 0

    private static func kept(_ realm: Realm) -> Results<Sample> {
        realm.objects(Sample.self).where { $0.age > 3 || $0.age == nil }.sorted(by: ["age", "id"])
    }

    private static func isKept(_ record: Record) -> Bool { record["age"]?.int.map { $0 > 3 } ?? true }

    private static func comesBefore(_ left: Record, _ right: Record) -> Bool {
        (left["age"]?.int ?? -1, left["id"]?.int ?? 0) < (right["age"]?.int ?? -1, right["id"]?.int ?? 0)
    }

    /// Returns a sample as seen by observers that are also notified of changes to linked objects.
    private static func deep(_ record: Record, _ records: [Int: Record]) -> Plain {
        func name(_ link: Plain?) -> Plain { link?.linked.flatMap { records[$0]?["name"] } ?? .null }
        var deep = record
        deep["next and its name"] = .list([name(record["next"])])
        deep["names of friends"] = .list((record["friends"]?.list ?? []).map(name))
        let mates = record["mates"]?.map ?? [:]
        deep["names of mates"] = .list(mates.keys.sorted().map { name(mates[$0]) })
        return .piece(deep)
    }

    /// Returns a live sample in the same form.
    private static func deep(_ sample: Sample) -> Plain {
        var record = SampleProperty.record(sample)
        record["next and its name"] = .list([sample.next?.name.plain ?? .null])
        record["names of friends"] = .list(sample.friends.map(\.name.plain))
        record["names of mates"] = .list(
            sample.mates.keys.sorted().map { (sample.mates[$0] ?? nil)?.name.plain ?? .null })
        return .piece(record)
    }

    init(_ world: World, _ sample: Sample) {
        guard let realm = world.realm else { return }
        follow(Self.kept(realm), SampleProperty.names, sorted) {
            .piece(SampleProperty.record($0).mapValues(\.shallow))
        }
        follow(realm.objects(Sample.self), nil, deep) { Self.deep($0) }
        follow(sample.friends, [], friends) { $0.plain }
        follow(sample.numbers, nil, numbers) { $0.plain }
        follow(sample.anys, [], anys) { $0.plain }
        follow(sample.pieces, nil, pieces) { $0.plain }
        tokens.append(
            sample.tags.observe { [unowned self] change in
                // Sets have no order: indices refer to the elements before and now.
                if case .update(let set, _, _, _) = change { tags = set.plain.set }
                if case .initial(let set) = change { tags = set.plain.set }
                told += 1
            })
        tokens.append(sample.prices.observe { [unowned self] in take($0, &prices) })
        tokens.append(sample.mates.observe(keyPaths: []) { [unowned self] in take($0, &mates) })
        first = SampleProperty.record(sample)
        tokens.append(
            sample.observe { [unowned self] (change: ObjectChange<Sample>) in
                guard case .change(let sample, let properties) = change else { return }
                told += 1
                for property in properties { first[property.name] = SampleProperty.value(property.name, of: sample) }
            })
        switch world.dice.roll(7) {
        case 0: follow(realm, \.double, "double")
        case 1: follow(realm, \.single, "single")
        case 2: follow(realm, \.comment, "comment")
        case 3: follow(realm, \.kind, "kind")
        case 4: follow(realm, \.decimal, "decimal")
        default: follow(realm, \.age, "age")
        }
        tokens.append(realm.observe { [unowned self] _, _ in refreshes += 1 })
    }

    private func follow<Key: SampleValue & _Persistable & Hashable>(
        _ realm: Realm, _ path: KeyPath<Sample, Key>, _ name: String
    ) {
        sectioned = name
        func all(_ sections: SectionedResults<Key, Sample>) -> [SectionReplay.Section] {
            sections.map { SectionReplay.Section(key: $0.key.plain, elements: $0.map(\.plain)) }
        }
        let order = [SortDescriptor(keyPath: name), SortDescriptor(keyPath: "id")]
        tokens.append(
            realm.objects(Sample.self).sectioned(by: path, sortDescriptors: order).observe { [unowned self] change in
                switch change {
                case .initial(let now): sections.begin(all(now))
                case .update(let now, let deletions, let insertions, _, let added, let gone):
                    sections.take(
                        all(now), deletions: deletions.map { ($0[0], $0[1]) },
                        insertions: insertions.map { ($0[0], $0[1]) }, sectionsToInsert: Array(added),
                        sectionsToDelete: Array(gone))
                }
            })
    }

    private func follow<C: RealmCollection>(
        _ collection: C, _ keyPaths: [String]?, _ replay: Replay, _ plain: @escaping (C.Element) -> Plain
    ) {
        tokens.append(
            collection.observe(keyPaths: keyPaths, on: nil) { change in
                switch change {
                case .initial(let now): replay.begin(now.map(plain))
                case .update(let now, let deletions, let insertions, let modifications):
                    replay.take(now.count, { plain(now[$0]) }, deletions, insertions, modifications)
                case .error: break
                }
            })
    }

    private func take<V: SampleValue>(_ change: RealmMapChange<Map<String, V>>, _ entries: inout Record) {
        switch change {
        case .initial(let map): entries = map.plain.map
        case .update(let map, let deletions, let insertions, let modifications):
            told += 1
            for key in deletions { entries[key] = nil }
            for key in insertions + modifications { entries[key] = map[key]?.plain }
        case .error: break
        }
    }

    /// Stops observing, so that new observers can be added.
    func stop() { tokens = [] }

    /// Checks that all views equal the actual content.
    func check(_ world: World) {
        let replays: [(String, Replay)] = [
            ("sorted", sorted), ("deep", deep), ("friends", friends), ("numbers", numbers), ("anys", anys),
            ("pieces", pieces),
        ]
        for (name, replay) in replays {
            world.expect(replay.wrong.isEmpty, "\(name): \(replay.wrong.first ?? "")")
            // The positions of collections in a list of mixed values are compared as a whole.
            if name != "anys", name != "pieces" {
                world.expect(replay.excess == 0, "\(name): \(replay.excess) too many")
            }
        }
        world.expect(sections.wrong.isEmpty, "\(sections.wrong.first ?? "")")
        guard let record = world.records[0] else { return world.fail("the first one is gone") }
        func known(_ name: String, _ replay: Replay) {
            let (known, expected) = (replay.known ?? [], record[name]?.list ?? [])
            world.expect(known == expected, "\(name) known as \(known) instead of \(expected)")
        }
        known("friends", friends)
        known("numbers", numbers)
        known("anys", anys)
        known("pieces", pieces)
        func same(_ name: String, _ known: Plain) {
            world.expect(known == record[name], "\(name) known as \(known) instead of \(record[name] ?? .null)")
        }
        same("prices", .map(prices))
        same("mates", .map(mates))
        same("tags", .set(tags))
        for (name, value) in record {
            world.expect(
                first[name]?.shallow == value.shallow,
                "the observer of the first knows \(name) as \(first[name] ?? .null) instead of \(value)")
        }
        let kept = world.records.values.filter(Self.isKept).sorted(by: Self.comesBefore).map {
            Plain.piece($0.mapValues(\.shallow))
        }
        world.expect(sorted.known == kept, "the sorted ones are known otherwise")
        let all = world.ids.compactMap { world.records[$0] }.map { Self.deep($0, world.records) }
        let seen = (deep.known ?? []).sorted { ($0.piece["id"]?.int ?? 0) < ($1.piece["id"]?.int ?? 0) }
        world.expect(
            seen == all,
            "what links lead to is known otherwise: \(zip(seen, all).map { Plain.differences($0, $1) })")
        checkSections(world)
        world.tally.notifications += told + refreshes + sections.count + replays.reduce(0) { $0 + $1.1.count }
        world.tally.notifications -= counted
        counted = told + refreshes + sections.count + replays.reduce(0) { $0 + $1.1.count }
    }
    private var counted = 0

    private func checkSections(_ world: World) {
        var expected: [Plain: [Plain]] = [:]
        for id in world.ids { expected[world.records[id]?[sectioned] ?? .null, default: []].append(.object(id)) }
        let wanted = expected.sorted { Plain.comesBefore($0.key, $1.key) }.map {
            SectionReplay.Section(key: $0.key, elements: $0.value)
        }
        world.expect(
            sections.known == wanted,
            "sections of \(sectioned) are known as \(sections.known ?? []) instead of \(wanted)")
    }
}

extension Plain {
    var piece: Record { if case .piece(let record) = self { record } else { [:] } }

    /// The order of values of one type: null first, then NaN.
    static func comesBefore(_ left: Plain, _ right: Plain) -> Bool {
        switch (left, right) {
        case (.null, _): right != .null
        case (.int(let left), .int(let right)): left < right
        case (.float(let left), .float(let right)): comesBefore(Float(bitPattern: left), Float(bitPattern: right))
        case (.double(let left), .double(let right)): comesBefore(Double(bitPattern: left), Double(bitPattern: right))
        case (.decimal(let left), .decimal(let right)): left.isNaN ? !right.isNaN : !right.isNaN && left < right
        case (.text(let left), .text(let right)): left.lexicographicallyPrecedes(right)
        default: false
        }
    }

    private static func comesBefore<Number: FloatingPoint>(_ left: Number, _ right: Number) -> Bool {
        left.isNaN ? !right.isNaN : left < right
    }

    /// Returns the differences in `now`.
    static func differences(_ known: Plain, _ now: Plain) -> String {
        guard case .piece(let before) = known, case .piece(let after) = now else {
            return known == now ? "" : "\(known) instead of \(now)"
        }
        return after.filter { before[$0.key] != $0.value }.map { name, value in
            "\(after["id"] ?? .null).\(name) is \(before[name] ?? .null) instead of \(value)"
        }.joined(separator: ", ")
    }
}
