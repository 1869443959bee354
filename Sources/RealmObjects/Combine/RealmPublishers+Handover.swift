#if canImport(Combine)
    public import Combine
    internal import Dispatch

    /// A change of a value that belongs to a realm.
    public protocol _PublishedChange {
        /// The type of the changed value.
        associatedtype Confined: ThreadConfined
        /// The changed value; nil if it no longer exists.
        var _confined: Confined? { get }
        /// Whether this is the last change.
        var _isEnd: Bool { get }
        /// Returns the same change for another view of the value.
        func _of(_ confined: Confined) -> Self
    }

    extension ObjectChange: _PublishedChange where T: ThreadConfined {
        /// The object.
        public var _confined: T? { if case .change(let object, _) = self { object } else { nil } }
        /// Whether the object was deleted.
        public var _isEnd: Bool { if case .deleted = self { true } else { false } }
        /// Returns the same change for another view of the value.
        public func _of(_ confined: T) -> ObjectChange {
            if case .change(_, let properties) = self { .change(confined, properties) } else { self }
        }
    }

    extension RealmCollectionChange: _PublishedChange where CollectionType: ThreadConfined {
        /// The collection.
        public var _confined: CollectionType? {
            switch self {
            case .initial(let collection), .update(let collection, _, _, _): collection
            case .error: nil
            }
        }
        /// Always false.
        public var _isEnd: Bool { false }
        /// Returns the same change for another view of the value.
        public func _of(_ confined: CollectionType) -> RealmCollectionChange {
            switch self {
            case .initial: .initial(confined)
            case .update(_, let deletions, let insertions, let modifications):
                .update(confined, deletions: deletions, insertions: insertions, modifications: modifications)
            case .error: self
            }
        }
    }

    extension RealmMapChange: _PublishedChange {
        /// The map.
        public var _confined: Collection? {
            switch self {
            case .initial(let map), .update(let map, _, _, _): map
            case .error: nil
            }
        }
        /// Always false.
        public var _isEnd: Bool { false }
        /// Returns the same change for another view of the value.
        public func _of(_ confined: Collection) -> RealmMapChange {
            switch self {
            case .initial: .initial(confined)
            case .update(_, let deletions, let insertions, let modifications):
                .update(confined, deletions: deletions, insertions: insertions, modifications: modifications)
            case .error: self
            }
        }
    }

    extension SectionedResultsChange: _PublishedChange where Collection: ThreadConfined {
        /// The sections.
        public var _confined: Collection? {
            switch self {
            case .initial(let sections), .update(let sections, _, _, _, _, _): sections
            }
        }
        /// Always false.
        public var _isEnd: Bool { false }
        /// Returns the same change for another view of the value.
        public func _of(_ confined: Collection) -> SectionedResultsChange {
            switch self {
            case .initial: .initial(confined)
            case .update(_, let deletions, let insertions, let modifications, let inserted, let deleted):
                .update(
                    confined, deletions: deletions, insertions: insertions, modifications: modifications,
                    sectionsToInsert: inserted, sectionsToDelete: deleted)
            }
        }
    }

    /// A value on its way to another queue: itself if it is frozen, otherwise a reference that keeps its version.
    private enum Handed<Confined: ThreadConfined> {
        case asItIs(Confined)
        case reference(ThreadSafeReference<Confined>, Realm.Configuration)

        init(_ confined: Confined) {
            guard let realm = confined.realm, !realm.isFrozen else {
                self = .asItIs(confined)
                return
            }
            self = .reference(ThreadSafeReference(to: confined), realm.configuration)
        }

        /// Returns the value in the realm of a queue; nil if it no longer exists.
        func received<S: Scheduler>(on scheduler: S) -> Confined? {
            switch self {
            case .asItIs(let confined): return confined
            case .reference(let reference, let configuration):
                let queue = RealmPublishers.queue(scheduler)
                return (try? Realm(configuration: configuration, queue: queue))?.resolve(reference)
            }
        }
    }

    extension RealmPublishers {
        /// Publishes the values of another publisher on a serial queue, in the realm of that queue.
        public struct DeferredHandover<Upstream: Publisher, S: Scheduler>: Publisher
        where Upstream.Output: ThreadConfined {
            /// The failure type of the upstream publisher.
            public typealias Failure = Upstream.Failure
            /// The output type of the upstream publisher.
            public typealias Output = Upstream.Output
            private let upstream: Upstream
            private let scheduler: S

            init(_ upstream: Upstream, _ scheduler: S) { (self.upstream, self.scheduler) = (upstream, scheduler) }

            /// Attaches a subscriber.
            public func receive<Sub: Subscriber>(subscriber: Sub) where Sub.Failure == Failure, Sub.Input == Output {
                let scheduler = scheduler
                upstream.map { Handed($0) }.receive(on: scheduler)
                    .compactMap { $0.received(on: scheduler) }
                    .receive(subscriber: subscriber)
            }
        }

        /// Publishes the changes of another publisher on a serial queue, in the realm of that queue.
        public struct DeferredHandoverChangeset<Upstream: Publisher, S: Scheduler>: Publisher
        where Upstream.Output: _PublishedChange {
            /// The failure type of the upstream publisher.
            public typealias Failure = Upstream.Failure
            /// The output type of the upstream publisher.
            public typealias Output = Upstream.Output
            private let upstream: Upstream
            private let scheduler: S

            init(_ upstream: Upstream, _ scheduler: S) { (self.upstream, self.scheduler) = (upstream, scheduler) }

            /// Attaches a subscriber.
            public func receive<Sub: Subscriber>(subscriber: Sub) where Sub.Failure == Failure, Sub.Input == Output {
                let scheduler = scheduler
                upstream.map { change in (change, change._confined.map { Handed($0) }) }.receive(on: scheduler)
                    .compactMap { change, handed -> Output? in
                        guard let handed else { return change }
                        return handed.received(on: scheduler).map { change._of($0) }
                    }
                    .receive(subscriber: subscriber)
            }
        }

        /// Publishes the values of another publisher. `receive(on:)` may take them to another queue.
        public struct MakeThreadSafe<Upstream: Publisher>: Publisher where Upstream.Output: ThreadConfined {
            /// The failure type of the upstream publisher.
            public typealias Failure = Upstream.Failure
            /// The output type of the upstream publisher.
            public typealias Output = Upstream.Output
            private let upstream: Upstream

            init(_ upstream: Upstream) { self.upstream = upstream }

            /// Attaches a subscriber.
            public func receive<S: Subscriber>(subscriber: S) where S.Failure == Failure, S.Input == Output {
                upstream.receive(subscriber: subscriber)
            }

            /// Publishes on a serial queue, in the realm of that queue.
            public func receive<S: Scheduler>(on scheduler: S) -> DeferredHandover<Upstream, S> {
                DeferredHandover(upstream, scheduler)
            }
        }

        /// Publishes the changes of another publisher. `receive(on:)` may take them to another queue.
        public struct MakeThreadSafeChangeset<Upstream: Publisher>: Publisher where Upstream.Output: _PublishedChange {
            /// The failure type of the upstream publisher.
            public typealias Failure = Upstream.Failure
            /// The output type of the upstream publisher.
            public typealias Output = Upstream.Output
            private let upstream: Upstream

            init(_ upstream: Upstream) { self.upstream = upstream }

            /// Attaches a subscriber.
            public func receive<S: Subscriber>(subscriber: S) where S.Failure == Failure, S.Input == Output {
                upstream.receive(subscriber: subscriber)
            }

            /// Publishes on a serial queue, in the realm of that queue.
            public func receive<S: Scheduler>(on scheduler: S) -> DeferredHandoverChangeset<Upstream, S> {
                DeferredHandoverChangeset(upstream, scheduler)
            }
        }

        /// The result of `receive(on:)` on a publisher of values.
        public typealias Handover<Upstream: Publisher, S: Scheduler> = DeferredHandover<Upstream, S>
        where Upstream.Output: ThreadConfined
    }

    extension Publisher where Output: ThreadConfined {
        /// Publishes frozen versions of the values, for any queue.
        public func freeze() -> Publishers.Map<Self, Output> { map { $0.freeze() } }

        /// Publishes the values such that `receive(on:)` can take them to a serial queue.
        public func threadSafeReference() -> RealmPublishers.MakeThreadSafe<Self> {
            RealmPublishers.MakeThreadSafe(self)
        }
    }

    extension Publisher where Output: _PublishedChange {
        /// Publishes the changes with frozen versions of the values, for any queue.
        public func freeze() -> Publishers.Map<Self, Output> {
            map { change in change._confined.map { change._of($0.freeze()) } ?? change }
        }

        /// Publishes the changes such that `receive(on:)` can take them to a serial queue.
        public func threadSafeReference() -> RealmPublishers.MakeThreadSafeChangeset<Self> {
            RealmPublishers.MakeThreadSafeChangeset(self)
        }
    }
#endif
