#if canImport(Combine)

    // What there is to be published.

    extension Realm {
        /// Tells each time that the realm shows another version, or that there is one.
        public var objectWillChange: RealmPublishers.RealmWillChange { RealmPublishers.RealmWillChange(self) }
    }

    extension RealmCollection where Self: RealmSubscribable {
        /// Tells at first, and each time that the collection has changed.
        public var objectWillChange: RealmPublishers.WillChange<Self> { RealmPublishers.WillChange(self) }
        /// The collection at first, and each time that it has changed.
        public var collectionPublisher: RealmPublishers.Value<Self> { RealmPublishers.Value(self) }
        /// The older name.
        @available(*, deprecated, renamed: "collectionPublisher")
        public var publisher: RealmPublishers.Value<Self> { RealmPublishers.Value(self) }
        /// The collection at first, and each time that it has changed where paths lead to.
        public func collectionPublisher(keyPaths: [String]?) -> RealmPublishers.Value<Self> {
            RealmPublishers.Value(self, keyPaths)
        }
        /// What changes.
        public var changesetPublisher: RealmPublishers.CollectionChangeset<Self> { changesetPublisher(keyPaths: nil) }
        /// What changes where paths lead to.
        public func changesetPublisher(keyPaths: [String]?) -> RealmPublishers.CollectionChangeset<Self> {
            precondition(realm != nil, "Only managed collections can be published")
            return RealmPublishers.Changeset { queue, block in observe(keyPaths: keyPaths, on: queue, block) }
        }
    }

    extension RealmCollection where Self: RealmSubscribable, Element: ObjectBase {
        /// The collection at first, and each time that it has changed where key paths lead to.
        public func collectionPublisher(keyPaths: [PartialKeyPath<Element>]) -> RealmPublishers.Value<Self> {
            collectionPublisher(keyPaths: keyPaths.map { KeyPathRecorder.name($0, Element.self) })
        }
        /// What changes where key paths lead to.
        public func changesetPublisher(
            keyPaths: [PartialKeyPath<Element>]
        ) -> RealmPublishers.CollectionChangeset<Self> {
            changesetPublisher(keyPaths: keyPaths.map { KeyPathRecorder.name($0, Element.self) })
        }
    }

    extension RealmKeyedCollection where Self: RealmSubscribable {
        /// Tells at first, and each time that the map has changed.
        public var objectWillChange: RealmPublishers.WillChange<Self> { RealmPublishers.WillChange(self) }
        /// The map at first, and each time that it has changed.
        public var collectionPublisher: RealmPublishers.Value<Self> { RealmPublishers.Value(self) }
        /// The older name.
        @available(*, deprecated, renamed: "collectionPublisher")
        public var publisher: RealmPublishers.Value<Self> { RealmPublishers.Value(self) }
        /// The map at first, and each time that it has changed where paths lead to.
        public func collectionPublisher(keyPaths: [String]?) -> RealmPublishers.Value<Self> {
            RealmPublishers.Value(self, keyPaths)
        }
        /// What changes.
        public var changesetPublisher: RealmPublishers.MapChangeset<Self> {
            changesetPublisher(keyPaths: nil)
        }
        /// What changes where paths lead to.
        public func changesetPublisher(keyPaths: [String]?) -> RealmPublishers.MapChangeset<Self> {
            precondition(realm != nil, "Only managed collections can be published")
            return RealmPublishers.Changeset { queue, block in observe(keyPaths: keyPaths, on: queue, block) }
        }
    }

    extension RealmSectionedResult where Self: RealmSubscribable {
        /// Tells at first, and each time that the sections have changed.
        public var objectWillChange: RealmPublishers.WillChange<Self> { RealmPublishers.WillChange(self) }
        /// The sections at first, and each time that they have changed.
        public var collectionPublisher: RealmPublishers.Value<Self> { RealmPublishers.Value(self) }
        /// The sections at first, and each time that they have changed where paths lead to.
        public func collectionPublisher(keyPaths: [String]?) -> RealmPublishers.Value<Self> {
            RealmPublishers.Value(self, keyPaths)
        }
        /// What changes.
        public var changesetPublisher: RealmPublishers.SectionedResultsChangeset<Self> {
            changesetPublisher(keyPaths: nil)
        }
        /// What changes where paths lead to.
        public func changesetPublisher(keyPaths: [String]?) -> RealmPublishers.SectionedResultsChangeset<Self> {
            precondition(realm != nil, "Only managed collections can be published")
            return RealmPublishers.Changeset { queue, block in observe(keyPaths: keyPaths, on: queue, block) }
        }
    }

    /// An object each time that it has changed, until it is deleted.
    public func valuePublisher<T: Object>(_ object: T, keyPaths: [String]? = nil) -> RealmPublishers.Value<T> {
        RealmPublishers.Value(object, keyPaths)
    }

    /// A projection each time that it has changed, until its object is deleted.
    public func valuePublisher<T: ProjectionObservable & RealmSubscribable>(
        _ projection: T, keyPaths: [String]? = nil
    ) -> RealmPublishers.Value<T> { RealmPublishers.Value(projection, keyPaths) }

    /// A collection at first, and each time that it has changed.
    public func valuePublisher<T: RealmCollection & RealmSubscribable>(
        _ collection: T, keyPaths: [String]? = nil
    ) -> RealmPublishers.Value<T> { RealmPublishers.Value(collection, keyPaths) }

    /// What changes of an object, until it is deleted.
    public func changesetPublisher<T: Object>(
        _ object: T, keyPaths: [String]? = nil
    ) -> RealmPublishers.ObjectChangeset<T> {
        precondition(object.realm != nil, "Only managed objects can be published")
        precondition(!object.isInvalidated, "Object is invalidated or deleted")
        return RealmPublishers.Changeset { queue, block in object.observe(keyPaths: keyPaths, on: queue, block) }
    }

    /// What changes of a projection, until its object is deleted.
    public func changesetPublisher<T: ProjectionObservable>(
        _ projection: T, keyPaths: [String]? = nil
    ) -> RealmPublishers.ObjectChangeset<T> {
        precondition(projection.realm != nil, "Only managed objects can be published")
        precondition(!projection.isInvalidated, "Object is invalidated or deleted")
        return RealmPublishers.Changeset { queue, block in projection.observe(keyPaths: keyPaths, on: queue, block) }
    }

    /// What changes of a collection.
    public func changesetPublisher<T: RealmCollection & RealmSubscribable>(
        _ collection: T, keyPaths: [String]? = nil
    ) -> RealmPublishers.CollectionChangeset<T> { collection.changesetPublisher(keyPaths: keyPaths) }
#endif
