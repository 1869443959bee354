internal import RealmCore

#if canImport(FoundationEssentials)
    public import FoundationEssentials
    /// Indexes of sections, ascending. (`IndexSet` is in the part of Foundation that is avoided on Linux.)
    public typealias SectionIndexes = [Int]
#else
    public import Foundation
    /// Indexes of sections, ascending.
    public typealias SectionIndexes = IndexSet
#endif
public import Dispatch

/// A change of observed sectioned results.
///
/// ```swift
/// let token = realm.objects(Dog.self).sectioned(by: \.breed).observe { change in
///     if case .update(let sections, _, let insertions, _, _, _) = change { print(sections.count, insertions) }
/// }
/// token.invalidate()
/// ```
public enum SectionedResultsChange<Collection> {
    /// The sections when observing begins.
    case initial(Collection)
    /// Changes since the last notification: deletions and modifications are old places, insertions are new ones. No
    /// deletions are reported for the elements of a deleted section.
    case update(
        Collection, deletions: [IndexPath], insertions: [IndexPath], modifications: [IndexPath],
        sectionsToInsert: SectionIndexes, sectionsToDelete: SectionIndexes)
}

/// Former name of `SectionedResultsChange`.
public typealias RealmSectionedResultsChange = SectionedResultsChange

/// The keys and elements of sections, for comparison with a later state.
public struct _SectionContent {
    var keys: [SectionKey]
    var elements: [[ElementIdentity]]
    /// The key of a single section.
    var only: SectionKey?
}

/// Differences between two states of sections.
struct SectionChanges {
    private(set) var deletions: [IndexPath] = []
    private(set) var insertions: [IndexPath] = []
    private(set) var modifications: [IndexPath] = []
    private(set) var insertedSections: [Int] = []
    private(set) var deletedSections: [Int] = []

    var isEmpty: Bool {
        deletions.isEmpty && insertions.isEmpty && modifications.isEmpty && insertedSections.isEmpty
            && deletedSections.isEmpty
    }

    /// - Parameter set: the results in the sections.
    init(
        from old: _SectionContent, to new: _SectionContent, of set: ResultSet, isModified: (ElementIdentity) -> Bool
    ) {
        let sections = ChangedIndexes(from: old.keys, to: new.keys) { _ in false }
        func counts(_ key: SectionKey) -> Bool { new.only == nil || new.only == key }
        deletedSections = sections.deletions.filter { counts(old.keys[$0]) }
        insertedSections = sections.insertions.filter { counts(new.keys[$0]) }
        let places = Dictionary(
            old.keys.enumerated().map { ($0.element, $0.offset) }, uniquingKeysWith: { first, _ in first })
        let added = Set(sections.insertions)
        for (place, key) in new.keys.enumerated() where counts(key) {
            guard !added.contains(place), let before = places[key] else {
                insertions += new.elements[place].indices.map { IndexPath(indexes: [place, $0]) }
                continue
            }
            let (old, now) = (old.elements[before], new.elements[place])
            let changes =
                set.binding != nil
                ? ChangedIndexes(from: old, to: now, isModified: isModified)
                : ChangedIndexes(from: old, to: now, areSet: !set.isOfSet)
            deletions += changes.deletions.map { IndexPath(indexes: [before, $0]) }
            insertions += changes.insertions.map { IndexPath(indexes: [place, $0]) }
            modifications += changes.modifications.map { IndexPath(indexes: [before, $0]) }
        }
        deletions.sort()
        modifications.sort()
    }
}

extension ResultSet {
    /// Whether the elements, or objects that they reach over links, may have changed since a version.
    fileprivate func mayDiffer(since snapshot: Snapshot) -> Bool {
        let className =
            switch source {
            case .table(let binding): binding.model.className
            case .collection(let collection): collection.place.binding.model.className
            case .linking(let place, _, _): place.binding.model.className
            }
        return Failure.unlessStopped {
            try realm.observers.affected(from: snapshot, to: realm.snapshot).touchesNeighbours(of: className)
        }
    }
}

extension RealmSectionedResult {
    /// Calls a block with the sections, then after each change; see `RealmCollection.observe`.
    ///
    /// - Returns: a token that keeps the observer registered.
    public func observe(
        keyPaths: [String]? = nil, on queue: DispatchQueue? = nil,
        _ block: @escaping (SectionedResultsChange<Self>) -> Void
    ) -> NotificationToken {
        guard let state = realm?.state, !state.isFrozen else { Failure.stop(Failure.notObservable) }
        if let queue { return state.observe(self, on: queue) { $0.observe(keyPaths: keyPaths, block) } }
        let tell = teller(keyPaths)
        let token = state.observers.add { tell($0, $1, block) }
        state.scheduleTelling()
        return token
    }

    /// Returns a closure that reports the sections first, then their changes.
    func teller(_ keyPaths: [String]?) -> Teller<SectionedResultsChange<Self>> {
        guard let set = _origin.set else { Failure.stop(Failure.notObservable) }
        let told = ToldState<_SectionContent>()
        let keyPaths = keyPaths.flatMap { ColumnNames(set.binding?.model).observed($0) }
        return { [self] realm, silently, block in
            var isSame = false
            told.next(realm, silently: silently) { last in
                guard let last, !set.mayDiffer(since: last.snapshot) else { return _observed() }
                isSame = true
                return last.content
            } initial: { _ in
                block(.initial(self))
            } update: { before, snapshot, now in
                guard !isSame else { return }
                let modified = set.modified(since: snapshot, in: realm, keyPaths)
                let changes = SectionChanges(from: before, to: now, of: set) { modified.contains($0) }
                guard !changes.isEmpty else { return }
                block(
                    .update(
                        self, deletions: changes.deletions, insertions: changes.insertions,
                        modifications: changes.modifications,
                        sectionsToInsert: SectionIndexes(changes.insertedSections),
                        sectionsToDelete: SectionIndexes(changes.deletedSections)))
            }
        }
    }
}

extension SectionedResults where SectionElement: ObjectBase {
    /// Calls a block with the sections, then after each change to the observed key paths.
    public func observe(
        keyPaths: [PartialKeyPath<SectionElement>], on queue: DispatchQueue? = nil,
        _ block: @escaping (SectionedResultsChange<Self>) -> Void
    ) -> NotificationToken {
        observe(keyPaths: keyPaths.map { KeyPathRecorder.name($0, SectionElement.self) }, on: queue, block)
    }
}

extension ResultsSection where Element: ObjectBase {
    /// Calls a block with the section, then after each change to the observed key paths.
    public func observe(
        keyPaths: [PartialKeyPath<Element>], on queue: DispatchQueue? = nil,
        _ block: @escaping (SectionedResultsChange<Self>) -> Void
    ) -> NotificationToken {
        observe(keyPaths: keyPaths.map { KeyPathRecorder.name($0, Element.self) }, on: queue, block)
    }
}
