public import RealmLayout

/// The way of readers to `EncryptedPages`, or none for files that are not encrypted: one word without a reference count,
/// because it is copied with every view that may open nodes. Whoever keeps it keeps the pages' owner.
@safe
@frozen
@usableFromInline
package struct PageAccess: BitwiseCopyable, Sendable {
    /// The address of the pages, plus 1 when what is admitted stays; 0 for none.
    @usableFromInline let bits: UInt

    /// The gate of bytes that are all there.
    package static let none = PageAccess(bits: 0)

    private init(bits: UInt) { self.bits = bits }

    /// A gate to `pages`.
    ///
    /// - Parameter pins: whether what is admitted stays until the file is closed, as if a lease were held for ever.
    package init(_ pages: EncryptedPages, pins: Bool) {
        bits = unsafe UInt(bitPattern: Unmanaged.passUnretained(pages).toOpaque()) | (pins ? 1 : 0)
    }

    /// The gate to the same pages through which what is admitted stays; none to none.
    package var pinning: PageAccess { PageAccess(bits: bits == 0 ? 0 : bits | 1) }

    /// Whether bytes have to be admitted.
    @inlinable @inline(__always)
    package var isClosed: Bool { bits != 0 }

    /// Makes sure that `count` bytes from `offset` on are there, of which the first `known`, one or more, are. Only for a gate
    /// that is closed.
    ///
    /// - Throws: `damagedPage`, `unwrittenPage`.
    @inlinable @inline(__always)
    package func admit(_ offset: Int, _ count: Int, after known: Int) throws(FormatError) {
        let known = (offset &+ known &- 1) | (PageGeometry.pageSize &- 1)
        if offset &+ count > known &+ 1 { try admit(known &+ 1, offset &+ count &- known &- 1) }
    }

    /// Makes sure that `count` bytes, one or more, from `offset` on are there. Only for a gate that is closed.
    ///
    /// - Throws: `damagedPage`, `unwrittenPage`.
    @inline(never)
    @usableFromInline
    package func admit(_ offset: Int, _ count: Int) throws(FormatError) {
        guard let address = unsafe UnsafeRawPointer(bitPattern: bits & ~1) else { return }
        let pins = bits & 1 != 0
        // The call does not hand errors of a type on.
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
