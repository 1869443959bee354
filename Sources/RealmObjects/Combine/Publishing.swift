#if canImport(Combine)

    // Publishers of realms, collections and objects.

    extension Realm {
        /// A publisher that emits each time the realm shows another version, or a newer version becomes available.
        public var objectWillChange: RealmPublishers.RealmWillChange { RealmPublishers.RealmWillChange(self) }
    }

    extension RealmCollection where Self: RealmSubscribable {
        /// A publisher that emits initially, and after each change of the collection.
        public var objectWillChange: RealmPublishers.WillChange<Self> { RealmPublishers.WillChange(self) }
        /// A publisher of the collection, initially and after each change.
        public var collectionPublisher: RealmPublishers.Value<Self> { RealmPublishers.Value(self) }
        /// The former name.
        @available(*, deprecated, renamed: "collectionPublisher")
        public var publisher: RealmPublishers.Value<Self> { RealmPublishers.Value(self) }
        /// A publisher of the collection, initially and after each change at the given paths.
        public func collectionPublisher(keyPaths: [String]?) -> RealmPublishers.Value<Self> {
            RealmPublishers.Value(self, keyPaths)
        }
        /// A publisher of changesets.
        public var changesetPublisher: RealmPublishers.CollectionChangeset<Self> { changesetPublisher(keyPaths: nil) }
        /// A publisher of the changesets at the given paths.
        public func changesetPublisher(keyPaths: [String]?) -> RealmPublishers.CollectionChangeset<Self> {
            precondition(realm != nil, "Only managed collections can be published")
            return RealmPublishers.Changeset { queue, block in observe(keyPaths: keyPaths, on: queue, block) }
        }
    }

    extension RealmCollection where Self: RealmSubscribable, Element: ObjectBase {
        /// A publisher of the collection, initially and after each change at the given key paths.
        public func collectionPublisher(keyPaths: [PartialKeyPath<Element>]) -> RealmPublishers.Value<Self> {
            collectionPublisher(keyPaths: keyPaths.map { KeyPathRecorder.name($0, Element.self) })
        }
        /// A publisher of the changesets at the given key paths.
        public func changesetPublisher(
            keyPaths: [PartialKeyPath<Element>]
        ) -> RealmPublishers.CollectionChangeset<Self> {
            changesetPublisher(keyPaths: keyPaths.map { KeyPathRecorder.name($0, Element.self) })
        }
    }

    extension RealmKeyedCollection where Self: RealmSubscribable {
        /// A publisher that emits initially, and after each change of the map.
        public var objectWillChange: RealmPublishers.WillChange<Self> { RealmPublishers.WillChange(self) }
        /// A publisher of the map, initially and after each change.
        public var collectionPublisher: RealmPublishers.Value<Self> { RealmPublishers.Value(self) }
        /// The former name.
        @available(*, deprecated, renamed: "collectionPublisher")
        public var publisher: RealmPublishers.Value<Self> { RealmPublishers.Value(self) }
        /// A publisher of the map, initially and after each change at the given paths.
        public func collectionPublisher(keyPaths: [String]?) -> RealmPublishers.Value<Self> {
            RealmPublishers.Value(self, keyPaths)
        }
        /// A publisher of changesets.
        public var changesetPublisher: RealmPublishers.MapChangeset<Self> {
            changesetPublisher(keyPaths: nil)
        }
        /// A publisher of the changesets at the given paths.
        public func changesetPublisher(keyPaths: [String]?) -> RealmPublishers.MapChangeset<Self> {
            precondition(realm != nil, "Only managed collections can be published")
            return RealmPublishers.Changeset { queue, block in observe(keyPaths: keyPaths, on: queue, block) }
        }
    }

    extension RealmSectionedResult where Self: RealmSubscribable {
        /// A publisher that emits initially, and after each change of the sections.
        public var objectWillChange: RealmPublishers.WillChange<Self> { RealmPublishers.WillChange(self) }
        /// A publisher of the sections, initially and after each change.
        public var collectionPublisher: RealmPublishers.Value<Self> { RealmPublishers.Value(self) }
        /// A publisher of the sections, initially and after each change at the given paths.
        public func collectionPublisher(keyPaths: [String]?) -> RealmPublishers.Value<Self> {
            RealmPublishers.Value(self, keyPaths)
        }
        /// A publisher of changesets.
        public var changesetPublisher: RealmPublishers.SectionedResultsChangeset<Self> {
            changesetPublisher(keyPaths: nil)
        }
        /// A publisher of the changesets at the given paths.
        public func changesetPublisher(keyPaths: [String]?) -> RealmPublishers.SectionedResultsChangeset<Self> {
            precondition(realm != nil, "Only managed collections can be published")
            return RealmPublishers.Changeset { queue, block in observe(keyPaths: keyPaths, on: queue, block) }
        }
    }

    /// Publishes an object after each change, until it is deleted.
    public func valuePublisher<T: Object>(_ object: T, keyPaths: [String]? = nil) -> RealmPublishers.Value<T> {
        RealmPublishers.Value(object, keyPaths)
    }

    /// Publishes a projection after each change, until its object is deleted.
    public func valuePublisher<T: ProjectionObservable & RealmSubscribable>(
        _ projection: T, keyPaths: [String]? = nil
    ) -> RealmPublishers.Value<T> { RealmPublishers.Value(projection, keyPaths) }

    /// Publishes a collection initially, and after each change.
    public func valuePublisher<T: RealmCollection & RealmSubscribable>(
        _ collection: T, keyPaths: [String]? = nil
    ) -> RealmPublishers.Value<T> { RealmPublishers.Value(collection, keyPaths) }

    /// Publishes the changes of an object, until it is deleted.
    public func changesetPublisher<T: Object>(
        _ object: T, keyPaths: [String]? = nil
    ) -> RealmPublishers.ObjectChangeset<T> {
        precondition(object.realm != nil, "Only managed objects can be published")
        precondition(!object.isInvalidated, "Object is invalidated or deleted")
        return RealmPublishers.Changeset { queue, block in object.observe(keyPaths: keyPaths, on: queue, block) }
    }

    /// Publishes the changes of a projection, until its object is deleted.
    public func changesetPublisher<T: ProjectionObservable>(
        _ projection: T, keyPaths: [String]? = nil
    ) -> RealmPublishers.ObjectChangeset<T> {
        precondition(projection.realm != nil, "Only managed objects can be published")
        precondition(!projection.isInvalidated, "Object is invalidated or deleted")
        return RealmPublishers.Changeset { queue, block in projection.observe(keyPaths: keyPaths, on: queue, block) }
    }

    /// Publishes the changes of a collection.
    public func changesetPublisher<T: RealmCollection & RealmSubscribable>(
        _ collection: T, keyPaths: [String]? = nil
    ) -> RealmPublishers.CollectionChangeset<T> { collection.changesetPublisher(keyPaths: keyPaths) }
#endif
