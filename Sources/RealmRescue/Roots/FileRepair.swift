public import RealmLayout
package import RealmReader
public import RealmStorage

/// First aid for a file whose header or last commit is lost (Spec 160): finds a commit that is complete and makes it a
/// file of its own. Never touches the file that it reads.
///
/// ```swift
/// let repair = FileRepair(try ByteSource(path: "broken.realm"))
/// let plan = try repair.plan(.findRoot)
/// if plan.isComplete { try repair.write(plan, to: NewFile("repaired.realm")) }
/// ```
public struct FileRepair: Sendable {
    /// How many candidates the verifier looks at before the search gives up: the newest ones, and those of the header.
    /// In files with a whole commit it is one of the first.
    static let maximumJudged = 64

    /// The bytes to be searched, with zeros at the end where the file was cut off.
    private(set) var data: DatabaseImage
    /// How many of them the file has.
    let fileSize: Int
    let lostPages: Int
    /// The format to take, whatever the nodes say; nil for finding out.
    public var format: FormatVersion?
    /// How many candidates to check at least, for a list; the search ends with the first complete one otherwise.
    package var minimumJudged = 0

    /// Prepares for repairing a plain file.
    public init(_ source: ByteSource) { self.init(.whatever(source)) }

    /// Prepares for repairing an encrypted file.
    ///
    /// - Throws: `FormatError` when it is no encrypted file, or the key does not fit; `StorageError` when there is no room.
    public init(_ source: ByteSource, key: EncryptionKey) throws {
        let recovered = try DatabaseImage.recovered(source, key)
        self.init(recovered.data, lostPages: recovered.lostPages)
    }

    /// Prepares for repairing the data of a file.
    ///
    /// - Parameter lostPages: pages of an encrypted file that could not be decrypted.
    package init(_ data: DatabaseImage, lostPages: Int = 0) {
        self.data = data
        fileSize = data.view.count
        self.lostPages = lostPages
    }

    /// The same with dates of formats 2 to 4 in milliseconds, as Realm JavaScript before 0.13 wrote them.
    package var withMillisecondDates: FileRepair {
        var other = self
        other.data.hasMillisecondDates = true
        return other
    }

    /// The format that the header of a plain file says; nil when it says none that there is.
    package static func format(ofHeaderIn source: ByteSource) -> FormatVersion? {
        guard DatabaseImage.headerProblem(source) == nil, let header = FileHeader(source.view) else { return nil }
        let format = header.slots[header.selectedSlot].format
        return format.isClustered || format.isLegacy ? format : nil
    }

    /// Looks for commits.
    ///
    /// - Throws: for `otherSlot` when there is no header, `zeroedHeader` and others, or no other commit, `noOtherSlot`; for
    ///   `findRoot` when there is not even a sign of a Realm file, `emptyFile`, `tooShort`, `notARealm` and others; for
    ///   `found` when there is no such commit, `noCommit`, naming those that there are.
    public func plan(_ method: RepairMethod) throws(FormatError) -> RepairPlan {
        let problem = headerProblem
        if let problem, problem.code == .bytesInFront { throw problem }
        if method == .otherSlot {
            if let problem { throw problem }
            try checkOtherSlot()
        }
        var session = RepairSession(self)
        session.search(method)
        if session.candidates.isEmpty, let problem { throw problem }
        if let size = session.paddedSize, let padded = padded(to: size) {
            session = RepairSession(padded)
            session.search(method)
        }
        if case .found(let place) = method,
            !session.candidates.contains(where: { place.matches($0.ref, commit: $0.commit) })
        {
            throw place.missing(among: session.candidates.map(\.commit))
        }
        session.choose(method)
        return session.plan(method, problem ?? overwrittenSlot ?? (session.candidates.isEmpty ? missingFooter : nil))
    }

    /// That foreign bytes were written over the selected slot, which leads to no root.
    private var overwrittenSlot: FormatError? {
        guard let header = FileHeader(data.view), header.hasMnemonic,
            RootShape(atNumber: header.slots[header.selectedSlot].topRef, in: data.view) == nil
        else { return nil }
        return data.overwrittenSlot(header.selectedSlot)
    }

    /// That the end of a file in streaming form is missing, and the root with it.
    private var missingFooter: FormatError? {
        guard let header = FileHeader(data.view), header.isStreaming, FileHeader.streamedTopRef(in: data.view) == nil
        else { return nil }
        return .missingFooter(at: data.view.count - FileHeader.footerSize)
    }

    /// The same with zeros where the end of the file is missing; nil when there is no room for a copy.
    private func padded(to size: Int) -> FileRepair? {
        do throws(StorageError) {
            var repair = self
            repair.data = .whatever(try ByteSource(data.view, paddedTo: size))
            return repair
        } catch {
            return nil
        }
    }

    private var headerProblem: FormatError? {
        if data.pages == nil { return DatabaseImage.headerProblem(data.source) }
        if FileHeader(data.view)?.hasMnemonic ?? false { return nil }
        return FormatError(
            .overwrittenHeader, at: 0,
            "what was decrypted does not begin like a Realm file: the first page is lost, or the first half of the key wrong"
        )
    }

    /// Says why there is nothing in the other slot, in the words of all other commands.
    private func checkOtherSlot() throws(FormatError) {
        guard let header = FileHeader(data.view) else { return }
        let slot = 1 - header.selectedSlot
        let topRef = header.slots[slot].topRef
        if topRef == 0 { throw .emptySlot(slot) }
        if topRef == FileHeader.streamingMarker { throw .slotOfStreamingForm(slot) }
    }
}
