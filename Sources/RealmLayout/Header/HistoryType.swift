/// The kind of commit history in the file (Spec 70).
///
/// ```swift
/// if snapshot.history.type == .syncClient { print("the app was synchronised") }
/// ```
public enum HistoryType: Int, CaseIterable, Sendable {
    /// No history.
    case none = 0
    /// A log in a separate file; obsolete.
    case outOfRealm = 1
    /// A history for the processes that share the file.
    case inRealm = 2
    /// The history of a client of Device Sync.
    case syncClient = 3
    /// The history of a sync server.
    case syncServer = 4
}
