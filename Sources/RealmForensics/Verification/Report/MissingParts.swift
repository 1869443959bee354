package import RealmCore
package import RealmLayout
internal import RealmStorage

/// Parts that the commits of a file need but the file lacks.
package struct MissingParts: Equatable, Sendable {
    /// Pages without data that contain nodes of a commit, ascending.
    package private(set) var pages: [Int] = []
    /// Pages without data that may or may not be needed: references to them may be lost, and the free list does not
    /// contain them.
    package private(set) var doubtfulPages: [Int] = []
    /// Whether the root of the current commit, or the end of its database, lies beyond the end of the file.
    package private(set) var isCutOff = false

    /// Finds the missing parts of a file whose header is readable.
    ///
    /// If there are pages without data, all nodes of both commits are visited, and their pages stay decrypted until the
    /// file is closed; otherwise, only the root of the current commit is read.
    ///
    /// - Parameter empty: the pages of an encrypted file without data, ascending.
    package init(of file: DatabaseImage, _ header: FileHeader, withoutData empty: [Int]) {
        withExtendedLifetime(file) {
            // The footer of the streaming form is read as plain bytes, so its page is decrypted first.
            if header.isStreaming, let pages = file.pages, file.view.count >= FileHeader.footerSize {
                do throws(FormatError) {
                    try PageAccess(pages, pins: true)
                        .admit(file.view.count - FileHeader.footerSize, FileHeader.footerSize)
                } catch {}
            }
            let current = Self.commit(header.selectedSlot, header, file)
            isCutOff = current.isCutOff
            guard !empty.isEmpty, let encrypted = file.pages else { return }
            if let scope = current.scope { Self.visit(scope) }
            let isKnown = encrypted.wantedWithoutData.isEmpty && (current.scope != nil || current.isEmpty)
            // If the other commit cannot be opened, its needs are unknown and not counted as missing.
            let wanted = encrypted.wantedWithoutData
            let other = Self.commit(1 - header.selectedSlot, header, file)
            if let scope = other.scope { Self.visit(scope) }
            let missing = other.scope == nil ? wanted : encrypted.wantedWithoutData
            pages = empty.filter(missing.contains)
            guard !isKnown || missing.count > wanted.count else { return }
            let free = current.scope.map(Self.freeBytes)
            doubtfulPages = empty.filter { page in
                guard !missing.contains(page) else { return false }
                guard let free, let scope = current.scope else { return true }
                let start = page * PageGeometry.pageSize
                let end = min(start + PageGeometry.pageSize, scope.root.logicalSize)
                return start < end && free.next(isSet: false, from: start, to: end) != nil
            }
        }
    }

    /// The commit that a slot of the header leads to, if it can be opened.
    private static func commit(
        _ slot: Int, _ header: FileHeader, _ file: DatabaseImage
    ) -> (scope: SnapshotScope?, isEmpty: Bool, isCutOff: Bool) {
        let sink = FindingSink(limit: 0)
        let data = DataUnderVerification(file.view, pages: file.pages)
        let target = HeaderChecks(file: data.bytes, sink: sink).target(ofSlot: slot, header)
        guard case .root(let topRef) = target else { return (nil, target == .empty, false) }
        let format = header.slots[slot].format
        let root = GroupRoot.open(at: topRef, slot: slot, format: format, in: data, sink)
        let scope = root.map { SnapshotScope(slot: slot, format: format, root: $0, file: data.bytes, sink: sink) }
        return (scope, false, sink.countsByCheck[.topRange] != nil)
    }

    /// Visits all nodes of a commit, so that their pages count as wanted.
    private static func visit(_ scope: SnapshotScope) {
        if CommitSweep.run([scope], Workers(1))[0] == nil { _ = OwnedNodeWalk.run(scope, tables: []) }
    }

    /// The bytes in the free list of a commit, as far as it is readable.
    private static func freeBytes(_ scope: SnapshotScope) -> WordMap {
        let limit = scope.root.logicalSize
        var free = WordMap(bytes: limit)
        guard let list = SpaceChecks(scope: scope).freeList() else { return free }
        for index in 0..<list.count {
            guard let chunk = list.chunk(index, limit: limit) else {
                // Arrays of width 0 can claim millions of elements.
                if list.lengths.width == 0 { break }
                continue
            }
            free.insert(chunk.lowerBound, count: chunk.count)
        }
        return free
    }
}
