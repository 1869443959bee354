internal import RealmLayout

/// Copies of bytes that stay where they are as long as this object lives: the strings and binaries of a transaction.
final class StableBytes {
    private var copies: [ByteView] = []

    deinit { for copy in copies { unsafe copy.deallocateCopy() } }

    /// A view of a copy of `bytes`.
    func copy(_ bytes: [UInt8]) -> ByteView {
        let view = ByteView.copy(of: bytes)
        if view.count > 0 { copies.append(view) }
        return view
    }
}
