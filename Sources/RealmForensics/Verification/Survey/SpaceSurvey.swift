package import RealmCore
package import RealmLayout
internal import RealmStorage

/// The purposes of all bytes of a file, as one commit uses it: their sum is the size of the file.
package struct SpaceSurvey: Sendable {
    /// The size of the file.
    package let fileSize: Int
    /// Pages of entries of an encrypted file, and bytes after its last whole page.
    package let encryption: Int
    /// The file's header.
    package let header: Int
    /// The root of the commit, and the lists of tables and of their names.
    package let group: NodeBytes
    /// The tables, in file order.
    package let tables: [TableSpace]
    /// The history.
    package let history: NodeBytes
    /// The arrays of the free list.
    package let freeList: NodeBytes
    /// Nodes whose purpose is unknown.
    package let unknown: NodeBytes
    /// Bytes that only other commits use, by the number of the commit.
    package let otherCommits: [OtherCommit]
    /// The free chunks.
    package let free: FreeBytes
    /// Bytes inside the database that are neither used nor free.
    package let lost: Int
    /// Bytes after the database, without the footer.
    package let tail: Int
    /// The footer of the streaming form.
    package let footer: Int
    /// The contradictions that were found while counting.
    package let damage: SurveyDamage

    /// The bytes that another commit uses and this one does not.
    package struct OtherCommit: Equatable, Sendable {
        /// The number of the commit.
        package let number: UInt64
        /// The header's slot that leads to it.
        package let slot: Int
        /// Its bytes.
        package let bytes: Int
    }

    /// The bytes of the nodes of the commit.
    package var used: Int {
        group.bytes + tables.reduce(0) { $0 + $1.bytes } + history.bytes + freeList.bytes + unknown.bytes
    }

    /// The approximate size of a compacted file with the same objects, not encrypted: without history, list of free
    /// space and other commits.
    package var compactedSize: Int {
        guard used > 0 else { return FileHeader.size }
        return FileHeader.size + group.bytes + tables.reduce(0) { $0 + $1.bytes } + unknown.bytes
            + FileHeader.footerSize
    }

    /// Counts the bytes of a file.
    ///
    /// Visits every node once, and the nodes of each other commit once. Damaged nodes are left out and recorded; their
    /// bytes are lost, or free.
    ///
    /// - Parameter others: other commits of the same file.
    package init(of snapshot: Snapshot, others: [Snapshot] = []) {
        var counter = SpaceCounter(snapshot)
        snapshot.reading { counter.countNodes() }
        otherCommits = counter.countOthers(others)
        free = snapshot.reading { counter.countFree() }
        let plan = counter.plan
        let data = snapshot.data.view.count
        fileSize = snapshot.data.source.count
        encryption = fileSize - data
        header = min(FileHeader.size, data)
        tables = plan.tables(counter.counts)
        group = counter.counts[SurveyPlan.group]
        history = counter.counts[SurveyPlan.history]
        freeList = counter.counts[SurveyPlan.freeList]
        unknown = counter.counts[SurveyPlan.unknown]
        let isStreaming = FileHeader(snapshot.data.view)?.isStreaming ?? false
        let database = max(header, snapshot.logicalSize)
        let rest = data - database - counter.othersBeyond
        footer = isStreaming ? min(FileHeader.footerSize, max(0, rest)) : 0
        tail = max(0, rest - footer)
        let known =
            counter.counts.reduce(0) { $0 + $1.bytes } + free.bytes
            + otherCommits.reduce(0) { $0 + $1.bytes } - counter.othersBeyond
        lost = max(0, database - header - known)
        damage = counter.damage
    }
}

/// The free chunks of a file, by the commits that freed them. Parts that other commits of the header use are not
/// included.
package struct FreeBytes: Equatable, Sendable {
    /// Bytes that the next commit may use.
    package var reusable = 0
    /// Bytes that the commit itself freed: the next commit still keeps them for readers of the one before.
    package var freedLast = 0
    /// Bytes freed by earlier commits that were not reusable when the commit was written: a reader had an older
    /// snapshot open.
    package var pinned = 0
    /// The commits that freed the pinned bytes; nil when there are none.
    package var pinnedBy: ClosedRange<UInt64>?
    /// The number of chunks.
    package var chunks = 0
    /// The bytes of the largest chunk.
    package var largestChunk = 0

    /// All of them.
    package var bytes: Int { reusable + freedLast + pinned }
}

/// Contradictions that were found while bytes were counted.
package struct SurveyDamage: Sendable {
    /// The first of them.
    package private(set) var first: [FormatError] = []
    /// Their number.
    package private(set) var count = 0
    private static let kept = 20

    mutating func note(_ error: @autoclosure () -> FormatError) {
        count &+= 1
        if first.count < Self.kept { first.append(error()) }
    }
}
