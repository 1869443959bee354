public import RealmLayout

/// The readers' reference to `EncryptedPages`, or none for files that are not encrypted. It is a single word without a
/// reference count, because it is copied with every view that may open nodes. Its holders must keep the owner of the
/// pages alive.
@safe
@frozen
@usableFromInline
package struct PageAccess: BitwiseCopyable, Sendable {
    /// The address of the pages, plus 1 if admitted pages are pinned; 0 for none.
    @usableFromInline let bits: UInt

    /// The gate for bytes that are always present.
    package static let none = PageAccess(bits: 0)

    private init(bits: UInt) { self.bits = bits }

    /// Creates a gate to `pages`.
    ///
    /// - Parameter pins: whether admitted pages stay until the file is closed, as if a lease were held permanently.
    package init(_ pages: EncryptedPages, pins: Bool) {
        bits = unsafe UInt(bitPattern: Unmanaged.passUnretained(pages).toOpaque()) | (pins ? 1 : 0)
    }

    /// A pinning gate to the same pages, or none.
    package var pinning: PageAccess { PageAccess(bits: bits == 0 ? 0 : bits | 1) }

    /// Whether bytes must be admitted.
    @inlinable @inline(__always)
    package var isClosed: Bool { bits != 0 }

    /// Makes `count` bytes from `offset` present; the first `known` of them, at least one, already are. Only for a
    /// closed gate.
    ///
    /// - Throws: `damagedPage`, `unwrittenPage`.
    @inlinable @inline(__always)
    package func admit(_ offset: Int, _ count: Int, after known: Int) throws(FormatError) {
        let known = (offset &+ known &- 1) | (PageGeometry.pageSize &- 1)
        if offset &+ count > known &+ 1 { try admit(known &+ 1, offset &+ count &- known &- 1) }
    }

    /// Makes `count` bytes from `offset` present, at least one. Only for a closed gate.
    ///
    /// - Throws: `damagedPage`, `unwrittenPage`.
    @inline(never)
    @usableFromInline
    package func admit(_ offset: Int, _ count: Int) throws(FormatError) {
        guard let address = unsafe UnsafeRawPointer(bitPattern: bits & ~1) else { return }
        let pins = bits & 1 != 0
        // The call does not propagate typed errors.
        let failure = unsafe Unmanaged<EncryptedPages>.fromOpaque(address)._withUnsafeGuaranteedRef { pages in
            do throws(FormatError) {
                try pages.admit(offset, count, pins: pins)
                return FormatError?.none
            } catch {
                return error
            }
        }
        if let failure { throw failure }
    }
}
