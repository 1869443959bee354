internal import RealmLayout
internal import RealmReader
public import RealmStorage
public import RealmVerifier

/// A repaired file that is written and checked, but does not have its name yet. Without `commit` it vanishes.
public struct PreparedRepair {
    /// What the verifier says about the new file.
    public let report: VerificationReport
    private let output: OutputFile

    init(_ output: OutputFile, _ report: VerificationReport) {
        self.output = output
        self.report = report
    }

    /// Gives the file its name.
    ///
    /// - Throws: `StorageError`; the file is gone then.
    public func commit() throws(StorageError) { try output.commit() }
}

extension FileRepair {
    /// Writes the chosen commit of a plan to a temporary file beside `path`, and checks that.
    ///
    /// The new file has the bytes of the commit in their old places, without what follows its logical size, and a header
    /// that selects it. Its list of free chunks stays valid that way, and the commit before is kept where it is complete.
    ///
    /// - Parameter replacing: whether a file that is there may be replaced.
    /// - Returns: nil when the plan has no commit, or `path` is a pipe or a device, which cannot be checked.
    /// - Throws: `StorageError`, also when there is a file at `path` that may not be replaced.
    public func prepare(
        _ plan: RepairPlan, path: String, replacing: Bool = false
    ) throws(StorageError) -> PreparedRepair? {
        guard let chosen = plan.chosen, let format = chosen.format,
            let body = plan.data.view.slice(at: FileHeader.size, count: chosen.logicalSize - FileHeader.size)
        else { return nil }
        var other: (root: Ref, format: FormatVersion)?
        if let kept = plan.kept.map({ plan.candidates[$0] }), let format = kept.format { other = (kept.ref, format) }
        let output = try OutputFile(path: path, replacing: replacing)
        let header = FileHeader.bytes(selecting: (chosen.ref, format), other: other)
        try ByteView.with(header) { view throws(StorageError) in try output.write(view) }
        try output.write(body)
        // The length of a file is a multiple of 8, which a damaged logical size need not be.
        let rest = [UInt8](repeating: 0, count: (8 - chosen.logicalSize % 8) % 8)
        try ByteView.with(rest) { view throws(StorageError) in try output.write(view) }
        try output.synchronize()
        guard let written = try output.written() else { return nil }
        return PreparedRepair(output, Verification().run(on: written))
    }
}
