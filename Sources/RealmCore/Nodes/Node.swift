public import RealmLayout

/// A node whose header and payload have been proven to lie inside the file (Spec 20).
@usableFromInline
package struct Node: Sendable {
    @usableFromInline package let ref: Ref
    @usableFromInline package let header: NodeHeader
    /// Bytes of payload without padding.
    @usableFromInline package let size: Int
    /// Header, payload and padding.
    @usableFromInline package let body: ByteView

    @inlinable
    init(ref: Ref, header: NodeHeader, size: Int, body: ByteView) {
        self.ref = ref
        self.header = header
        self.size = size
        self.body = body
    }

    @inlinable package var count: Int { header.count }

    /// Whether the node holds plain bytes. An empty node may have been created before its content type was known.
    @inlinable
    var isBlob: Bool { !header.hasRefs && (header.widthType == .ignore || count == 0) }

    /// Whether a list of distinct strings has a form that only formats before 10 have, with several leaves or without
    /// null flags. An upgrade kept it, but no leaf has indexes into it (Spec 30).
    package var isKeptList: Bool { header.isInner || (header.hasRefs && !header.isContext && count == 2) }

    /// The payload without padding.
    @inlinable package var payload: ByteView { body.slice(unchecked: NodeHeader.size, count: size) }

    /// The elements as packed integers (also refs and tagged integers).
    ///
    /// - Throws: `unexpectedNode` when the width type is not "bits".
    @inlinable @inline(__always)
    package func integers() throws(FormatError) -> IntegerVector {
        guard header.isBits else { throw unexpected("an array of integers") }
        return elements
    }

    /// The elements as packed integers; meaningful only when the width type is "bits".
    @inlinable @inline(__always)
    package var elements: IntegerVector {
        IntegerVector(
            width: header.width, count: header.count,
            payload: body.slice(unchecked: NodeHeader.size, count: body.count &- NodeHeader.size))
    }

    /// The elements as packed integers, for a node that must have refs.
    ///
    /// - Throws: `unexpectedNode` when the node has no refs.
    @inlinable @inline(__always)
    package func refs() throws(FormatError) -> IntegerVector {
        guard header.hasRefs else { throw unexpected("an array of refs") }
        return try integers()
    }
}

extension Node {
    @usableFromInline
    @inline(never)
    static func badRef(_ ref: Ref, limit: Int) -> FormatError {
        let reason = ref.offset & 7 != 0 ? "is not a multiple of 8" : "is outside of the database (\(limit) bytes)"
        return FormatError(.badRef, at: ref.offset, "the ref \(ref) \(reason)")
    }

    @usableFromInline
    @inline(never)
    static func badWidthType(_ ref: Ref) -> FormatError {
        FormatError(.badNode, at: ref.offset, "the node has the unknown width type 3")
    }

    @usableFromInline
    @inline(never)
    static func outside(_ ref: Ref, size: Int, limit: Int) -> FormatError {
        FormatError(
            .nodeOutsideFile, at: ref.offset,
            "the node's \(size) bytes of payload reach beyond the end of the database (\(limit) bytes)")
    }

    @usableFromInline
    @inline(never)
    func unexpected(_ expected: String) -> FormatError {
        FormatError(.unexpectedNode, at: ref.offset, "expected \(expected), found \(summary)")
    }

    @inline(never)
    func wrongCount(_ what: String, _ found: Int, _ expected: Int) -> FormatError {
        FormatError(.wrongCount, at: ref.offset, "\(what): found \(found), expected \(expected)")
    }

    /// A description of the header.
    package var summary: String {
        let flags = [
            header.isInner ? "inner" : nil, header.hasRefs ? "has refs" : nil, header.isContext ? "context" : nil,
        ].compactMap { $0 }
        let width =
            switch header.widthType {
            case .bits: "width \(header.width) bits"
            case .multiply: "width \(header.width) bytes"
            case .ignore: "bytes"
            case nil: "width type 3"
            }
        return "a node of \(count) elements (" + ([width] + flags).joined(separator: ", ") + ")"
    }
}
