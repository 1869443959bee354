public import Dispatch

// What RealmSwift has for a server that does not exist any more. The names are here so that the compiler says so.

/// There is no App Services any more.
@available(*, unavailable, message: "Atlas App Services has been shut down; RealmObjects opens local files only")
public final class App {}

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
public struct EventConfiguration {}

/// There is no App Services any more.
@available(*, unavailable, message: "events went to Atlas App Services, which has been shut down")
public struct Events {}

extension Realm.Configuration {
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

    /// There is nothing to be waited for.
    @available(
        *, unavailable,
        message: "opening a local file needs no waiting: use Realm(configuration:), or Realm.open from an actor"
    )
    public static func asyncOpen(
        configuration: Configuration = .defaultConfiguration, callbackQueue: DispatchQueue = .main,
        callback: @escaping (Result<Realm, any Swift.Error>) -> Void
    ) {}
}
