public import RealmCore
internal import RealmLayout
package import RealmStorage

/// A repaired file that is written and verified but not yet named. It is deleted unless `commit` is called.
package struct PreparedRepair {
    /// The verification report of the new file.
    package let report: VerificationReport
    private let output: DatabaseOutput

    init(_ output: DatabaseOutput, _ report: VerificationReport) {
        self.output = output
        self.report = report
    }

    /// Gives the file its name.
    ///
    /// - Throws: `WriteError.storage`; the file is then deleted.
    package func commit() throws(WriteError) {
        do throws(StorageError) { try output.giveName() } catch { throw .storage(error) }
    }
}

extension PreparedRepair {
    /// Copies a sound file byte by byte to a temporary file beside the path of `file`, and verifies the result.
    ///
    /// - Parameter key: The key of the copied file, if it is encrypted; the copy stays so.
    /// - Throws: As `FileRepair.prepare`.
    package static func copy(
        of source: ByteSource, key: EncryptionKey?, to file: NewFile
    ) throws(WriteError) -> PreparedRepair {
        guard let header = source.view.slice(at: 0, count: FileHeader.size),
            let body = source.view.slice(at: FileHeader.size, count: source.count - FileHeader.size)
        else { throw .internalInconsistency("a file without a header cannot be copied") }
        var raw = file
        raw.key = nil
        let output = try raw.begin()
        let written: ByteSource
        do throws(StorageError) {
            try output.append(body)
            try output.complete(header: header.bytes, endsWithPage: false)
            written = try output.written()
        } catch {
            throw .storage(error)
        }
        return PreparedRepair(output, try Verification().run(onNew: written, key))
    }
}

extension FileRepair {
    /// Writes the chosen commit of a plan to a temporary file beside the path of `file`, and verifies the result.
    ///
    /// The new file keeps the bytes of the commit at their positions, without those beyond its logical size, and has a
    /// header that selects it. The free list therefore stays valid, and the previous commit is kept if it is complete.
    ///
    /// - Returns: Nil when the plan has no commit.
    /// - Throws: `WriteError.storage`, also when a file exists that may not be replaced or that a process has open,
    ///   and for a pipe or a device, which cannot be verified; `internalInconsistency` when the new file cannot be
    ///   opened.
    package func prepare(_ plan: RepairPlan, to file: NewFile) throws(WriteError) -> PreparedRepair? {
        guard let chosen = plan.chosen, let format = chosen.format,
            let body = plan.data.view.slice(at: FileHeader.size, count: chosen.logicalSize - FileHeader.size)
        else { return nil }
        var other: (root: Ref, format: FormatVersion)?
        if let kept = plan.kept.map({ plan.candidates[$0] }), let format = kept.format { other = (kept.ref, format) }
        let header = FileHeader.bytes(selecting: (chosen.ref, format), other: other)
        let output = try file.begin()
        let written: ByteSource
        do throws(StorageError) {
            try output.append(body)
            // A damaged logical size need not be a multiple of 8.
            try output.complete(header: header, endsWithPage: false)
            written = try output.written()
        } catch {
            throw .storage(error)
        }
        return PreparedRepair(output, try Verification().run(onNew: written, file.key))
    }

    /// Writes the chosen commit of a plan to a new file, whatever its state. The bytes of the commit keep their
    /// positions.
    ///
    /// - Returns: The verification report of the new file; nil when the plan has no commit and nothing is written.
    /// - Throws: `WriteError.storage`, also when a file exists that may not be replaced or that a process has open,
    ///   and for a pipe or a device, which cannot be verified; `internalInconsistency` when the new file cannot be
    ///   opened.
    @discardableResult
    public func write(_ plan: RepairPlan, to file: NewFile) throws(WriteError) -> VerificationReport? {
        guard let prepared = try prepare(plan, to: file) else { return nil }
        try prepared.commit()
        return prepared.report
    }
}

extension Verification {
    /// Verifies a newly written file.
    ///
    /// - Throws: `WriteError`: `internalInconsistency` when it is not encrypted with `key`.
    func run(onNew file: ByteSource, _ key: EncryptionKey?) throws(WriteError) -> VerificationReport {
        do {
            return try key.map { try run(on: file, key: $0) } ?? run(on: file)
        } catch let error as StorageError {
            throw .storage(error)
        } catch {
            throw .internalInconsistency("\(error)")
        }
    }
}
