/// Keeps an observer going: notifications end with `invalidate`, or when nobody has the token any more.
public final class NotificationToken {
    private var end: (() -> Void)?

    init(_ end: @escaping () -> Void) { self.end = end }

    deinit { end?() }

    /// Ends the notifications.
    public func invalidate() {
        end?()
        end = nil
    }
}
