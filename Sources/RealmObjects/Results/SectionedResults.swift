#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// `SectionedResults`, and one section of them. Types of programs cannot conform to it, because only this library
/// creates the content to compare.
///
/// ```swift
/// func sizes<S: RealmSectionedResult>(_ sections: S) -> [Int] where S.Element: RealmSectionedResult { sections.map(\.count) }
/// print(sizes(realm.objects(Dog.self).sectioned(by: \.breed)))
/// ```
public protocol RealmSectionedResult: RandomAccessCollection, Equatable, ThreadConfined
where Index == Int {
    /// The source of the elements.
    var _origin: _CollectionOrigin { get }
    /// Returns the content that observing compares.
    func _observed() -> _SectionContent
}

/// Results in sections, one for each key that a function returns for their elements. They are live.
///
/// ```swift
/// let byLetter = realm.objects(Dog.self).sectioned(by: \.firstLetter)
/// for section in byLetter { print(section.key, section.map(\.name)) }
/// ```
public struct SectionedResults<Key: _Persistable & Hashable, SectionElement: RealmCollectionValue>:
    RealmSectionedResult
{
    /// A section.
    public typealias Element = ResultsSection<Key, SectionElement>
    /// Sections are counted from 0.
    public typealias Index = Int

    let table: SectionTable<Key, SectionElement>

    init(_ results: Results<SectionElement>, _ key: @escaping (SectionElement) -> Key) {
        table = SectionTable(results, key)
    }

    /// The keys of all sections, in their order.
    public var allKeys: [Key] { table.content.keys }
    /// Zero.
    public var startIndex: Int { 0 }
    /// The number of sections.
    public var endIndex: Int { table.content.keys.count }

    /// The section at an index.
    public subscript(index: Int) -> ResultsSection<Key, SectionElement> {
        let keys = table.content.keys
        guard keys.indices.contains(index) else {
            Failure.stop("Index \(index) is out of bounds (must be less than \(keys.count)).")
        }
        return ResultsSection(table: table, key: keys[index])
    }

    /// The element at an index of a section.
    public subscript(indexPath: IndexPath) -> SectionElement { self[indexPath[0]][indexPath[1]] }

    /// Whether both were returned by the same call.
    public static func == (left: Self, right: Self) -> Bool { left.table === right.table }

    /// The realm.
    public var realm: Realm? { table.results.realm }
    /// Whether the source of the results was deleted, or the realm invalidated.
    public var isInvalidated: Bool { table.results.isInvalidated }
    /// Whether they are immutable, and may be read on any thread.
    public var isFrozen: Bool { table.results.isFrozen }
    /// Returns the same results in another realm.
    public func _inRealm(_ realm: Realm) -> Self? {
        table.results._inRealm(realm).map { Self($0, table.key) }
    }
    /// The source of the elements.
    public var _origin: _CollectionOrigin { table.results._origin }
    /// Returns the content that observing compares.
    public func _observed() -> _SectionContent { table.observed(only: nil) }
}

/// A section: the elements with one key. It is live, and empty when no element has the key any more.
///
/// ```swift
/// for section in realm.objects(Dog.self).sectioned(by: \.age) {
///     print(section.key, section.count, section.first?.name ?? "none")
/// }
/// ```
public struct ResultsSection<Key: _Persistable & Hashable, Element: RealmCollectionValue>: RealmSectionedResult,
    Identifiable
{
    /// Elements are counted from 0.
    public typealias Index = Int

    let table: SectionTable<Key, Element>
    /// The common key of the elements.
    public let key: Key
    private let sectionKey: SectionKey

    init(table: SectionTable<Key, Element>, key: Key) {
        (self.table, self.key, sectionKey) = (table, key, SectionKey(key))
    }

    /// See `key`.
    public var id: Key { key }

    private var indexes: [Int] {
        let content = table.content
        return content.places[sectionKey].map { content.indexes[$0] } ?? []
    }

    /// Zero.
    public var startIndex: Int { 0 }
    /// The number of elements.
    public var endIndex: Int { indexes.count }

    /// The element at an index of the section.
    public subscript(index: Int) -> Element {
        let indexes = indexes
        guard indexes.indices.contains(index) else {
            Failure.stop("Index \(index) is out of bounds (must be less than \(indexes.count)).")
        }
        return table.results[indexes[index]]
    }

    /// Whether both are the same section of the same results.
    public static func == (left: Self, right: Self) -> Bool {
        left.table === right.table && left.sectionKey == right.sectionKey
    }

    /// The realm.
    public var realm: Realm? { table.results.realm }
    /// Whether the source of the results was deleted, or the realm invalidated.
    public var isInvalidated: Bool { table.results.isInvalidated }
    /// Whether it is immutable, and may be read on any thread.
    public var isFrozen: Bool { table.results.isFrozen }
    /// Returns the same section in another realm.
    public func _inRealm(_ realm: Realm) -> Self? {
        table.results._inRealm(realm).map { Self(table: SectionTable($0, table.key), key: key) }
    }
    /// The source of the elements.
    public var _origin: _CollectionOrigin { table.results._origin }
    /// Returns the content that observing compares.
    public func _observed() -> _SectionContent { table.observed(only: sectionKey) }
}

