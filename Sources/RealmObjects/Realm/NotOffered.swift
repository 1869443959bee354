#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

// What RealmSwift has for a server that does not exist any more, or for Objective-C. The names are here so that the compiler says so, and
// what is there instead.

/// There is no App Services any more.
@available(*, unavailable, message: "Atlas App Services has been shut down; RealmObjects opens local files only")
public final class App {
    /// There is no App Services any more.
    public init(id: String) {}
}

/// There is no App Services any more.
@available(*, unavailable, message: "Atlas App Services has been shut down; RealmObjects has no users")
public final class User {}

/// There is no Device Sync any more.
@available(*, unavailable, message: "Atlas Device Sync has been shut down; RealmObjects opens local files only")
public struct SyncConfiguration {}

/// There is no Device Sync any more.
@available(*, unavailable, message: "Atlas Device Sync has been shut down; RealmObjects opens local files only")
public final class SyncSession {}

/// There is no App Services any more.
@available(*, unavailable, message: "events went to Atlas App Services, which has been shut down")
public struct EventConfiguration {
    /// There is no App Services any more.
    public init() {}
}

/// There is no App Services any more.
@available(*, unavailable, message: "events went to Atlas App Services, which has been shut down")
public struct Events {}

/// There is no App Services any more.
@available(*, unavailable, message: "events went to Atlas App Services, which has been shut down")
public protocol CustomEventRepresentable {}

/// There is no App Services any more.
@available(*, unavailable, message: "Atlas App Services has been shut down; RealmObjects opens local files only")
public struct MongoClient {}

/// There is no App Services any more.
@available(
    *, unavailable, message: "Atlas App Services has been shut down; the product RealmExchange has BSON documents"
)
public protocol BSON {}

/// There is no App Services any more.
@available(
    *, unavailable, message: "Atlas App Services has been shut down; the product RealmExchange has BSON documents"
)
public enum AnyBSON {}

/// There is no Device Sync any more.
@available(*, unavailable, message: "Atlas Device Sync has been shut down; a file has all of its objects")
public struct SyncSubscriptionSet {}

/// There is nothing to be waited for.
@available(
    *, unavailable, message: "opening a local file needs no waiting: use @ObservedResults, or Realm.open from an actor"
)
@propertyWrapper
public struct AsyncOpen {
    /// There is nothing to be waited for.
    public init(appId: String? = nil, configuration: Realm.Configuration? = nil, timeout: UInt? = nil) {}
    /// There is nothing to be waited for.
    public var wrappedValue: Void { () }
}

/// There is nothing to be waited for.
@available(
    *, unavailable, message: "opening a local file needs no waiting: use @ObservedResults, or Realm.open from an actor"
)
@propertyWrapper
public struct AutoOpen {
    /// There is nothing to be waited for.
    public init(appId: String? = nil, configuration: Realm.Configuration? = nil, timeout: UInt? = nil) {}
    /// There is nothing to be waited for.
    public var wrappedValue: Void { () }
}

/// It needed Objective-C.
@available(*, unavailable, message: "write @Persisted var name: Value? in place of let name = RealmOptional<Value>()")
public final class RealmOptional<Value> {
    /// It needed Objective-C.
    public init(_ value: Value? = nil) {}
}

/// It needed Objective-C.
@available(*, unavailable, message: "write @Persisted var name: Value in place of let name = RealmProperty<Value>()")
public final class RealmProperty<Value> {
    /// It needed Objective-C.
    public init() {}
}

/// What generic code took lists and sets of any class for.
@available(*, unavailable, message: "write 'as? any RealmCollection', and hand that to a generic function")
public class RLMSwiftCollectionBase {}

/// It needed Objective-C.
@available(*, unavailable, message: "there are no objects of Objective-C to convert to")
public struct ObjectiveCSupport {}

extension Realm.Configuration {
    /// There is no Device Sync any more.
    @available(*, unavailable, message: "Atlas Device Sync has been shut down; leave syncConfiguration out")
    public init(
        fileURL: URL? = nil, inMemoryIdentifier: String? = nil, syncConfiguration: SyncConfiguration?,
        encryptionKey: Data? = nil, readOnly: Bool = false, schemaVersion: UInt64 = 0,
        migrationBlock: MigrationBlock? = nil,
        deleteRealmIfMigrationNeeded: Bool = false, shouldCompactOnLaunch: (@Sendable (Int, Int) -> Bool)? = nil,
        objectTypes: [ObjectBase.Type]? = nil, seedFilePath: URL? = nil
    ) { self.init() }

    /// There is no Device Sync any more.
    @available(*, unavailable, message: "Atlas Device Sync has been shut down; RealmObjects opens local files only")
    public var syncConfiguration: SyncConfiguration? {
        get { nil }
        set {}
    }

    /// There is no App Services any more.
    @available(*, unavailable, message: "events went to Atlas App Services, which has been shut down")
    public var eventConfiguration: EventConfiguration? {
        get { nil }
        set {}
    }
}

extension Realm {
    /// There is no App Services any more.
    @available(*, unavailable, message: "events went to Atlas App Services, which has been shut down")
    public var events: Events? { nil }

    /// There is no Device Sync any more.
    @available(*, unavailable, message: "Atlas Device Sync has been shut down; a file has all of its objects")
    public var subscriptions: SyncSubscriptionSet { fatalError() }
}

extension Results {
    /// There is no Device Sync any more.
    @available(*, unavailable, message: "Atlas Device Sync has been shut down; a file has all of its objects")
    public func subscribe(name: String? = nil, timeout: Double? = nil) async throws -> Results<Element> { self }

    /// There is no Device Sync any more.
    @available(*, unavailable, message: "Atlas Device Sync has been shut down; a file has all of its objects")
    public func unsubscribe() {}
}
