#if canImport(Combine)
    public import Combine
    internal import Dispatch

    /// What is told of something that belongs to a realm.
    public protocol _PublishedChange {
        /// What has changed.
        associatedtype Confined: ThreadConfined
        /// What has changed; nil where that is not there any more.
        var _confined: Confined? { get }
        /// Whether nothing follows.
        var _isEnd: Bool { get }
        /// The same change of another view.
        func _of(_ confined: Confined) -> Self
    }

    extension ObjectChange: _PublishedChange where T: ThreadConfined {
        /// The object.
        public var _confined: T? { if case .change(let object, _) = self { object } else { nil } }
        /// Whether it was deleted.
        public var _isEnd: Bool { if case .deleted = self { true } else { false } }
        /// The same change of another view.
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
        /// No.
        public var _isEnd: Bool { false }
        /// The same change of another view.
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
        /// No.
        public var _isEnd: Bool { false }
        /// The same change of another view.
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
        /// No.
        public var _isEnd: Bool { false }
        /// The same change of another view.
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

    /// Something on its way to another queue: frozen as it is, else by a reference that keeps its version.
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

        /// In the realm of a queue; nil where it is gone.
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
        /// Publishes what another publisher does on a serial queue, in the realm of that queue.
        public struct DeferredHandover<Upstream: Publisher, S: Scheduler>: Publisher
        where Upstream.Output: ThreadConfined {
            /// As the other publisher.
            public typealias Failure = Upstream.Failure
            /// As the other publisher.
            public typealias Output = Upstream.Output
            private let upstream: Upstream
            private let scheduler: S

            init(_ upstream: Upstream, _ scheduler: S) { (self.upstream, self.scheduler) = (upstream, scheduler) }

            /// Begins to publish.
            public func receive<Sub: Subscriber>(subscriber: Sub) where Sub.Failure == Failure, Sub.Input == Output {
                let scheduler = scheduler
                upstream.map { Handed($0) }.receive(on: scheduler)
                    .compactMap { $0.received(on: scheduler) }
                    .receive(subscriber: subscriber)
            }
        }

        /// Publishes the changes that another publisher does on a serial queue, in the realm of that queue.
        public struct DeferredHandoverChangeset<Upstream: Publisher, S: Scheduler>: Publisher
        where Upstream.Output: _PublishedChange {
            /// As the other publisher.
            public typealias Failure = Upstream.Failure
            /// As the other publisher.
            public typealias Output = Upstream.Output
            private let upstream: Upstream
            private let scheduler: S

            init(_ upstream: Upstream, _ scheduler: S) { (self.upstream, self.scheduler) = (upstream, scheduler) }

            /// Begins to publish.
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

        /// Publishes what another publisher does, and lets `receive(on:)` take it to another queue.
        public struct MakeThreadSafe<Upstream: Publisher>: Publisher where Upstream.Output: ThreadConfined {
            /// As the other publisher.
            public typealias Failure = Upstream.Failure
            /// As the other publisher.
            public typealias Output = Upstream.Output
            private let upstream: Upstream

            init(_ upstream: Upstream) { self.upstream = upstream }

            /// Begins to publish.
            public func receive<S: Subscriber>(subscriber: S) where S.Failure == Failure, S.Input == Output {
                upstream.receive(subscriber: subscriber)
            }

            /// Publishes on a serial queue, in the realm of that queue.
            public func receive<S: Scheduler>(on scheduler: S) -> DeferredHandover<Upstream, S> {
                DeferredHandover(upstream, scheduler)
            }
        }

        /// Publishes the changes that another publisher does, and lets `receive(on:)` take them to another queue.
        public struct MakeThreadSafeChangeset<Upstream: Publisher>: Publisher where Upstream.Output: _PublishedChange {
            /// As the other publisher.
            public typealias Failure = Upstream.Failure
            /// As the other publisher.
            public typealias Output = Upstream.Output
            private let upstream: Upstream

            init(_ upstream: Upstream) { self.upstream = upstream }

            /// Begins to publish.
            public func receive<S: Subscriber>(subscriber: S) where S.Failure == Failure, S.Input == Output {
                upstream.receive(subscriber: subscriber)
            }

            /// Publishes on a serial queue, in the realm of that queue.
            public func receive<S: Scheduler>(on scheduler: S) -> DeferredHandoverChangeset<Upstream, S> {
                DeferredHandoverChangeset(upstream, scheduler)
            }
        }

        /// What `receive(on:)` of a publisher of values gives.
        public typealias Handover<Upstream: Publisher, S: Scheduler> = DeferredHandover<Upstream, S>
        where Upstream.Output: ThreadConfined
    }

    extension Publisher where Output: ThreadConfined {
        /// Frozen versions of what is published, for any queue.
        public func freeze() -> Publishers.Map<Self, Output> { map { $0.freeze() } }

        /// The same, for `receive(on:)` of a serial queue.
        public func threadSafeReference() -> RealmPublishers.MakeThreadSafe<Self> {
            RealmPublishers.MakeThreadSafe(self)
        }
    }

    extension Publisher where Output: _PublishedChange {
        /// The changes with frozen versions of what has changed, for any queue.
        public func freeze() -> Publishers.Map<Self, Output> {
            map { change in change._confined.map { change._of($0.freeze()) } ?? change }
        }

        /// The same, for `receive(on:)` of a serial queue.
        public func threadSafeReference() -> RealmPublishers.MakeThreadSafeChangeset<Self> {
            RealmPublishers.MakeThreadSafeChangeset(self)
        }
    }
#endif