/// Identity of a section: its key, or the stored form of the key if Swift and files differ in which keys are equal.
enum SectionKey: Hashable {
    case stored(DistinctValue)
    case key(AnyHashable)

    init<Key: _Persistable & Hashable>(_ key: Key) {
        switch Key._traits.type {
        case .string where !(Key.self is any PersistableEnum.Type), .float, .double, .any:
            self = DistinctValue(of: key).map { .stored($0) } ?? .key(AnyHashable(key))
        default: self = .key(AnyHashable(key))
        }
    }
}

/// The sections of results, and the elements of each, in the realm's version.
final class SectionTable<Key: _Persistable & Hashable, Element: RealmCollectionValue> {
    let results: Results<Element>
    let key: (Element) -> Key
    private var known: (content: Content, stamp: UInt64)?

    struct Content {
        var keys: [Key] = []
        /// The index of each key in `keys`.
        var places: [SectionKey: Int] = [:]
        /// For each section, the indexes of its elements in the results.
        var indexes: [[Int]] = []
    }

    init(_ results: Results<Element>, _ key: @escaping (Element) -> Key) {
        (self.results, self.key) = (results, key)
        // Threads share frozen results, so everything is found now.
        if results.isFrozen { _ = content }
    }

    var content: Content {
        let realm = results.found.realm
        realm.settle()
        if let known, known.stamp == realm.stamp { return known.content }
        var content = Content()
        for (index, element) in results.enumerated() {
            let key = key(element)
            let sectionKey = SectionKey(key)
            if let place = content.places[sectionKey] {
                content.indexes[place].append(index)
            } else {
                content.places[sectionKey] = content.keys.count
                content.keys.append(key)
                content.indexes.append([index])
            }
        }
        known = (content, realm.stamp)
        return content
    }

    /// - Parameter only: the key of a single observed section; nil for all.
    func observed(only: SectionKey?) -> _SectionContent {
        let identities = results.identities
        let content = content
        return _SectionContent(
            keys: content.keys.map { SectionKey($0) },
            elements: content.indexes.map { indexes in indexes.map { identities[$0] } }, only: only)
    }
}

extension RealmCollection where Element: ObjectBase {
    /// Returns the elements in sections by the value of a key path, in the order of that value.
    public func sectioned<Key: _Persistable & Hashable>(
        by keyPath: KeyPath<Element, Key>, ascending: Bool = true
    ) -> SectionedResults<Key, Element> {
        SectionedResults(sorted(by: keyPath, ascending: ascending)) { $0[keyPath: keyPath] }
    }

    /// Returns the elements in sections by the value of a key path. The sections are in the order of their first
    /// elements.
    public func sectioned<Key: _Persistable & Hashable>(
        by keyPath: KeyPath<Element, Key>, sortDescriptors: [SortDescriptor]
    ) -> SectionedResults<Key, Element> {
        SectionedResults(sorted(by: sortDescriptors)) { $0[keyPath: keyPath] }
    }
}

extension RealmCollection {
    /// Returns the elements in sections by the result of a function. The sections are in the order of their first
    /// elements.
    public func sectioned<Key: _Persistable & Hashable>(
        by block: @escaping (Element) -> Key, sortDescriptors: [SortDescriptor]
    ) -> SectionedResults<Key, Element> {
        SectionedResults(sorted(by: sortDescriptors), block)
    }

    /// Returns the elements in sections by the result of a function; see `sectioned(by:sortDescriptors:)`.
    public func sectioned<Key: _Persistable & Hashable>(
        sortDescriptors: [SortDescriptor], _ keyBlock: @escaping (Element) -> Key
    ) -> SectionedResults<Key, Element> { sectioned(by: keyBlock, sortDescriptors: sortDescriptors) }

    /// Returns the values in their order, in sections by the result of a function.
    public func sectioned<Key: _Persistable & Hashable>(
        by block: @escaping (Element) -> Key, ascending: Bool = true
    ) -> SectionedResults<Key, Element> {
        SectionedResults(Results(resultSet.adding(.sorted(ascending: ascending))), block)
    }
}

extension RealmCollection where Element: ProjectionObservable {
    /// Returns the projections in sections by the value of a key path, in the order of that value.
    public func sectioned<Key: _Persistable & Hashable>(
        by keyPath: KeyPath<Element, Key>, ascending: Bool = true
    ) -> SectionedResults<Key, Element> {
        sectioned(
            by: keyPath, sortDescriptors: [SortDescriptor(keyPath: Element.rootPath(keyPath), ascending: ascending)])
    }

    /// Returns the projections in sections by the value of a key path. The sections are in the order of their first
    /// elements.
    public func sectioned<Key: _Persistable & Hashable>(
        by keyPath: KeyPath<Element, Key>, sortDescriptors: [SortDescriptor]
    ) -> SectionedResults<Key, Element> {
        SectionedResults(sorted(by: sortDescriptors)) { $0[keyPath: keyPath] }
    }
}
