internal import RealmReader

#if canImport(FoundationEssentials)
    public import FoundationEssentials
    /// Indexes of sections, in their order. (`IndexSet` is a part of Foundation that this library does without on Linux.)
    public typealias SectionIndexes = [Int]
#else
    public import Foundation
    /// Indexes of sections, in their order.
    public typealias SectionIndexes = IndexSet
#endif
public import Dispatch

/// What is told of sectioned results that are observed.
///
/// ```swift
/// let token = realm.objects(Dog.self).sectioned(by: \.breed).observe { change in
///     if case .update(let sections, _, let insertions, _, _, _) = change { print(sections.count, insertions) }
/// }
/// token.invalidate()
/// ```
public enum SectionedResultsChange<Collection> {
    /// The sections as they are when observing begins.
    case initial(Collection)
    /// What happened since: deletions and modifications are places before, insertions places now. Of a section that is gone no deletions
    /// are told.
    case update(
        Collection, deletions: [IndexPath], insertions: [IndexPath], modifications: [IndexPath],
        sectionsToInsert: SectionIndexes, sectionsToDelete: SectionIndexes)
}

/// The older name.
public typealias RealmSectionedResultsChange = SectionedResultsChange

/// What sections are made of, to be compared with what they are made of later.
public struct _SectionContent {
    var keys: [AnyHashable]
    var elements: [[ElementIdentity]]
    /// Of a single section its key.
    var only: AnyHashable?
    var set: ResultSet
}

/// What happened to sections from one state to the next.
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

    init(from old: _SectionContent, to new: _SectionContent, isModified: (ElementIdentity) -> Bool) {
        let sections = IndexChanges(from: old.keys, to: new.keys) { _ in false }
        func counts(_ key: AnyHashable) -> Bool { new.only == nil || new.only == key }
        deletedSections = sections.deletions.filter { counts(old.keys[$0]) }
        insertedSections = sections.insertions.filter { counts(new.keys[$0]) }
        let places = Dictionary(
            old.keys.enumerated().map { ($0.element, $0.offset) }, uniquingKeysWith: { first, _ in first })
        let added = Set(sections.insertions)
        let areObjects = new.set.binding != nil
        for (place, key) in new.keys.enumerated() where counts(key) {
            guard !added.contains(place), let before = places[key] else {
                insertions += new.elements[place].indices.map { IndexPath(indexes: [place, $0]) }
                continue
            }
            let (old, now) = (old.elements[before], new.elements[place])
            let changes =
                areObjects
                ? IndexChanges(from: old, to: now, isModified: isModified)
                : IndexChanges(from: old, to: now, areSet: !new.set.isOfSet)
            deletions += changes.deletions.map { IndexPath(indexes: [before, $0]) }
            insertions += changes.insertions.map { IndexPath(indexes: [place, $0]) }
            modifications += changes.modifications.map { IndexPath(indexes: [before, $0]) }
        }
        deletions.sort()
        modifications.sort()
    }
}

extension RealmSectionedResult {
    /// Calls a block with the sections, and then each time that they have changed; see `RealmCollection.observe`.
    ///
    /// - Returns: what keeps the observer going.
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

    /// Tells of the sections, first of what they are, then of what has changed.
    func teller(_ keyPaths: [String]?) -> Teller<SectionedResultsChange<Self>> {
        let told = ToldState<_SectionContent>()
        let keyPaths = keyPaths.flatMap { ColumnNames(_observed().set.binding?.model).observed($0) }
        return { [self] realm, silently, block in
            told.next(realm, silently: silently) { _ in
                _observed()
            } initial: { _ in
                block(.initial(self))
            } update: { before, snapshot, now in
                let modified = now.set.modified(since: snapshot, in: realm, keyPaths)
                let changes = SectionChanges(from: before, to: now) { modified.contains($0) }
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
    /// Calls a block with the sections, and then each time that they have changed, where key paths lead to.
    public func observe(
        keyPaths: [PartialKeyPath<SectionElement>], on queue: DispatchQueue? = nil,
        _ block: @escaping (SectionedResultsChange<Self>) -> Void
    ) -> NotificationToken {
        observe(keyPaths: keyPaths.map { KeyPathRecorder.name($0, SectionElement.self) }, on: queue, block)
    }
}

extension ResultsSection where Element: ObjectBase {
    /// Calls a block with the section, and then each time that it has changed, where key paths lead to.
    public func observe(
        keyPaths: [PartialKeyPath<Element>], on queue: DispatchQueue? = nil,
        _ block: @escaping (SectionedResultsChange<Self>) -> Void
    ) -> NotificationToken {
        observe(keyPaths: keyPaths.map { KeyPathRecorder.name($0, Element.self) }, on: queue, block)
    }
}
