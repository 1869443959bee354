package import RealmLayout
internal import Synchronization

/// Indexed values for which every object listed in the index was checked to have the value. A snapshot never changes,
/// so this stays true.
package final class ProvenValues: Sendable {
    /// A value in an index.
    package struct Place: Hashable, Sendable {
        private let table: TablePosition
        private let property: PropertyIndex
        private let bytes: [UInt8]?

        /// - Parameter bytes: the bytes of the value; nil for null.
        package init(table: TablePosition, property: PropertyIndex, bytes: [UInt8]?) {
            (self.table, self.property, self.bytes) = (table, property, bytes)
        }

        fileprivate var isShort: Bool { (bytes?.count ?? 0) <= ProvenValues.mostBytes }
    }

    /// The capacity; beyond it values are checked each time.
    private static let most = 1024
    private static let mostBytes = 256

    private let known = Mutex<Set<Place>>([])

    package func contains(_ place: Place) -> Bool { known.withLock { $0.contains(place) } }

    package func insert(_ place: Place) {
        guard place.isShort else { return }
        known.withLock { if $0.count < Self.most { $0.insert(place) } }
    }
}
