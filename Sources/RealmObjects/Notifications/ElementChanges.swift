internal import RealmCore
internal import RealmLayout
internal import RealmStore

/// The elements of a collection as last reported to its observers.
enum ElementChanges {
    /// All objects of a table; only those that changed are examined.
    case all(Table)
    case keys(KeyList)
    case values([Value])

    /// - Parameter isFollowed: whether changes will be applied to the keys.
    init(_ set: ResultSet, isFollowed: Bool = false) {
        if case .table(let binding) = set.source, set.stages.isEmpty {
            set.realm.settle()
            self = .all(binding.table)
            return
        }
        self =
            switch set.content {
            case .all(let table): .all(table)
            case .keys(let keys, _): .keys(isFollowed ? keys.inPieces : keys)
            case .values(let values): .values(values)
            }
    }

    private var keys: [ObjectKey] {
        switch self {
        case .all(let table): Failure.unlessStopped { () throws(FormatError) in try table.keys }
        case .keys(let keys): keys.array
        case .values: []
        }
    }

    /// Returns the changes of the elements of a collection of objects.
    ///
    /// - Parameters:
    ///   - now: the elements in the current version.
    ///   - affected: the changes between both versions.
    ///   - paths: the observed properties; nil for all.
    ///   - list: the list that holds the elements, if any.
    func changes(
        to now: ElementChanges, _ affected: AffectedObjects, className: String, along paths: [[String]]?,
        of list: ManagedCollection?
    ) throws -> ChangedIndexes {
        let modified = try affected.keys(of: className, along: paths)
        guard case .all(let old) = self, case .all(let new) = now else {
            let (old, new) = (keys, now.keys)
            let changes = ChangedIndexes(from: old, to: new, modified: modified)
            guard let list else { return changes }
            // Setting another embedded object deletes the previous one, so a deleted one may have been replaced.
            let deleted = list.holdsEmbedded ? [] : Set(affected.table(className)?.deleted ?? [])
            return changes.joiningReplaced(old, new) { deleted.contains($0) }
        }
        let table = affected.table(className)
        let deleted = table?.deleted ?? []
        let staying = modified.subtracting(deleted).sorted()
        return ChangedIndexes(
            deletions: try old.positions(of: deleted).compactMap { $0 },
            insertions: try new.positions(of: table?.inserted ?? []).compactMap { $0 },
            // Objects modified through their links may have been inserted since.
            modifications: try old.positions(of: staying).compactMap { $0 })
    }
}

extension Table {
    /// The keys of all objects, in their order.
    var keys: [ObjectKey] {
        get throws(FormatError) {
            var keys: [ObjectKey] = []
            keys.reserveCapacity(try count)
            var cursor = objects
            while let object = try cursor.next() { keys.append(object.key) }
            return keys
        }
    }
}

extension ChangedIndexes {
    /// Computes the changes between two collections of values, which have no identity besides equality.
    ///
    /// - Parameter areSet: whether a removed value with an inserted one in its place counts as modified.
    init(from old: [Value], to new: [Value], areSet: Bool) {
        let ends = CommonEnds(old, new, ElementIdentity.areSame)
        self.init(
            from: old[ends.before].map { ElementIdentity($0) }, to: new[ends.now].map { ElementIdentity($0) },
            areSet: areSet)
        move(by: ends.count)
    }

    /// Computes the changes between two collections, given the identities of their elements.
    init(from old: [ElementIdentity], to new: [ElementIdentity], areSet: Bool) {
        self.init(from: old, to: new) { _ in false }
        if areSet { self = joiningReplaced { _, _ in true } }
    }

    /// Turns each removed object of a list with an inserted one in its place into a modification: the element was set.
    ///
    /// - Parameter isDeleted: whether an object no longer exists.
    func joiningReplaced(_ old: [ObjectKey], _ new: [ObjectKey], isDeleted: (ObjectKey) -> Bool) -> ChangedIndexes {
        guard !deletions.isEmpty, !insertions.isEmpty else { return self }
        let gone = Set(deletions.map { old[$0] })
        // A moved object was not set.
        let moved = gone.intersection(insertions.map { new[$0] })
        return joiningReplaced { before, now in
            !moved.contains(old[before]) && !gone.contains(new[now]) && !isDeleted(old[before])
        }
    }

    /// Turns each deletion with an insertion in its place into a modification, if the condition holds.
    private func joiningReplaced(_ isReplaced: (_ before: Int, _ now: Int) -> Bool) -> ChangedIndexes {
        var joined = ChangedIndexes()
        var (nextGone, nextNew) = (0, 0)
        // Elements between the deletions and insertions are equal.
        var (before, now) = (0, 0)
        while nextGone < deletions.count || nextNew < insertions.count {
            let gone = nextGone < deletions.count ? deletions[nextGone] - before : .max
            let new = nextNew < insertions.count ? insertions[nextNew] - now : .max
            let same = min(gone, new)
            (before, now) = (before + same, now + same)
            if gone == new, isReplaced(before, now) {
                joined.modifications.append(before)
                (nextGone, nextNew, before, now) = (nextGone + 1, nextNew + 1, before + 1, now + 1)
            } else if gone == same {
                joined.deletions.append(before)
                (nextGone, before) = (nextGone + 1, before + 1)
            } else {
                joined.insertions.append(now)
                (nextNew, now) = (nextNew + 1, now + 1)
            }
        }
        joined.modifications = (joined.modifications + modifications).sorted()
        return joined
    }

    /// Computes the changes between two collections of objects.
    init(from old: [ObjectKey], to new: [ObjectKey], modified: Set<ObjectKey>) {
        if modified.isEmpty, old == new {
            self.init()
        } else if old.isStrictlyAscending, new.isStrictlyAscending {
            self.init(ascending: old, new, modified.sorted())
        } else {
            let filter = KeyFilter(modified)
            self.init(from: old, to: new) { filter.contains($0) }
        }
    }

    /// Computes the changes between ascending keys, of which none moves.
    private init(ascending old: [ObjectKey], _ new: [ObjectKey], _ modified: [ObjectKey]) {
        self.init()
        var (before, now, next) = (0, 0, 0)
        while before < old.count || now < new.count {
            if now == new.count || before < old.count && old[before] < new[now] {
                deletions.append(before)
                before += 1
            } else if before == old.count || new[now] < old[before] {
                insertions.append(now)
                now += 1
            } else {
                while next < modified.count, modified[next] < old[before] { next += 1 }
                if next < modified.count, modified[next] == old[before] { modifications.append(before) }
                before += 1
                now += 1
            }
        }
    }
}

extension [ObjectKey] {
    fileprivate var isStrictlyAscending: Bool {
        var index = 1
        while index < count {
            if self[index - 1] >= self[index] { return false }
            index += 1
        }
        return true
    }
}
