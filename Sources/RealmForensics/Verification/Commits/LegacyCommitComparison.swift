internal import RealmCore
internal import RealmLayout

/// Compares the objects of two commits, one or both of formats 2 to 9, by their content as an upgrade would show it.
///
/// Objects are compared with those of the same row number. When a row was deleted, the last row took its number; this
/// counts as one changed and one deleted object.
struct LegacyCommitComparison {
    private let current: Snapshot
    private let other: Snapshot

    /// Returns nil when one of the commits cannot be read.
    init?(_ data: DatabaseImage, current: SnapshotScope, other: SnapshotScope) {
        do throws(FormatError) {
            self.current = try data.snapshot(at: current.root.ref, format: current.format)
            self.other = try data.snapshot(at: other.root.ref, format: other.format)
        } catch {
            return nil
        }
    }

    /// The changes by table, without unchanged tables; nil when something cannot be read.
    func changes() -> [VerificationReport.TableChange]? {
        let names = changedNames()
        guard !names.isEmpty else { return [] }
        let difference: ContentDifference
        do {
            difference = try other.contentDifference(to: current, classNames: names, maximumObjects: 0)
        } catch {
            return nil
        }
        let compared = difference.tables.map {
            VerificationReport.TableChange(
                name: $0.tableName, added: $0.added, changed: $0.changed, deleted: $0.removed)
        }
        let added = difference.addedTables.map {
            VerificationReport.TableChange(
                name: fullName($0.name, in: current), added: $0.objectCount, changed: 0, deleted: 0)
        }
        let deleted = difference.removedTables.map {
            VerificationReport.TableChange(
                name: fullName($0.name, in: other), added: 0, changed: 0, deleted: $0.objectCount)
        }
        return (compared + added + deleted).filter { $0.added + $0.changed + $0.deleted > 0 }
    }

    /// The names of tables that are not at the same place in both commits. Tables of subtables belong to other tables
    /// and are left out.
    private func changedNames() -> [String] {
        func places(_ snapshot: Snapshot) -> [String: Ref] {
            Dictionary(
                snapshot.tables.filter { $0.schema.kind != .embedded }.map { ($0.schema.tableName, $0.core.topRef) }
            ) { first, _ in first }
        }
        let (new, old) = (places(current), places(other))
        return Set((current.tables + other.tables).map(\.schema.tableName)).filter {
            new[$0] == nil || new[$0] != old[$0]
        }.sorted()
    }

    private func fullName(_ name: String, in snapshot: Snapshot) -> String {
        snapshot.tables.first { $0.name == name }?.schema.tableName ?? name
    }
}
