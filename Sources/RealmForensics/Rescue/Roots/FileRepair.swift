package import RealmCore
public import RealmLayout
public import RealmStorage

/// Repairs a file whose header or last commit is lost (Spec 160) by extracting a complete commit into a new file.
/// Never modifies the original file.
///
/// ```swift
/// let repair = FileRepair(try ByteSource(path: "broken.realm"))
/// let plan = try repair.plan(.findRoot)
/// if plan.isComplete { try repair.write(plan, to: NewFile("repaired.realm")) }
/// ```
public struct FileRepair: Sendable {
    /// Maximum number of candidates to verify: the newest ones, and those of the header. If a file has a complete
    /// commit, it is among the first.
    static let maximumJudged = 64

    /// The bytes to search, padded with zeros if the file was cut off.
    private(set) var data: DatabaseImage
    /// Number of bytes of the original file.
    let fileSize: Int
    let lostPages: Int
    /// Forces a format; nil to determine it from the nodes.
    public var format: FormatVersion?
    /// Minimum number of candidates to check, for listings. With 0 the search ends at the first complete one.
    package var minimumJudged = 0

    /// Prepares the repair of a plain file.
    public init(_ source: ByteSource) { self.init(.whatever(source)) }

    /// Prepares the repair of an encrypted file.
    ///
    /// - Throws: `FormatError` when the file is not encrypted, or the key is wrong; `StorageError` when there is no
    ///   room.
    public init(_ source: ByteSource, key: EncryptionKey) throws {
        let recovered = try DatabaseImage.recovered(source, key)
        self.init(recovered.data, lostPages: recovered.lostPages)
    }

    /// Prepares the repair of a database image.
    ///
    /// - Parameter lostPages: Number of pages of an encrypted file that could not be decrypted.
    package init(_ data: DatabaseImage, lostPages: Int = 0) {
        self.data = data
        fileSize = data.view.count
        self.lostPages = lostPages
    }

    /// A repair that reads dates of formats 2 to 4 as milliseconds, as Realm JavaScript before 0.13 wrote them.
    package var withMillisecondDates: FileRepair {
        var other = self
        other.data.hasMillisecondDates = true
        return other
    }

    /// Returns the format in the header of a plain file; nil when it is not a known one.
    package static func format(ofHeaderIn source: ByteSource) -> FormatVersion? {
        guard DatabaseImage.headerProblem(source) == nil, let header = FileHeader(source.view) else { return nil }
        let format = header.slots[header.selectedSlot].format
        return format.isClustered || format.isLegacy ? format : nil
    }

    /// Searches for commits.
    ///
    /// - Throws: For `otherSlot`, `zeroedHeader` and similar errors when there is no header, or `noOtherSlot` when
    ///   there is no other commit. For `findRoot`, `emptyFile`, `tooShort`, `notARealm` and similar errors when
    ///   nothing resembles a Realm file. For `found`, `noCommit` when the commit does not exist, listing those that
    ///   do.
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

    /// Error for a selected slot that was overwritten with foreign bytes and leads to no root.
    private var overwrittenSlot: FormatError? {
        guard let header = FileHeader(data.view), header.hasMnemonic,
            RootShape(atNumber: header.slots[header.selectedSlot].topRef, in: data.view) == nil
        else { return nil }
        return data.overwrittenSlot(header.selectedSlot)
    }

    /// Error for a file in streaming form that was cut off before its end and so lost its root.
    private var missingFooter: FormatError? {
        guard let header = FileHeader(data.view), header.isStreaming, FileHeader.streamedTopRef(in: data.view) == nil
        else { return nil }
        return .missingFooter(at: data.view.count - FileHeader.footerSize)
    }

    /// Returns a repair of the file with zeros in place of its missing end; nil when there is no room for a copy.
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

    /// Throws the error that all commands report when the other slot has no commit.
    private func checkOtherSlot() throws(FormatError) {
        guard let header = FileHeader(data.view) else { return }
        let slot = 1 - header.selectedSlot
        let topRef = header.slots[slot].topRef
        if topRef == 0 { throw .emptySlot(slot) }
        if topRef == FileHeader.streamingMarker { throw .slotOfStreamingForm(slot) }
    }
}
