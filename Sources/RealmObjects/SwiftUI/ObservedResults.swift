#if canImport(SwiftUI)
    public import SwiftUI

    /// Elements of results shown by views: models and projections.
    public protocol _ObservedResultsValue: RealmCollectionValue {}
    extension Object: _ObservedResultsValue {}
    extension Projection: _ObservedResultsValue {}

    /// Results shown by views. They are looked up on first use, and again when the query changes.
    class HeldResults<Element: _ObservedResultsValue & RealmFetchable>: ObservableObject, @unchecked Sendable {
        var configuration: Realm.Configuration? { didSet { found = nil } }
        /// The condition and the predicate; the one set last replaces the other.
        var condition: ((Query<Element>) -> Query<Bool>)? {
            didSet {
                narrowed = condition.map { condition in { $0.where(condition) } }
                change()
            }
        }
        var filter: RealmPredicate? {
            didSet {
                narrowed = filter.map { filter in { $0.filter(filter) } }
                change()
            }
        }
        private var narrowed: ((Results<Element>) -> Results<Element>)?
        private let keyPaths: [String]?
        private let publisher = ObservableObjectPublisher()
        private var found: Results<Element>?
        private var token: NotificationToken?
        private var isShown = false

        init(_ configuration: Realm.Configuration?, _ keyPaths: [String]?) {
            (self.configuration, self.keyPaths) = (configuration, keyPaths)
        }

        /// Requested by a view when it is shown; nothing is observed before.
        var objectWillChange: ObservableObjectPublisher {
            isShown = true
            _ = results
            follow()
            return publisher
        }

        func change() {
            found = nil
            publisher.send()
        }

        /// Returns the matching objects in the requested order.
        func ordered(_ results: Results<Element>) -> Results<Element> { results }

        /// Called when the results have changed.
        func changed() {}

        var results: Results<Element> {
            if let found { return found }
            do {
                let realm = try Realm(configuration: configuration ?? .defaultConfiguration)
                var results = realm.objects(Element.self)
                if let narrowed { results = narrowed(results) }
                let new = ordered(results)
                found = new
                token = nil
                changed()
                follow()
                return new
            } catch { Failure.stop("\(error)") }
        }

        private func follow() {
            guard isShown, token == nil, let found else { return }
            var isFirst = true
            token = found.observe(keyPaths: keyPaths, on: nil) { [weak self] _ in
                if !isFirst {
                    self?.changed()
                    self?.publisher.send()
                }
                isFirst = false
            }
        }
    }

    private final class SortedResults<Element: _ObservedResultsValue & RealmFetchable>: HeldResults<Element>,
        @unchecked Sendable
    {
        var order: SortDescriptor? { didSet { change() } }

        override func ordered(_ results: Results<Element>) -> Results<Element> {
            order.map { results.sorted(by: [$0]) } ?? results
        }
    }

    /// The objects of a class shown by a view, which is redrawn when they change. Changes through `$` use their own
    /// transactions.
    @propertyWrapper
    public struct ObservedResults<ResultType>: DynamicProperty, BoundCollection
    where ResultType: _ObservedResultsValue & RealmFetchable & Identifiable {
        /// The type of the elements.
        public typealias Element = ResultType
        private let held: SortedResults<ResultType>
        private var observed: ObservedObject<SortedResults<ResultType>>
        private var environment = Environment(\.realmConfiguration)

        /// A predicate that the objects have to match. It replaces `where`.
        public var filter: RealmPredicate? {
            get { held.filter }
            nonmutating set { held.filter = newValue }
        }
        /// A condition that the objects have to meet. It replaces `filter`.
        public var `where`: ((Query<ResultType>) -> Query<Bool>)? {
            get { held.condition }
            nonmutating set { held.condition = newValue }
        }
        /// The order of the objects.
        public var sortDescriptor: SortDescriptor? {
            get { held.order }
            nonmutating set { held.order = newValue }
        }
        /// The current objects, frozen.
        public var wrappedValue: Results<ResultType> { held.results.freeze() }
        /// Provides the methods that change the objects.
        public var projectedValue: Self { self }

        @MainActor private init(
            _ configuration: Realm.Configuration?, _ filter: RealmPredicate?,
            _ condition: ((Query<ResultType>) -> Query<Bool>)?,
            _ keyPaths: [String]?, _ sortDescriptor: SortDescriptor?
        ) {
            held = SortedResults(configuration, keyPaths)
            if let condition { held.condition = condition } else { held.filter = filter }
            held.order = sortDescriptor
            observed = ObservedObject(wrappedValue: held)
        }

        /// Observes projections.
        ///
        /// - Parameters:
        ///   - configuration: the configuration of the realm; nil for that of the environment.
        ///   - filter: a predicate.
        ///   - keyPaths: the observed properties; nil for all.
        ///   - sortDescriptor: the order.
        @MainActor public init<ObjectType: ObjectBase>(
            _ type: ResultType.Type, configuration: Realm.Configuration? = nil, filter: RealmPredicate? = nil,
            keyPaths: [String]? = nil, sortDescriptor: SortDescriptor? = nil
        ) where ResultType: Projection<ObjectType>, ObjectType: ThreadConfined {
            self.init(configuration, filter, nil, keyPaths, sortDescriptor)
        }
        /// Observes projections that match the text of a predicate.
        @MainActor public init<ObjectType: ObjectBase>(
            _ type: ResultType.Type, configuration: Realm.Configuration? = nil, filter: String,
            keyPaths: [String]? = nil, sortDescriptor: SortDescriptor? = nil
        ) where ResultType: Projection<ObjectType>, ObjectType: ThreadConfined {
            self.init(configuration, RealmPredicate(format: filter), nil, keyPaths, sortDescriptor)
        }
        /// Observes objects that match a predicate.
        @MainActor public init(
            _ type: ResultType.Type, configuration: Realm.Configuration? = nil, filter: RealmPredicate,
            keyPaths: [String]? = nil, sortDescriptor: SortDescriptor? = nil
        ) where ResultType: Object { self.init(configuration, filter, nil, keyPaths, sortDescriptor) }
        /// Observes objects that match the text of a predicate.
        @MainActor public init(
            _ type: ResultType.Type, configuration: Realm.Configuration? = nil, filter: String,
            keyPaths: [String]? = nil, sortDescriptor: SortDescriptor? = nil
        ) where ResultType: Object {
            self.init(configuration, RealmPredicate(format: filter), nil, keyPaths, sortDescriptor)
        }
        /// Observes objects that meet a condition.
        @MainActor public init(
            _ type: ResultType.Type, configuration: Realm.Configuration? = nil,
            where: ((Query<ResultType>) -> Query<Bool>)? = nil, keyPaths: [String]? = nil,
            sortDescriptor: SortDescriptor? = nil
        ) where ResultType: Object { self.init(configuration, nil, `where`, keyPaths, sortDescriptor) }
        /// Observes objects.
        @MainActor public init(
            _ type: ResultType.Type, keyPaths: [String]? = nil, configuration: Realm.Configuration? = nil,
            sortDescriptor: SortDescriptor? = nil
        ) where ResultType: Object { self.init(configuration, nil, nil, keyPaths, sortDescriptor) }

        /// Uses the realm of the environment if no other one was given.
        public func update() { if held.configuration == nil { held.configuration = environment.wrappedValue } }
    }

    private final class HeldSections<Key: _Persistable & Hashable, Element: _ObservedResultsValue & RealmFetchable>:
        HeldResults<Element>, @unchecked Sendable
    {
        var order: [SortDescriptor] { didSet { change() } }
        private let key: (Element) -> Key
        private var known: SectionedResults<Key, Element>?

        init(
            _ configuration: Realm.Configuration?, _ keyPaths: [String]?, _ order: [SortDescriptor],
            _ key: @escaping (Element) -> Key
        ) {
            guard !order.isEmpty else {
                Failure.stop(
                    "sortDescriptors must not be empty when sectioning ObservedSectionedResults with `sectionBlock`")
            }
            (self.order, self.key) = (order, key)
            super.init(configuration, keyPaths)
        }

        override func changed() { known = nil }

        var sections: SectionedResults<Key, Element> {
            let results = results
            if let known { return known }
            let new = results.sectioned(by: key, sortDescriptors: order).freeze()
            known = new
            return new
        }
    }

    /// The objects of a class in sections, shown by a view, which is redrawn when they change.
    @propertyWrapper
    public struct ObservedSectionedResults<Key: _Persistable & Hashable, ResultType>: DynamicProperty, BoundCollection
    where ResultType: _ObservedResultsValue & RealmFetchable & Identifiable {
        /// The type of the elements.
        public typealias Element = ResultType
        private let held: HeldSections<Key, ResultType>
        private var observed: ObservedObject<HeldSections<Key, ResultType>>
        private var environment = Environment(\.realmConfiguration)

        /// A predicate that the objects have to match. It replaces `where`.
        public var filter: RealmPredicate? {
            get { held.filter }
            nonmutating set { held.filter = newValue }
        }
        /// A condition that the objects have to meet. It replaces `filter`.
        public var `where`: ((Query<ResultType>) -> Query<Bool>)? {
            get { held.condition }
            nonmutating set { held.condition = newValue }
        }
        /// The order of the objects; the sections are in the order of their first elements.
        public var sortDescriptors: [SortDescriptor] {
            get { held.order }
            nonmutating set { held.order = newValue }
        }
        /// The current sections, frozen.
        public var wrappedValue: SectionedResults<Key, ResultType> { held.sections }
        /// Provides the methods that change the objects.
        public var projectedValue: Self { self }

        /// Deletes the objects at some indexes of a section.
        public func remove(
            atOffsets offsets: some Sequence<Int>, section: ResultsSection<Key, ResultType>
        ) where ResultType: ObjectBase & ThreadConfined {
            changing(held.results) { $0.realm?.delete(offsets.compactMap { section[$0].thaw() }) }
        }

        @MainActor private init(
            _ configuration: Realm.Configuration?, _ filter: RealmPredicate?,
            _ condition: ((Query<ResultType>) -> Query<Bool>)?,
            _ keyPaths: [String]?, _ sortDescriptors: [SortDescriptor], _ key: @escaping (ResultType) -> Key
        ) {
            held = HeldSections(configuration, keyPaths, sortDescriptors, key)
            if let condition { held.condition = condition } else { held.filter = filter }
            observed = ObservedObject(wrappedValue: held)
        }

        /// Observes objects in sections by the value of a key path.
        ///
        /// - Parameters:
        ///   - sortDescriptors: the order, which must begin with that of the sections; if empty, the value of the
        ///     sections.
        ///   - where: a condition.
        ///   - keyPaths: the observed properties; nil for all.
        ///   - configuration: the configuration of the realm; nil for that of the environment.
        @MainActor public init(
            _ type: ResultType.Type, sectionKeyPath: KeyPath<ResultType, Key>, sortDescriptors: [SortDescriptor] = [],
            where: ((Query<ResultType>) -> Query<Bool>)? = nil, keyPaths: [String]? = nil,
            configuration: Realm.Configuration? = nil
        ) where ResultType: Object {
            let order =
                sortDescriptors.isEmpty
                ? [SortDescriptor(keyPath: KeyPathRecorder.name(sectionKeyPath, ResultType.self))] : sortDescriptors
            self.init(configuration, nil, `where`, keyPaths, order) { $0[keyPath: sectionKeyPath] }
        }
        /// Observes objects that match a predicate, in sections by the value of a key path.
        @MainActor public init(
            _ type: ResultType.Type, sectionKeyPath: KeyPath<ResultType, Key>, sortDescriptors: [SortDescriptor] = [],
            filter: RealmPredicate, keyPaths: [String]? = nil, configuration: Realm.Configuration? = nil
        ) where ResultType: Object {
            let order =
                sortDescriptors.isEmpty
                ? [SortDescriptor(keyPath: KeyPathRecorder.name(sectionKeyPath, ResultType.self))] : sortDescriptors
            self.init(configuration, filter, nil, keyPaths, order) { $0[keyPath: sectionKeyPath] }
        }
        /// Observes objects that match the text of a predicate, in sections by the value of a key path.
        @MainActor public init(
            _ type: ResultType.Type, sectionKeyPath: KeyPath<ResultType, Key>, sortDescriptors: [SortDescriptor] = [],
            filter: String, keyPaths: [String]? = nil, configuration: Realm.Configuration? = nil
        ) where ResultType: Object {
            self.init(
                type, sectionKeyPath: sectionKeyPath, sortDescriptors: sortDescriptors,
                filter: RealmPredicate(format: filter), keyPaths: keyPaths, configuration: configuration)
        }
        /// Observes objects in sections by the result of a function.
        @MainActor public init(
            _ type: ResultType.Type, sectionBlock: @escaping (ResultType) -> Key, sortDescriptors: [SortDescriptor],
            where: ((Query<ResultType>) -> Query<Bool>)? = nil, keyPaths: [String]? = nil,
            configuration: Realm.Configuration? = nil
        ) where ResultType: Object {
            self.init(configuration, nil, `where`, keyPaths, sortDescriptors, sectionBlock)
        }
        /// Observes objects that match a predicate, in sections by the result of a function.
        @MainActor public init(
            _ type: ResultType.Type, sectionBlock: @escaping (ResultType) -> Key, sortDescriptors: [SortDescriptor],
            filter: RealmPredicate, keyPaths: [String]? = nil, configuration: Realm.Configuration? = nil
        ) where ResultType: Object {
            self.init(configuration, filter, nil, keyPaths, sortDescriptors, sectionBlock)
        }
        /// Observes objects that match the text of a predicate, in sections by the result of a function.
        @MainActor public init(
            _ type: ResultType.Type, sectionBlock: @escaping (ResultType) -> Key, sortDescriptors: [SortDescriptor],
            filter: String, keyPaths: [String]? = nil, configuration: Realm.Configuration? = nil
        ) where ResultType: Object {
            self.init(configuration, RealmPredicate(format: filter), nil, keyPaths, sortDescriptors, sectionBlock)
        }
        /// Observes projections in sections by the value of a key path.
        @MainActor public init<ObjectType: ObjectBase>(
            _ type: ResultType.Type, sectionKeyPath: KeyPath<ResultType, Key>, sortDescriptors: [SortDescriptor] = [],
            filter: RealmPredicate? = nil, keyPaths: [String]? = nil, configuration: Realm.Configuration? = nil
        ) where ResultType: Projection<ObjectType>, ObjectType: ThreadConfined {
            let order =
                sortDescriptors.isEmpty
                ? [SortDescriptor(keyPath: ResultType.rootPath(sectionKeyPath))] : sortDescriptors
            self.init(configuration, filter, nil, keyPaths, order) { $0[keyPath: sectionKeyPath] }
        }
        /// Observes projections in sections by the result of a function.
        @MainActor public init<ObjectType: ObjectBase>(
            _ type: ResultType.Type, sectionBlock: @escaping (ResultType) -> Key, sortDescriptors: [SortDescriptor],
            filter: RealmPredicate? = nil, keyPaths: [String]? = nil, configuration: Realm.Configuration? = nil
        ) where ResultType: Projection<ObjectType>, ObjectType: ThreadConfined {
            self.init(configuration, filter, nil, keyPaths, sortDescriptors, sectionBlock)
        }

        /// Observes projections that match the text of a predicate, in sections by the value of a key path.
        @MainActor public init<ObjectType: ObjectBase>(
            _ type: ResultType.Type, sectionKeyPath: KeyPath<ResultType, Key>, sortDescriptors: [SortDescriptor] = [],
            filter: String, keyPaths: [String]? = nil, configuration: Realm.Configuration? = nil
        ) where ResultType: Projection<ObjectType>, ObjectType: ThreadConfined {
            self.init(
                type, sectionKeyPath: sectionKeyPath, sortDescriptors: sortDescriptors,
                filter: RealmPredicate(format: filter), keyPaths: keyPaths, configuration: configuration)
        }
        /// Observes projections that match the text of a predicate, in sections by the result of a function.
        @MainActor public init<ObjectType: ObjectBase>(
            _ type: ResultType.Type, sectionBlock: @escaping (ResultType) -> Key, sortDescriptors: [SortDescriptor],
            filter: String, keyPaths: [String]? = nil, configuration: Realm.Configuration? = nil
        ) where ResultType: Projection<ObjectType>, ObjectType: ThreadConfined {
            self.init(configuration, RealmPredicate(format: filter), nil, keyPaths, sortDescriptors, sectionBlock)
        }

        /// Uses the realm of the environment if no other one was given.
        public func update() { if held.configuration == nil { held.configuration = environment.wrappedValue } }
    }
#endif
