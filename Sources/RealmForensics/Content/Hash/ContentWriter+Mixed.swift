internal import RealmCore
internal import RealmLayout
internal import RealmStorage

extension ContentWriter {
    /// Appends the value of a Mixed.
    mutating func writeMixed(_ leaf: ColumnLeaf, _ index: Int, depth: Int) throws(FormatError) {
        let value = try leaf.mixed(at: index, in: space)
        switch value {
        case .list(let root):
            try nest(root)
            try writeMixedList(root, depth: inside(depth, at: root))
            nesting -= 1
        case .dictionary(let root):
            try nest(root)
            try writeDictionary(root, .string, depth: inside(depth, at: root))
            nesting -= 1
        case .link(let table, let key):
            // SDKs show a link to the null key as null.
            guard key != .null else { return append(.null) }
            guard let position = plan.snapshot.position(of: table) else {
                throw leaf.bad(index, "a link to the table \(table), which does not exist")
            }
            try writeLink(to: key, in: position, depth: depth)
        default: try writeScalar(value, leaf.ref)
        }
    }

    /// Enters a collection of a Mixed. Errors end the work, so only success needs to leave it again.
    private mutating func nest(_ root: Ref?) throws(FormatError) {
        try Nesting.collections.check(level: nesting + 1, at: root)
        nesting += 1
    }

    /// Appends a Mixed value that is neither a collection nor a link.
    @inline(__always)
    private mutating func writeScalar(_ value: MixedValue, _ ref: Ref) throws(FormatError) {
        switch value {
        case .null, .list, .dictionary, .link: append(.null)
        case .int(let value): append(.int, value)
        case .bool(let value): append(value)
        case .float(let bits): append(.float, bits)
        case .double(let bits): append(.double, bits)
        case .string(let text):
            try pay(for: text, at: ref)
            append(.string, counted: text)
        case .binary(let data):
            try pay(for: data, at: ref)
            append(.binary, counted: data)
        case .timestamp(let value): append(value)
        case .decimal128(let value): append(value)
        case .objectId(let id): append(.objectId, fixed: id)
        case .uuid(let id): append(.uuid, fixed: id)
        }
    }

    private mutating func writeMixedList(_ root: Ref?, depth: Int) throws(FormatError) {
        append(.list)
        let countStart = bytes.count
        bytes.append(0 as UInt64)
        guard let root else { return }
        var count = 0
        for leaf in try BPlusTree(root: root, of: .mixed, in: space).leaves(&budget) {
            for index in 0..<leaf.count {
                try writeMixed(leaf, index, depth: depth)
                try checkSize(leaf.ref)
            }
            count += leaf.count
        }
        bytes.patch(UInt64(count), at: countStart)
    }
}
