import Expectations
import Foundation
import RealmCore
import RealmForensics
import RealmLayout
import RealmStorage
import TestSupport
import Testing

/// A repaired file, in a folder that is removed with it.
final class RepairedFile {
    let plan: RepairPlan
    /// The path of the new file, which does not exist when nothing was written.
    let path: String
    let report: VerificationReport?
    private let folder: TemporaryFolder

    /// Repairs `bytes`, and writes the result, complete or not.
    init(_ bytes: [UInt8], _ method: RepairMethod = .findRoot, format: FormatVersion? = nil) throws {
        folder = try TemporaryFolder()
        path = folder.file("repaired.realm")
        var repair = FileRepair(ByteSource(bytes: bytes))
        repair.format = format
        plan = try repair.plan(method)
        let prepared = try repair.prepare(plan, to: NewFile(path))
        report = prepared?.report
        try prepared?.commit()
    }

    func database() throws -> RealmDatabase { try RealmDatabase(path: path) }

    var fileNames: [String] { folder.names }

    /// Checks that the new file is intact and has the content of `snapshot`.
    func expectContent(of snapshot: Snapshot, _ what: String, sourceLocation: SourceLocation = #_sourceLocation) throws
    {
        let chosen = try #require(plan.chosen, "\(what)", sourceLocation: sourceLocation)
        expectEqual(chosen.state, .complete, "\(what): \(chosen)", sourceLocation: sourceLocation)
        expectEqual(chosen.ref, snapshot.topRef, "\(what)", sourceLocation: sourceLocation)
        expectEqual(report?.isSound, true, "\(what): \(report?.findings ?? [])", sourceLocation: sourceLocation)
        let found = try database().snapshot()
        expectEqual(found.topRef, snapshot.topRef, "\(what)", sourceLocation: sourceLocation)
        expectEqual(found.commitNumber, snapshot.commitNumber, "\(what)", sourceLocation: sourceLocation)
        try expectEqual(database().fileSize, snapshot.logicalSize, "\(what)", sourceLocation: sourceLocation)
        try expectEqual(database().isStreaming, false, "\(what)", sourceLocation: sourceLocation)
        let differences = try TypedDump(snapshot).differences(to: TypedDump(found))
        expect(differences.isEmpty, "\(what): \(differences)", sourceLocation: sourceLocation)
    }
}

extension Snapshot {
    /// Whether a node of the snapshot begins before `end`.
    func hasNode(before end: Int) -> Bool {
        guard let topRef else { return false }
        return hasNode(before: end, under: topRef)
    }

    /// Whether a node of the commit whose root is at `root` begins before `end`.
    func hasNode(before end: Int, under root: Ref) -> Bool {
        var walk = NodeWalk(root: root, in: space)
        while let step = walk.next() {
            if case .node(let node) = step, node.ref.offset < end { return true }
        }
        return false
    }
}
