#if canImport(SwiftUI)
    public import Foundation
    public import SwiftUI

    /// A collection changed through a binding: each change uses a transaction of its own unless one is open.
    public protocol BoundCollection {
        /// The type of the collection.
        associatedtype Value
        /// The type of its elements.
        associatedtype Element: RealmCollectionValue
        /// The collection.
        var wrappedValue: Value { get }
    }

    extension BoundCollection where Value == List<Element> {
        /// Removes an element.
        public func remove(at index: Int) { changing(wrappedValue) { $0.remove(at: index) } }
        /// Removes the elements at some indexes.
        public func remove(atOffsets offsets: IndexSet) { changing(wrappedValue) { $0.remove(atOffsets: offsets) } }
        /// Moves the elements at some indexes to the place before another index.
        public func move(fromOffsets offsets: IndexSet, toOffset destination: Int) {
            changing(wrappedValue) { $0.move(fromOffsets: offsets, toOffset: destination) }
        }
        /// Appends an element.
        public func append(_ value: Element) { changing(wrappedValue) { $0.append(value) } }
    }

    extension BoundCollection where Value == List<Element>, Element: ObjectBase & ThreadConfined {
        /// Appends an object.
        public func append(_ value: Element) { changing(wrappedValue) { $0.append(value.live) } }
    }

    extension BoundCollection where Value == MutableSet<Element> {
        /// Removes an element.
        public func remove(_ element: Element) { changing(wrappedValue) { $0.remove(element) } }
        /// Inserts an element.
        public func insert(_ value: Element) { changing(wrappedValue) { $0.insert(value) } }
    }

    extension BoundCollection where Value == MutableSet<Element>, Element: ObjectBase & ThreadConfined {
        /// Removes an object from the set.
        public func remove(_ object: Element) { changing(wrappedValue) { $0.remove(object.live) } }
        /// Inserts an object.
        public func insert(_ value: Element) { changing(wrappedValue) { $0.insert(value.live) } }
    }

    extension BoundCollection where Value == Results<Element>, Element: ObjectBase & ThreadConfined {
        /// Deletes an object, if it is among the results.
        public func remove(_ object: Element) {
            guard let live = object.thaw() else { return }
            changing(wrappedValue) { if $0.index(of: live) != nil { $0.realm?.delete(live) } }
        }
        /// Deletes the objects at some indexes of the version that the view shows, which may be older than that of the
        /// transaction.
        public func remove(atOffsets offsets: IndexSet) {
            let shown = wrappedValue
            changing(shown) { $0.realm?.delete(offsets.compactMap { shown[$0].thaw() }) }
        }
    }

    extension BoundCollection where Value == Results<Element>, Element: Object {
        /// Adds an object to the realm.
        public func append(_ value: Element) { changing(wrappedValue) { $0.realm?.add(value.live) } }
    }

    extension BoundCollection
    where Value == Results<Element>, Element: ProjectionObservable & ThreadConfined, Element.Root: Object {
        /// Adds the projected object to the realm.
        public func append(_ value: Element) { changing(wrappedValue) { $0.realm?.add(value.rootObject.live) } }
    }

    extension Binding: BoundCollection where Value: RealmCollection {
        /// The type of the elements.
        public typealias Element = Value.Element
    }

    /// A map changed through a binding: each change uses a transaction of its own unless one is open.
    public protocol BoundMap {
        /// The type of the map.
        associatedtype Value: RealmKeyedCollection
        /// The map.
        var wrappedValue: Value { get }
    }

    extension BoundMap {
        /// The value of a key.
        public subscript(key: Value.Key) -> Value.Value? { wrappedValue[key] }
        /// Sets the value of a key; nil removes the entry.
        public func set(object: Value.Value?, for key: Value.Key) {
            changing(wrappedValue) { map in
                var map = map
                map[key] = object
            }
        }
    }

    extension Binding: BoundMap where Value: RealmKeyedCollection {}
#endif
