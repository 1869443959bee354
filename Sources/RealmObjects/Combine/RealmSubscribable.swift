#if canImport(Combine)
    public import Combine
    public import Dispatch

    // RealmSwift's publishers, which are based on `observe`.

    /// A type that can be published.
    public protocol RealmSubscribable {
        /// Calls a block with each state, and with nil after the last one.
        func _publishValues(
            _ keyPaths: [String]?, on queue: DispatchQueue?, _ block: @escaping (Any?) -> Void
        ) -> NotificationToken
        /// Calls a block with each change.
        func _publishChanges(_ block: @escaping () -> Void) -> NotificationToken
    }

    /// An observer as a subscription: cancelling it invalidates the token.
    public struct ObservationSubscription: Subscription {
        private let token: NotificationToken

        init(_ token: NotificationToken) { self.token = token }

        /// The identity of the subscription.
        public var combineIdentifier: CombineIdentifier { CombineIdentifier(token) }
        /// Has no effect: changes cannot be held back.
        public func request(_ demand: Subscribers.Demand) {}
        /// Ends the notifications.
        public func cancel() { token.invalidate() }
    }

    // MARK: Collections

    extension RealmCollection {
        /// Calls a block with each state.
        public func _publishValues(
            _ keyPaths: [String]?, on queue: DispatchQueue?, _ block: @escaping (Any?) -> Void
        ) -> NotificationToken {
            observe(keyPaths: keyPaths, on: queue) { change in
                switch change {
                case .initial(let collection), .update(let collection, _, _, _): block(collection)
                case .error: break
                }
            }
        }

        /// Calls a block with each change.
        public func _publishChanges(_ block: @escaping () -> Void) -> NotificationToken { observe { _ in block() } }
    }

    extension Map {
        /// Calls a block with each state.
        public func _publishValues(
            _ keyPaths: [String]?, on queue: DispatchQueue?, _ block: @escaping (Any?) -> Void
        ) -> NotificationToken {
            observe(keyPaths: keyPaths, on: queue) { change in
                switch change {
                case .initial(let map), .update(let map, _, _, _): block(map)
                case .error: break
                }
            }
        }

        /// Calls a block with each change.
        public func _publishChanges(_ block: @escaping () -> Void) -> NotificationToken { observe { _ in block() } }
    }

    extension RealmSectionedResult {
        /// Calls a block with each state.
        public func _publishValues(
            _ keyPaths: [String]?, on queue: DispatchQueue?, _ block: @escaping (Any?) -> Void
        ) -> NotificationToken {
            observe(keyPaths: keyPaths, on: queue) { change in
                switch change {
                case .initial(let sections), .update(let sections, _, _, _, _, _): block(sections)
                }
            }
        }

        /// Calls a block with each change.
        public func _publishChanges(_ block: @escaping () -> Void) -> NotificationToken { observe { _ in block() } }
    }

    extension Results: RealmSubscribable {}
    extension AnyRealmCollection: RealmSubscribable {}
    extension LinkingObjects: RealmSubscribable {}
    extension SectionedResults: RealmSubscribable {}
    extension ResultsSection: RealmSubscribable {}
    extension List: RealmSubscribable, ObservableObject {
        /// A publisher that emits initially, and after each change of the list.
        public var objectWillChange: RealmPublishers.WillChange<List> { RealmPublishers.WillChange(self) }
    }
    extension MutableSet: RealmSubscribable, ObservableObject {
        /// A publisher that emits initially, and after each change of the set.
        public var objectWillChange: RealmPublishers.WillChange<MutableSet> { RealmPublishers.WillChange(self) }
    }
    extension Map: RealmSubscribable, ObservableObject {
        /// A publisher that emits initially, and after each change of the map.
        public var objectWillChange: RealmPublishers.WillChange<Map> { RealmPublishers.WillChange(self) }
    }

    // MARK: Objects

    extension ObjectBase {
        /// Observes an object of any class.
        fileprivate final func publish(
            _ keyPaths: [String]?, on queue: DispatchQueue?, _ block: @escaping (ObjectChange<ObjectBase>) -> Void
        ) -> NotificationToken {
            switch self {
            case let object as Object: object.observe(keyPaths: keyPaths, on: queue, block)
            case let object as EmbeddedObject: object.observe(keyPaths: keyPaths, on: queue, block)
            default: Failure.stop(Failure.notManaged)
            }
        }

    }

    extension RealmSubscribable where Self: ObjectBase {
        /// Calls a block with each state, and with nil when the object is deleted.
        public func _publishValues(
            _ keyPaths: [String]?, on queue: DispatchQueue?, _ block: @escaping (Any?) -> Void
        ) -> NotificationToken {
            publish(keyPaths, on: queue) { change in
                switch change {
                case .change(let object, _): block(object)
                case .deleted: block(nil)
                case .error: break
                }
            }
        }

        /// Calls a block with each change, and when the object is deleted.
        public func _publishChanges(_ block: @escaping () -> Void) -> NotificationToken {
            publish(nil, on: nil) { _ in block() }
        }
    }

    extension Object: RealmSubscribable, ObservableObject {
        /// A publisher that emits after each change of the object.
        public var objectWillChange: RealmPublishers.WillChange<Object> { RealmPublishers.WillChange(self) }
    }

    extension EmbeddedObject: RealmSubscribable, ObservableObject {
        /// A publisher that emits after each change of the object.
        public var objectWillChange: RealmPublishers.WillChange<EmbeddedObject> { RealmPublishers.WillChange(self) }
    }

    extension RealmSubscribable where Self: ProjectionObservable {
        /// Calls a block with each state, and with nil when the object is deleted.
        public func _publishValues(
            _ keyPaths: [String]?, on queue: DispatchQueue?, _ block: @escaping (Any?) -> Void
        ) -> NotificationToken {
            observe(keyPaths: keyPaths, on: queue) { change in
                switch change {
                case .change(let projection, _): block(projection)
                case .deleted: block(nil)
                case .error: break
                }
            }
        }

        /// Calls a block with each change, and when the object is deleted.
        public func _publishChanges(_ block: @escaping () -> Void) -> NotificationToken {
            observe(keyPaths: [String]?.none) { _ in block() }
        }
    }

    extension Projection: RealmSubscribable, ObservableObject {
        /// A publisher that emits after each change of the object's projected properties.
        public var objectWillChange: RealmPublishers.WillChange<Projection> { RealmPublishers.WillChange(self) }
    }
#endif
