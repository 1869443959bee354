#if canImport(Combine)
    public import Combine
    internal import Dispatch

    /// Publishers of realm notifications. Each subscription is an observer of its own, which ends when it is cancelled.
    ///
    /// ```text
    /// let cancellable = realm.objects(Dog.self).collectionPublisher.sink { _ in } receiveValue: { print($0.count) }
    /// cancellable.cancel()
    /// ```
    public enum RealmPublishers {
        /// Emits each time a realm shows another version, or a newer version becomes available.
        public struct RealmWillChange: Publisher {
            /// The publisher never fails.
            public typealias Failure = Never
            /// The event has no value.
            public typealias Output = Void
            private let realm: Realm
            fileprivate let keep: (NotificationToken) -> Void

            init(_ realm: Realm, _ keep: @escaping (NotificationToken) -> Void = { _ in }) {
                (self.realm, self.keep) = (realm, keep)
            }

            /// Also stores the token of each subscription in a property, for `write(withoutNotifying:)`.
            public func saveToken<T>(
                on object: T, for keyPath: WritableKeyPath<T, NotificationToken?>
            ) -> RealmWillChangeWithToken<T> { RealmWillChange(realm, Self.saving(object, keyPath)) }

            /// Attaches a subscriber.
            public func receive<S: Subscriber>(subscriber: S) where S.Failure == Never, S.Input == Void {
                let token = realm.observe { _, _ in _ = subscriber.receive(()) }
                keep(token)
                subscriber.receive(subscription: ObservationSubscription(token))
            }
        }

        /// Emits after each change of an object or a collection; for a collection, also initially.
        public struct WillChange<Subscribable: RealmSubscribable & ThreadConfined>: Publisher {
            /// The publisher never fails.
            public typealias Failure = Never
            /// The event has no value.
            public typealias Output = Void
            private let subscribable: Subscribable
            private let keep: (NotificationToken) -> Void

            init(_ subscribable: Subscribable, _ keep: @escaping (NotificationToken) -> Void = { _ in }) {
                (self.subscribable, self.keep) = (subscribable, keep)
            }

            /// Also stores the token of each subscription in a property, for `write(withoutNotifying:)`.
            public func saveToken<T>(
                on object: T, at keyPath: WritableKeyPath<T, NotificationToken?>
            ) -> WillChangeWithToken<Subscribable, T> { WillChange(subscribable, Self.saving(object, keyPath)) }

            /// Attaches a subscriber.
            public func receive<S: Subscriber>(subscriber: S) where S.Failure == Never, S.Input == Void {
                let token = subscribable._publishChanges { _ = subscriber.receive(()) }
                keep(token)
                subscriber.receive(subscription: ObservationSubscription(token))
            }
        }

        /// Publishes an object or a collection after each change; a collection also initially.
        public struct Value<Subscribable: RealmSubscribable & ThreadConfined>: Publisher {
            /// The publisher never emits a failure.
            public typealias Failure = any Error
            /// The object or the collection.
            public typealias Output = Subscribable
            private let subscribable: Subscribable
            private let keyPaths: [String]?
            private let queue: DispatchQueue?
            private let keep: (NotificationToken) -> Void

            init(
                _ subscribable: Subscribable, _ keyPaths: [String]? = nil, _ queue: DispatchQueue? = nil,
                _ keep: @escaping (NotificationToken) -> Void = { _ in }
            ) {
                precondition(subscribable.realm != nil, "Only managed objects can be published")
                (self.subscribable, self.keyPaths, self.queue, self.keep) = (subscribable, keyPaths, queue, keep)
            }

            /// Also stores the token of each subscription in a property, for `write(withoutNotifying:)`.
            public func saveToken<T>(
                on object: T, at keyPath: WritableKeyPath<T, NotificationToken?>
            ) -> ValueWithToken<Subscribable, T> {
                Value(subscribable, keyPaths, queue, Self.saving(object, keyPath))
            }

            /// Attaches a subscriber.
            public func receive<S: Subscriber>(subscriber: S) where S.Failure == Failure, S.Input == Output {
                let token = subscribable._publishValues(keyPaths, on: queue) { value in
                    guard let value else { return subscriber.receive(completion: .finished) }
                    if let value = value as? Subscribable { _ = subscriber.receive(value) }
                }
                keep(token)
                subscriber.receive(subscription: ObservationSubscription(token))
            }

            /// Observes on a serial queue.
            public func subscribe<S: Scheduler>(on scheduler: S) -> Value {
                Value(subscribable, keyPaths, RealmPublishers.queue(scheduler), keep)
            }

            /// Publishes on a serial queue, in the realm of that queue.
            public func receive<S: Scheduler>(on scheduler: S) -> Handover<Self, S> { Handover(self, scheduler) }
        }

        /// Publishes changes.
        public struct Changeset<Change: _PublishedChange>: Publisher {
            /// The publisher never fails.
            public typealias Failure = Never
            /// The published change.
            public typealias Output = Change
            typealias Observe = (DispatchQueue?, @escaping (Change) -> Void) -> NotificationToken
            private let observe: Observe
            private let queue: DispatchQueue?
            private let keep: (NotificationToken) -> Void

            init(
                _ observe: @escaping Observe, _ queue: DispatchQueue? = nil,
                _ keep: @escaping (NotificationToken) -> Void = { _ in }
            ) {
                (self.observe, self.queue, self.keep) = (observe, queue, keep)
            }

            /// Also stores the token of each subscription in a property, for `write(withoutNotifying:)`.
            public func saveToken<T>(
                on object: T, at keyPath: WritableKeyPath<T, NotificationToken?>
            ) -> ChangesetWithToken<Change, T> { Changeset(observe, queue, Self.saving(object, keyPath)) }

            /// Attaches a subscriber.
            public func receive<S: Subscriber>(subscriber: S) where S.Failure == Never, S.Input == Output {
                let token = observe(queue) { change in
                    if change._isEnd {
                        subscriber.receive(completion: .finished)
                    } else {
                        _ = subscriber.receive(change)
                    }
                }
                keep(token)
                subscriber.receive(subscription: ObservationSubscription(token))
            }

            /// Observes on a serial queue.
            public func subscribe<S: Scheduler>(on scheduler: S) -> Changeset {
                Changeset(observe, RealmPublishers.queue(scheduler), keep)
            }

            /// Publishes on a serial queue, in the realm of that queue.
            public func receive<S: Scheduler>(on scheduler: S) -> DeferredHandoverChangeset<Self, S> {
                DeferredHandoverChangeset(self, scheduler)
            }
        }

        /// Returns a scheduler as a dispatch queue. Ends the program if it is not one.
        static func queue<S: Scheduler>(_ scheduler: S) -> DispatchQueue {
            guard let queue = scheduler as? DispatchQueue else {
                RealmObjects.Failure.stop(
                    "Cannot subscribe on scheduler \(scheduler): only serial dispatch queues are currently implemented."
                )
            }
            return queue
        }
    }

    // RealmSwift's names.
    extension RealmPublishers {
        /// The result of `saveToken`.
        public typealias RealmWillChangeWithToken<T> = RealmWillChange
        /// The result of `saveToken`.
        public typealias WillChangeWithToken<Subscribable: RealmSubscribable & ThreadConfined, T> = WillChange<
            Subscribable
        >
        /// The result of `saveToken`.
        public typealias ValueWithToken<Subscribable: RealmSubscribable & ThreadConfined, T> = Value<Subscribable>
        /// The result of `saveToken`.
        public typealias ChangesetWithToken<Change: _PublishedChange, T> = Changeset<Change>
        /// Changes of an object.
        public typealias ObjectChangeset<O: ThreadConfined> = Changeset<ObjectChange<O>>
        /// Changes of a collection.
        public typealias CollectionChangeset<C: RealmCollection> = Changeset<RealmCollectionChange<C>>
        /// Changes of a map.
        public typealias MapChangeset<C: RealmKeyedCollection> = Changeset<RealmMapChange<C>>
        /// Changes of sections.
        public typealias SectionedResultsChangeset<C: RealmSectionedResult> = Changeset<SectionedResultsChange<C>>
        /// Changes of a section.
        public typealias SectionChangeset<C: RealmSectionedResult> = Changeset<SectionedResultsChange<C>>
        /// The result of `saveToken`.
        public typealias ObjectChangesetWithToken<O: ThreadConfined, T> = ObjectChangeset<O>
        /// The result of `saveToken`.
        public typealias CollectionChangesetWithToken<C: RealmCollection, T> = CollectionChangeset<C>
        /// The result of `saveToken`.
        public typealias MapChangesetWithToken<C: RealmKeyedCollection, T> = MapChangeset<C>
        /// The result of `saveToken`.
        public typealias SectionedResultsChangesetWithToken<C: RealmSectionedResult, T> = SectionedResultsChangeset<C>
        /// The result of `saveToken`.
        public typealias SectionChangesetWithToken<C: RealmSectionedResult, T> = SectionChangeset<C>
    }

    extension Publisher {
        /// Returns a function that stores a token in a property.
        fileprivate static func saving<T>(
            _ object: T, _ keyPath: WritableKeyPath<T, NotificationToken?>
        ) -> (NotificationToken) -> Void {
            var object = object
            return { object[keyPath: keyPath] = $0 }
        }
    }
#endif
