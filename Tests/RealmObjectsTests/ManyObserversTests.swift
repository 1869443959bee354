import Expectations
import RealmObjects
import Testing

/// Observers of one realm, which share the computed changes of a version.
@Suite struct ManyObserversTests {
    /// An observer's view: the keys from its notifications, and the number of each.
    private final class Replayed {
        var ids: [Int] = []
        var numbers: [Int: Int?] = [:]

        func take(_ change: RealmCollectionChange<Results<Bead>>) {
            switch change {
            case .initial(let beads):
                ids = beads.map(\.id)
                for bead in beads { numbers[bead.id] = bead.number }
            case .update(let beads, let deletions, let insertions, let modifications):
                let modified = modifications.map { ids[$0] }
                for index in deletions.reversed() { ids.remove(at: index) }
                for index in insertions { ids.insert(beads[index].id, at: index) }
                for bead in beads
                where modified.contains(bead.id) || insertions.contains(where: { beads[$0].id == bead.id }) {
                    numbers[bead.id] = bead.number
                }
            case .error: Issue.record("an error")
            }
        }
    }

    @Test func `writes of a notification block are reported once to all observers`() throws {
        let beads = try QueueRealm([Bead.self, Ghost.self])
        let (first, second) = (Replayed(), Replayed())
        var told: [Int: [String]] = [:]
        try beads { realm in
            try realm.write { for id in 0..<5 { realm.create(Bead.self, value: ["id": id, "number": id * 10]) } }
            let all = realm.objects(Bead.self)
            var hasWritten = false
            beads.keep(
                all.observe { change in
                    first.take(change)
                    guard case .update = change, !hasWritten else { return }
                    hasWritten = true
                    #expect(throws: Never.self) {
                        try realm.write {
                            all[1].number = 11
                            realm.delete(all[3])
                            realm.create(Bead.self, value: ["id": 9, "number": 90])
                        }
                    }
                })
            beads.keep(all.observe { second.take($0) })
            for bead in all {
                let id = bead.id
                beads.keep(
                    bead.observe { (change: ObjectChange<Bead>) in
                        switch change {
                        case .change(_, let properties):
                            let values = properties.map { "\($0.name) \($0.newValue ?? "nil")" }.sorted()
                            told[id, default: []].append(values.joined(separator: ", "))
                        case .deleted: told[id, default: []].append("deleted")
                        case .error: told[id, default: []].append("error")
                        }
                    })
            }
        }
        try beads.elsewhere { realm in
            try realm.write {
                for bead in realm.objects(Bead.self).where({ $0.id == 0 || $0.id == 4 }) {
                    (bead.number, bead.isRound) = (bead.id + 1, true)
                }
            }
        }
        beads { realm in
            let now = realm.objects(Bead.self)
            expectEqual(now.map(\.id), [0, 1, 2, 4, 9])
            for replayed in [first, second] {
                expectEqual(replayed.ids, [0, 1, 2, 4, 9])
                expectEqual(now.map { replayed.numbers[$0.id] ?? nil }, [1, 11, 20, 5, 90])
            }
            expectEqual(
                told,
                [
                    0: ["isRound true, number 1"], 1: ["number 11"], 3: ["deleted"], 4: ["isRound true, number 5"],
                ])
        }
        beads.close()
    }
}
