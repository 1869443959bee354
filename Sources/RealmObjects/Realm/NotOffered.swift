#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

// API of RealmSwift for a server that no longer exists, or for Objective-C. The names are declared so that the compiler
// reports this, and suggests a replacement.

/// App Services no longer exists.
@available(*, unavailable, message: "Atlas App Services has been shut down; RealmObjects opens local files only")
public final class App {
    /// App Services no longer exists.
    public init(id: String) {}
}

/// App Services no longer exists.
@available(*, unavailable, message: "Atlas App Services has been shut down; RealmObjects has no users")
public final class User {}

/// Device Sync no longer exists.
@available(*, unavailable, message: "Atlas Device Sync has been shut down; RealmObjects opens local files only")
public struct SyncConfiguration {}

/// Device Sync no longer exists.
@available(*, unavailable, message: "Atlas Device Sync has been shut down; RealmObjects opens local files only")
public final class SyncSession {}

/// App Services no longer exists.
@available(*, unavailable, message: "events went to Atlas App Services, which has been shut down")
public struct EventConfiguration {
    /// App Services no longer exists.
    public init() {}
}

/// App Services no longer exists.
@available(*, unavailable, message: "events went to Atlas App Services, which has been shut down")
public struct Events {}

/// App Services no longer exists.
@available(*, unavailable, message: "events went to Atlas App Services, which has been shut down")
public protocol CustomEventRepresentable {}

/// App Services no longer exists.
@available(*, unavailable, message: "Atlas App Services has been shut down; RealmObjects opens local files only")
public struct MongoClient {}

/// App Services no longer exists.
@available(
    *, unavailable, message: "Atlas App Services has been shut down; the product RealmExchange has BSON documents"
)
public protocol BSON {}

/// App Services no longer exists.
@available(
    *, unavailable, message: "Atlas App Services has been shut down; the product RealmExchange has BSON documents"
)
public enum AnyBSON {}

/// Device Sync no longer exists.
@available(*, unavailable, message: "Atlas Device Sync has been shut down; a file has all of its objects")
public struct SyncSubscriptionSet {}

/// Opening a local file needs no waiting.
@available(
    *, unavailable, message: "opening a local file needs no waiting: use @ObservedResults, or Realm.open from an actor"
)
@propertyWrapper
public struct AsyncOpen {
    /// Opening a local file needs no waiting.
    public init(appId: String? = nil, configuration: Realm.Configuration? = nil, timeout: UInt? = nil) {}
    /// Opening a local file needs no waiting.
    public var wrappedValue: Void { () }
}

/// Opening a local file needs no waiting.
@available(
    *, unavailable, message: "opening a local file needs no waiting: use @ObservedResults, or Realm.open from an actor"
)
@propertyWrapper
public struct AutoOpen {
    /// Opening a local file needs no waiting.
    public init(appId: String? = nil, configuration: Realm.Configuration? = nil, timeout: UInt? = nil) {}
    /// Opening a local file needs no waiting.
    public var wrappedValue: Void { () }
}

/// Requires Objective-C.
@available(*, unavailable, message: "write @Persisted var name: Value? in place of let name = RealmOptional<Value>()")
public final class RealmOptional<Value> {
    /// Requires Objective-C.
    public init(_ value: Value? = nil) {}
}

/// Requires Objective-C.
@available(*, unavailable, message: "write @Persisted var name: Value in place of let name = RealmProperty<Value>()")
public final class RealmProperty<Value> {
    /// Requires Objective-C.
    public init() {}
}

/// The base class of lists and sets in generic code.
@available(*, unavailable, message: "write 'as? any RealmCollection', and hand that to a generic function")
public class RLMSwiftCollectionBase {}

/// Requires Objective-C.
@available(*, unavailable, message: "there are no objects of Objective-C to convert to")
public struct ObjectiveCSupport {}

extension Realm.Configuration {
    /// Device Sync no longer exists.
    @available(*, unavailable, message: "Atlas Device Sync has been shut down; leave syncConfiguration out")
    public init(
        fileURL: URL? = nil, inMemoryIdentifier: String? = nil, syncConfiguration: SyncConfiguration?,
        encryptionKey: Data? = nil, readOnly: Bool = false, schemaVersion: UInt64 = 0,
        migrationBlock: MigrationBlock? = nil,
        deleteRealmIfMigrationNeeded: Bool = false, shouldCompactOnLaunch: (@Sendable (Int, Int) -> Bool)? = nil,
        objectTypes: [ObjectBase.Type]? = nil, seedFilePath: URL? = nil
    ) { self.init() }

    /// Device Sync no longer exists.
    @available(*, unavailable, message: "Atlas Device Sync has been shut down; RealmObjects opens local files only")
    public var syncConfiguration: SyncConfiguration? {
        get { nil }
        set {}
    }

    /// App Services no longer exists.
    @available(*, unavailable, message: "events went to Atlas App Services, which has been shut down")
    public var eventConfiguration: EventConfiguration? {
        get { nil }
        set {}
    }
}

extension Realm {
    /// App Services no longer exists.
    @available(*, unavailable, message: "events went to Atlas App Services, which has been shut down")
    public var events: Events? { nil }

    /// Device Sync no longer exists.
    @available(*, unavailable, message: "Atlas Device Sync has been shut down; a file has all of its objects")
    public var subscriptions: SyncSubscriptionSet { fatalError() }
}

extension Results {
    /// Device Sync no longer exists.
    @available(*, unavailable, message: "Atlas Device Sync has been shut down; a file has all of its objects")
    public func subscribe(name: String? = nil, timeout: Double? = nil) async throws -> Results<Element> { self }

    /// Device Sync no longer exists.
    @available(*, unavailable, message: "Atlas Device Sync has been shut down; a file has all of its objects")
    public func unsubscribe() {}
}
