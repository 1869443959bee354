#if canImport(SwiftUI)
    public import SwiftUI

    /// An object or a collection that a view shows and observes. It is confined to the main thread.
    final class ObservedValue<Value: RealmSubscribable & ThreadConfined>: ObservableObject, @unchecked Sendable {
        /// The observed value: live if it is managed.
        var value: Value {
            get {
                follow()
                return current
            }
            set {
                current = Self.live(newValue)
                token = nil
                follow()
                publisher.send()
            }
        }
        private var current: Value
        private let keyPaths: [String]?
        private let publisher = ObservableObjectPublisher()
        private var token: NotificationToken?
        private var isShown = false

        init(_ value: Value, _ keyPaths: [String]? = nil) {
            (current, self.keyPaths) = (Self.live(value), keyPaths)
        }

        /// Requested by a view when it is shown; nothing is observed before.
        var objectWillChange: ObservableObjectPublisher {
            isShown = true
            follow()
            return publisher
        }

        /// Notifies views of a change that sends no notification of its own.
        func tell() { publisher.send() }

        private static func live(_ value: Value) -> Value {
            value.realm != nil && !value.isInvalidated ? value.thaw() ?? value : value
        }

        private func follow() {
            guard isShown, token == nil, current.realm != nil, !current.isInvalidated else { return }
            // The first notification of a collection is its initial state.
            var isFirst = !(current is ObjectBase || current is any ProjectionObservable)
            token = current._publishValues(keyPaths, on: nil) { [weak self] _ in
                if !isFirst { self?.publisher.send() }
                isFirst = false
            }
        }

        /// Returns the value for a view: frozen, so that the view can keep and compare it.
        func shown(orIfGone value: Value) -> Value {
            let now = self.value
            if now.isInvalidated { return value }
            return now.realm == nil ? now : now.freeze()
        }
    }

    /// An object, a list or a projection shown by a view, which is redrawn when it changes.
    @propertyWrapper
    public struct ObservedRealmObject<ObjectType>: DynamicProperty
    where ObjectType: RealmSubscribable & ThreadConfined & ObservableObject & Equatable {
        /// Provides bindings of properties.
        @dynamicMemberLookup
        public struct Wrapper {
            /// The object.
            public var wrappedValue: ObjectType
            fileprivate var changed: () -> Void

            /// A binding of a property.
            public subscript<Subject>(
                dynamicMember keyPath: ReferenceWritableKeyPath<ObjectType, Subject>
            ) -> Binding<Subject> { binding(wrappedValue, keyPath, changed) }
            /// A binding of a property, which sets it only to another value.
            public subscript<Subject: Equatable>(
                dynamicMember keyPath: ReferenceWritableKeyPath<ObjectType, Subject>
            ) -> Binding<Subject> { equatableBinding(wrappedValue, keyPath, changed) }
            /// A binding of a collection.
            public subscript<Subject: _BoundCollectionValue>(
                dynamicMember keyPath: ReferenceWritableKeyPath<ObjectType, Subject>
            ) -> Binding<Subject> { collectionBinding(wrappedValue, keyPath, changed) }
        }

        private let held: ObservedValue<ObjectType>
        private var observed: ObservedObject<ObservedValue<ObjectType>>
        private let missing: ObjectType

        @MainActor private init(_ value: ObjectType, orIfGone missing: ObjectType) {
            held = ObservedValue(value)
            observed = ObservedObject(wrappedValue: held)
            self.missing = missing
        }

        /// The current object, frozen; an empty one when it is gone.
        public var wrappedValue: ObjectType {
            get { held.shown(orIfGone: missing) }
            set { held.value = newValue }
        }

        /// Provides bindings of properties.
        public var projectedValue: Wrapper {
            let value = held.value
            return Wrapper(wrappedValue: value.isInvalidated ? missing : value) { [held] in held.tell() }
        }

        /// Observes an object.
        @MainActor public init(wrappedValue: ObjectType) where ObjectType: ObjectBase & Identifiable {
            self.init(wrappedValue, orIfGone: ObjectType())
        }
        /// Observes a list.
        @MainActor public init<V>(wrappedValue: ObjectType) where ObjectType == List<V> {
            self.init(wrappedValue, orIfGone: List())
        }
        /// Observes an object through a projection.
        @MainActor public init(wrappedValue: ObjectType) where ObjectType: ProjectionObservable {
            self.init(wrappedValue, orIfGone: ObjectType(projecting: ObjectType.Root._default()))
        }
    }

    extension ObservedRealmObject.Wrapper where ObjectType: ObjectBase {
        /// Deletes the object.
        public func delete() { changing(wrappedValue) { $0.realm?.delete($0) } }
    }

    extension ObservedRealmObject.Wrapper: BoundCollection where ObjectType: RealmCollection {
        /// The type of the elements.
        public typealias Element = ObjectType.Element
        /// The type of the list.
        public typealias Value = ObjectType
    }

    /// An object or a collection that a view creates once; the view is redrawn when it changes.
    @propertyWrapper
    public struct StateRealmObject<T: RealmSubscribable & ThreadConfined & Equatable>: DynamicProperty {
        private var state: StateObject<ObservedValue<T>>
        private let missing: T

        /// The current object, frozen; an empty one when it is gone.
        @MainActor public var wrappedValue: T {
            get { state.wrappedValue.shown(orIfGone: missing) }
            nonmutating set { state.wrappedValue.value = newValue }
        }

        /// A binding of the object.
        @MainActor public var projectedValue: Binding<T> {
            let (held, missing) = (state.wrappedValue, missing)
            return mainBinding({ held.value.isInvalidated ? missing : held.value }, { held.value = $0 })
        }

        private init(_ value: @autoclosure @escaping () -> T, orIfGone missing: T) {
            state = StateObject(wrappedValue: ObservedValue(value()))
            self.missing = missing
        }

        /// Holds a list.
        public init<Value>(wrappedValue: T) where T == List<Value> { self.init(wrappedValue, orIfGone: T()) }
        /// Holds a set.
        public init<Value>(wrappedValue: T) where T == MutableSet<Value> { self.init(wrappedValue, orIfGone: T()) }
        /// Holds a map.
        public init<Key, Value>(wrappedValue: T) where T == Map<Key, Value> { self.init(wrappedValue, orIfGone: T()) }
        /// Holds an object.
        public init(wrappedValue: T) where T: ObjectBase & Identifiable { self.init(wrappedValue, orIfGone: T()) }
        /// Holds a projection.
        public init(wrappedValue: T) where T: ProjectionObservable {
            self.init(wrappedValue, orIfGone: T(projecting: T.Root._default()))
        }
    }
#endif
