internal import RealmLayout

// Valid values of added objects and of existing leaves.
extension LeafBuilder {
    /// Appends a value that is neither a link nor a collection. It must fit the column (`PropertyConstraint.fits`).
    ///
    /// - Throws: `WriteError` when there is no room for a long value.
    package func append(scalar value: NewValue) throws(WriteError) {
        switch value {
        case .int(let number):
            if case .int(nullable: true) = type { append(nullable: number) } else { append(number: number) }
        case .string(let text):
            guard text.utf8.count <= BytesForm.longestMediumString else {
                return try ByteView.with(Array(text.utf8)) { view throws(WriteError) in try append(string: view) }
            }
            var text = text
            text.withUTF8 { bytes in
                let start = unsafe bytes.baseAddress.map { unsafe UnsafeRawPointer($0) }
                let view = unsafe start.map { unsafe ByteView(base: $0, count: bytes.count) } ?? .empty
                append(mediumString: view)
            }
        case .bool(let value): append(number: NullPattern.element(value))
        case .double(let number): append(number: Int64(bitPattern: number.bitPattern))
        case .float(let number): append(number: Int64(number.bitPattern))
        case .timestamp(let time): append(time)
        case .decimal128(let number): append(number)
        case .malformedString(let bytes):
            try ByteView.with(bytes) { view throws(WriteError) in try append(string: view) }
        case .binary(let bytes): try ByteView.with(bytes) { view throws(WriteError) in try append(binary: view) }
        case .objectId(let id): id.withBytes { append(fixed: $0) }
        case .uuid(let id): id.withBytes { append(fixed: $0) }
        case .null, .link, .primaryKeyLink, .embedded, .list, .dictionary: appendNull()
        }
    }
}

extension LeafBuilder {
    /// Appends the values in some rows of a leaf.
    ///
    /// - Returns: False, without any effect, for leaves whose values have child nodes: long values, and Mixed.
    /// - Throws: Errors of reading values.
    package func append(_ rows: ArraySlice<Int>, of leaf: ColumnLeaf, in space: NodeSpace) throws(WriteError) -> Bool {
        switch leaf.encoding {
        case .bigStrings, .bigBinaries, .mixed: return false
        case .links, .bools, .collections, .backlinks:
            for row in rows { append(number: leaf.rawElement(at: row)) }
        case .integers:
            if case .int(nullable: true) = type {
                for row in rows { append(nullable: leaf.int(at: row)) }
            } else {
                for row in rows { append(number: leaf.int(at: row)) }
            }
        case .floats:
            for row in rows { append(number: Int64(leaf.floatBits(at: row) ?? NullPattern.float)) }
        case .doubles:
            for row in rows { append(number: Int64(bitPattern: leaf.doubleBits(at: row) ?? NullPattern.double)) }
        case .timestamps:
            for row in rows {
                if let time = try checked({ () throws(FormatError) in try leaf.timestamp(at: row) }) {
                    append(time)
                } else {
                    appendNull()
                }
            }
        case .shortStrings, .mediumStrings:
            for row in rows {
                if let text = try checked({ () throws(FormatError) in try leaf.string(at: row, in: space) }) {
                    try append(string: text)
                } else {
                    appendNull()
                }
            }
        default:
            for row in rows {
                let scalar = try checked { () throws(FormatError) in try leaf.scalar(at: row, in: space) }
                guard case .value(let value) = scalar else { continue }
                try append(typed: value)
            }
        }
        return true
    }
}

extension PropertyConstraint {
    /// Whether a value that is neither a link nor a collection fits.
    @inline(__always)
    package func fits(scalar value: NewValue) -> Bool {
        guard collection == nil else { return false }
        return switch (type, value) {
        case (.int, .int), (.bool, .bool), (.timestamp, .timestamp), (.objectId, .objectId), (.uuid, .uuid): true
        case (.string, .string(let text)): text.utf8.count <= Limits.stringBytes
        case (.string, .malformedString(let bytes)): bytes.count <= Limits.stringBytes
        case (.binary, .binary(let bytes)): bytes.count <= Limits.blobBytes
        case (.float, .float(let number)): NullPattern.float(number.bitPattern) != nil
        case (.double, .double(let number)): NullPattern.double(number.bitPattern) != nil
        case (.decimal128, .decimal128(let number)): !number.isNullPattern
        case (.mixed, _), (.link, _): false
        case (_, .null): isNullable
        default: false
        }
    }
}
