import Expectations
import RealmCore
import RealmExchange
import TestSupport
import Testing

/// No silent losses: every type in every position is exported in every form and imported again, and every difference
/// was reported for its property.
@Suite struct ExchangeMatrixTests {
    /// Returns the values of all classes, by class and number.
    private static func values(_ snapshot: Snapshot) throws -> [String: [Int64: String]] {
        var found: [String: [Int64: String]] = [:]
        for table in snapshot.classes where table.schema.properties.contains(where: { $0.name == "v" }) {
            var cursor = table.objects
            found[table.name] = [:]
            while let object = try cursor.next() {
                guard case .int(let number) = try object["n"] else { throw TestSupportError("no number") }
                found[table.name]?[number] = try ExchangedValue(object["v"]).description
            }
        }
        return found
    }

    @Test(arguments: ExchangeForm.all)
    func `all differences are reported`(_ form: ExchangeForm) async throws {
        let folder = try TemporaryFolder()
        let source = try ExchangeMatrix.write(to: folder.file("matrix.realm"))
        let exported = try await Exported(source) { form.set(&$0) }
        expect(exported.report.damage.isEmpty)
        let imported = try Imported(path: exported.folder.path, allowing: [.utf8, .decimalForm]) { form.set(&$0) }
        // The number of reported losses of each class, in the export and in the import.
        var reported: [String: Int] = [:]
        for loss in exported.report.losses { reported[loss.className, default: 0] += loss.count }
        for loss in imported.report.losses { reported[loss.className, default: 0] += loss.count }
        let before = try Self.values(source)
        let after = try Self.values(imported.snapshot)
        expectEqual(Set(before.keys), Set(after.keys))
        var differing = 0
        for (name, objects) in before.sorted(by: { $0.key < $1.key }) {
            let others = after[name] ?? [:]
            let changed = objects.filter { others[$0.key] != $0.value }
            differing += changed.count
            // Losses inside embedded objects are reported for their class.
            let count = reported[name, default: 0] + (name.hasPrefix("Inside") ? reported["Inside", default: 0] : 0)
            let first = changed.min { $0.key < $1.key }
            expect(
                changed.count <= count,
                "\(name): \(changed.count) differ, \(count) reported; \(first?.value ?? "") became \(first.flatMap { others[$0.key] } ?? "nothing")"
            )
            // Nor are losses reported for unchanged values.
            expect(!changed.isEmpty || reported[name, default: 0] == 0, "\(name): reported, and the same")
            expectEqual(others.count, objects.count, "\(name)")
        }
        if form.profile == .canonical {
            expect(differing == 0 && exported.report.losses.isEmpty)
        } else {
            expect(differing > 0)
        }
    }
}
