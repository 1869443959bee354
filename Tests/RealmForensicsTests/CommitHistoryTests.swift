import Expectations
import Foundation
import RealmCore
import RealmForensics
import RealmLayout
import RealmStorage
import TestSupport
import Testing

struct CommitHistoryTests {
    private func entries(_ bytes: [UInt8]) throws -> (entries: [CommitHistory.Entry], history: CommitHistory) {
        var history = CommitHistory(try RealmDatabase(bytes: bytes).snapshot())
        var entries: [CommitHistory.Entry] = []
        history.forEach { entries.append($0) }
        return (entries, history)
    }

    /// Replaces the only changeset of `kennel` by another one of at most 41 bytes; the rest are instructions that
    /// select a table.
    private func entry(changeset: [UInt8]) throws -> (CommitHistory.Entry, [FormatError]) {
        var bytes = try KnownFile.fixture("kennel").bytes()
        let padding = [UInt8](repeating: 10, count: (41 - changeset.count) / 3 * 3)
        let filled = changeset + padding.enumerated().map { $0.offset % 3 == 0 ? 10 : 0 }
        // The blob of the changeset at 0xd38 has as many bytes as its header says (Spec 20).
        bytes.replaceSubrange(0xd40..<(0xd40 + filled.count), with: filled)
        bytes[0xd38 + 7] = UInt8(filled.count)
        let found = try entries(bytes)
        return (try #require(found.entries.first), found.history.damage)
    }

    /// Instructions assembled by hand from the table of Spec 80: numbers below 64 are a byte.
    @Test func `instructions are decoded`() throws {
        let (entry, damage) = try entry(changeset: [
            10, 0, 2, 11, 20, 13, 5, 3, 13, 5, 20, 12, 4, 30, 6, 3, 31, 0, 13, 5, 3, 10, 0, 4, 12, 1, 20, 9,
        ])
        expectEqual(entry.commit, 3)
        expect(damage.isEmpty)
        let tables = try #require(entry.changes?.tables)
        expectEqual(tables.map(\.key.value), [2, 4])
        expectEqual(tables[0].added.map(\.value), [20])
        expectEqual(tables[0].removed.map(\.value), [4])
        // Object 20 is new.
        expectEqual(tables[0].changed.map(\.key.value), [3])
        expectEqual(tables[0].changed.first?.columns.map(\.value), [5, 6])
        expectEqual(tables[1].removed.map(\.value), [1])
        expectEqual(tables[1].addedColumns.map(\.value), [9])
    }

    @Test func `the changes before an unknown instruction are kept`() throws {
        let (entry, damage) = try entry(changeset: [10, 0, 2, 11, 20, 99])
        expectEqual(entry.changes?.tables.first?.added.map(\.value), [20])
        expectEqual(entry.changes?.problem, "no instruction that is known at byte 5")
        expectEqual(damage.count, 1)
    }

    /// One commit made all objects of these files: what it added and did not remove again is in the dumps of Realm
    /// Core.
    @Test(arguments: [
        "kennel", "tombstones", "cluster-gaps", "mixed-nested", "enumerated", "format-11-people", "format-22-links",
    ])
    func `objects that were added and not removed are those of the dump`(_ fixture: String) throws {
        let file = try KnownFile.fixture(fixture)
        let (entries, history) = try entries(file.bytes())
        expect(history.damage.isEmpty)
        let changes = try #require(entries.last?.changes)
        let dump = try TypedDump(contentsOf: try #require(file.dump))
        for table in dump.tables where table.kind == "toplevel" && table.name.hasPrefix("class_") {
            let found = changes.tables.first { $0.key.value == table.key }
            let kept = Set(found?.added.map(\.value) ?? []).subtracting(found?.removed.map(\.value) ?? [])
            expectEqual(kept, Set(table.objects.map(\.key)), "\(table.name)")
        }
    }

    /// A synchronised history of layout 0 with two entries: versions and times 1 and 2.
    @Test func `the entries of a synchronised history are listed`() throws {
        let (entries, history) = try entries(OldState.earlySyncHistory.patient().bytes)
        expect(history.damage.isEmpty)
        expectEqual(history.total, 2)
        expectEqual(entries.map(\.commit), [2, 3])
        expectEqual(entries.map { $0.exchange?.serverVersion }, [1, 2])
        expectEqual(entries.map { $0.exchange?.originFile }, [1, 2])
        expectEqual(entries.map { $0.exchange?.milliseconds }, [1, 2])
        expect(entries.allSatisfy { $0.changes == nil })
    }

    @Test func `only the last entries are read on request`() throws {
        var history = CommitHistory(try RealmDatabase(bytes: OldState.earlySyncHistory.patient().bytes).snapshot())
        var commits: [UInt64] = []
        history.forEach(last: 1) { commits.append($0.commit) }
        history.forEach(last: 0) { commits.append($0.commit) }
        expectEqual(commits, [3])
    }
}
