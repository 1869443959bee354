#if canImport(SwiftUI)
    public import SwiftUI

    // Bindings of properties: reading shows the current value; setting uses its own transaction unless one is open.

    /// Changes a value of a realm in a transaction.
    func changing<Value: ThreadConfined>(_ value: Value, _ body: (Value) -> Void) {
        let live = value.live
        guard let realm = live.realm, !realm.isInWriteTransaction else { return body(live) }
        do { try realm.write { body(live) } } catch { Failure.stop("\(error)") }
    }

    extension ThreadConfined {
        /// The live counterpart, which can be changed.
        var live: Self { realm == nil ? self : thaw() ?? self }
    }

    /// A collection that a binding freezes for the view that reads it.
    public protocol _BoundCollectionValue: ThreadConfined, Equatable {}

    extension List: _BoundCollectionValue {}
    extension MutableSet: _BoundCollectionValue {}
    extension Map: _BoundCollectionValue {}

    /// A property that a binding reads and sets. It is confined to the thread of its realm, which is the main thread.
    private final class BoundProperty<Owner: ThreadConfined, Value> {
        private let owner: Owner
        private let path: ReferenceWritableKeyPath<Owner, Value>
        /// The last value read, because a view may read once more when the object is gone.
        private var last: Value
        private let changed: () -> Void

        init(_ owner: Owner, _ path: ReferenceWritableKeyPath<Owner, Value>, _ changed: @escaping () -> Void) {
            guard let owner = owner.isFrozen ? owner.thaw() : owner else { Failure.stop("Could not bind value") }
            (self.owner, self.path, self.changed) = (owner, path, changed)
            last = owner[keyPath: path]
        }

        func value(_ shown: (Value) -> Value) -> Value {
            if !owner.isInvalidated { last = shown(owner[keyPath: path]) }
            return last
        }

        func set(_ value: Value, unless isSame: (Value, Value) -> Bool) {
            guard !owner.isInvalidated, !isSame(owner[keyPath: path], value) else { return }
            changing(owner) { $0[keyPath: path] = value }
            last = owner[keyPath: path]
            if owner.realm == nil { changed() }
        }
    }

    /// Returns a binding for use on the main thread only, which the type `Binding` does not express.
    func mainBinding<Value>(_ get: @escaping () -> Value, _ set: @escaping (Value) -> Void) -> Binding<Value> {
        let (get, set) = (SendableBox(get), SendableBox(set))
        return Binding {
            get.value()
        } set: {
            set.value($0)
        }
    }

    /// - Parameter changed: called when the binding has changed an unmanaged value, which sends no notification.
    func binding<Owner: ThreadConfined, Value>(
        _ owner: Owner, _ path: ReferenceWritableKeyPath<Owner, Value>, _ changed: @escaping () -> Void = {}
    ) -> Binding<Value> {
        let property = BoundProperty(owner, path, changed)
        return mainBinding({ property.value { $0 } }, { property.set($0) { _, _ in false } })
    }

    func equatableBinding<Owner: ThreadConfined, Value: Equatable>(
        _ owner: Owner, _ path: ReferenceWritableKeyPath<Owner, Value>, _ changed: @escaping () -> Void = {}
    ) -> Binding<Value> {
        let property = BoundProperty(owner, path, changed)
        return mainBinding({ property.value { $0 } }, { property.set($0) { $0 == $1 } })
    }

    func collectionBinding<Owner: ThreadConfined, Value: _BoundCollectionValue>(
        _ owner: Owner, _ path: ReferenceWritableKeyPath<Owner, Value>, _ changed: @escaping () -> Void = {}
    ) -> Binding<Value> {
        let property = BoundProperty(owner, path, changed)
        return mainBinding(
            { property.value { $0.realm == nil ? $0 : $0.freeze() } }, { property.set($0) { _, _ in false } })
    }

    extension Binding where Value: ObjectBase & ThreadConfined {
        /// A binding of a property.
        public subscript<V: _Persistable>(dynamicMember member: ReferenceWritableKeyPath<Value, V>) -> Binding<V> {
            binding(wrappedValue, member)
        }
        /// A binding of a property, which sets it only to another value.
        public subscript<V: _Persistable & Equatable>(
            dynamicMember member: ReferenceWritableKeyPath<Value, V>
        ) -> Binding<V> { equatableBinding(wrappedValue, member) }
        /// A binding of a collection.
        public subscript<V: _Persistable & _BoundCollectionValue>(
            dynamicMember member: ReferenceWritableKeyPath<Value, V>
        ) -> Binding<V> { collectionBinding(wrappedValue, member) }
    }

    extension ThreadConfined where Self: ObjectBase {
        /// Returns a binding of a property, for views that need one.
        public func bind<V: _Persistable & Equatable>(_ keyPath: ReferenceWritableKeyPath<Self, V>) -> Binding<V> {
            equatableBinding(self, keyPath)
        }
        /// Returns a binding of a collection, for views that need one.
        public func bind<V: _Persistable & _BoundCollectionValue>(
            _ keyPath: ReferenceWritableKeyPath<Self, V>
        ) -> Binding<V> { collectionBinding(self, keyPath) }
    }

    extension ThreadConfined where Self: ProjectionObservable {
        /// Returns a binding of a property, for views that need one.
        public func bind<V: _Persistable & Equatable>(_ keyPath: ReferenceWritableKeyPath<Self, V>) -> Binding<V> {
            equatableBinding(self, keyPath)
        }
        /// Returns a binding of a collection, for views that need one.
        public func bind<V: _Persistable & _BoundCollectionValue>(
            _ keyPath: ReferenceWritableKeyPath<Self, V>
        ) -> Binding<V> { collectionBinding(self, keyPath) }
    }

    extension Binding where Value: Object {
        /// Deletes the object.
        public func delete() { changing(wrappedValue) { $0.realm?.delete($0) } }
    }

    extension Binding where Value: ProjectionObservable, Value.Root: ThreadConfined {
        /// Deletes the projected object.
        public func delete() { changing(wrappedValue.rootObject) { $0.realm?.delete($0) } }
    }

    // MARK: The realm of views

    private struct ConfigurationKey: EnvironmentKey {
        static var defaultValue: Realm.Configuration { .defaultConfiguration }
    }

    extension EnvironmentValues {
        /// The configuration whose realm views use.
        public var realmConfiguration: Realm.Configuration {
            get { self[ConfigurationKey.self] }
            set { self[ConfigurationKey.self] = newValue }
        }
        /// The realm that views use.
        public var realm: Realm {
            get {
                do { return try Realm(configuration: realmConfiguration) } catch { Failure.stop("\(error)") }
            }
            set { realmConfiguration = newValue.configuration }
        }
    }
#endif
