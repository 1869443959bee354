#if canImport(SwiftUI)
    public import Foundation
    public import SwiftUI

    /// A collection that is changed through a binding: each change is a transaction of its own unless one is open.
    public protocol BoundCollection {
        /// The collection.
        associatedtype Value
        /// What is in it.
        associatedtype Element: RealmCollectionValue
        /// The collection.
        var wrappedValue: Value { get }
    }

    extension BoundCollection where Value == List<Element> {
        /// Removes an element.
        public func remove(at index: Int) { changing(wrappedValue) { $0.remove(at: index) } }
        /// Removes the elements at some indexes.
        public func remove(atOffsets offsets: IndexSet) { changing(wrappedValue) { $0.remove(atOffsets: offsets) } }
        /// Moves the elements at some indexes before the one at another.
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
        /// Deletes an object, if it is one of them.
        public func remove(_ object: Element) {
            guard let live = object.thaw() else { return }
            changing(wrappedValue) { if $0.index(of: live) != nil { $0.realm?.delete(live) } }
        }
        /// Deletes the objects at some indexes of what the view shows: of a version that may be older than the transaction's.
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
        /// Adds the object that is projected to the realm.
        public func append(_ value: Element) { changing(wrappedValue) { $0.realm?.add(value.rootObject.live) } }
    }

    extension Binding: BoundCollection where Value: RealmCollection {
        /// What is in the collection.
        public typealias Element = Value.Element
    }

    /// A map that is changed through a binding: each change is a transaction of its own unless one is open.
    public protocol BoundMap {
        /// The map.
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
