internal import RealmLayout

// Trees of objects and of values with missing or repeated children.
extension HostileFile {
    private static let int = [HandmadeFile.Column("value", .int)]

    /// Returns a file whose class `Hostile` has the int property `value` and the cluster tree created by `objects`.
    private static func tree(_ objects: (inout HandmadeFile) -> Int) -> [UInt8] {
        var file = HandmadeFile()
        let root = objects(&file)
        file.addTable("class_Hostile", int, objects: root)
        return file.bytes()
    }

    static let clusterTrees: [HostileFile] = [
        HostileFile("cluster tree: an inner node that is its own child", .badCluster) {
            tree { file in
                let inner = file.clusterInner(depth: 3, count: 1, [0])
                file.writer.set(3, of: inner, to: inner)
                return inner
            }
        },
        HostileFile("cluster tree: 2^30 ways to one empty cluster", .sharedNodes) {
            tree { file in
                var node = file.cluster(0, [0])
                for depth in 1...30 { node = file.clusterInner(depth: depth, count: 0, [node, node]) }
                return node
            }
        },
        HostileFile("cluster tree: the same cluster twice, with the same keys", .badCluster) {
            tree { file in
                let leaf = file.cluster(1, [file.writer.zeros(1)])
                let keys = file.writer.integers([0, 0])
                return file.writer.refs(
                    [keys, NodeWriter.tagged(1), NodeWriter.tagged(2), leaf, leaf], isInner: true)
            }
        },
        HostileFile("cluster tree: an inner node without children", .badCluster) {
            tree { $0.clusterInner(depth: 1, count: 0, []) }
        },
        HostileFile("cluster tree: absurd depth", .tooDeep) {
            tree { $0.clusterInner(depth: 1 << 60, count: 0, [24]) }
        },
        HostileFile("cluster tree: absurd number of objects", .badCluster) {
            tree { $0.clusterInner(depth: 1, count: 1 << 61, [24]) }
        },
        HostileFile("cluster tree: fewer objects than the root says", .wrongCount) {
            tree { file in file.clusterInner(depth: 1, count: 2, [file.cluster(1, [file.writer.zeros(1)])]) }
        },
        HostileFile("cluster tree: a child that is a number", .badCluster) {
            tree { $0.clusterInner(depth: 1, count: 1, [NodeWriter.tagged(5)]) }
        },
        HostileFile("cluster tree: fewer key offsets than children", .wrongCount) {
            tree { file in
                let leaf = file.cluster(1, [file.writer.zeros(1)])
                let keys = file.writer.integers([0])
                return file.writer.refs(
                    [keys, NodeWriter.tagged(1), NodeWriter.tagged(2), leaf, leaf], isInner: true)
            }
        },
        HostileFile("cluster: 16 million objects", .badCluster) {
            tree { file in file.cluster(0xFF_FFFF, [file.writer.zeros(0xFF_FFFF)]) }
        },
        HostileFile("cluster: keys that descend", .badCluster) {
            tree { file in file.writer.refs([file.writer.integers([5, 3]), file.writer.zeros(2)]) }
        },
        HostileFile("cluster: keys that wrap around", .badCluster) {
            tree { file in
                let leaf = file.writer.refs([file.writer.integers([1, 2]), file.writer.zeros(2)])
                let keys = file.writer.integers([Int.max - 1])
                return file.writer.refs([keys, NodeWriter.tagged(1), NodeWriter.tagged(2), leaf], isInner: true)
            }
        },
        HostileFile("cluster: a leaf that is missing", .badCluster, property: "value", objectKey: 0) {
            tree { $0.cluster(1, [0]) }
        },
        HostileFile("cluster: a leaf of another length", .wrongCount, property: "value", objectKey: 0) {
            tree { file in file.cluster(1, [file.writer.zeros(0xFF_FFFF)]) }
        },
        HostileFile("cluster: no slots at all", .badCluster) { tree { $0.writer.refs([]) } },
        HostileFile("cluster: a node without refs", .unexpectedNode) { tree { $0.writer.integers([3, 24]) } },
    ]

    static let collections: [HostileFile] = [
        list("B+tree: an inner node that is its own child", .tooDeep) { file in
            let inner = file.treeInner(count: 1, [0])
            file.writer.set(1, of: inner, to: inner)
            return inner
        },
        list("B+tree: 2^30 ways to one leaf", .sharedNodes) { file in
            var node = file.writer.zeros(0)
            for _ in 1...30 { node = file.treeInner(count: 0, [node, node]) }
            return node
        },
        list("B+tree: 16 million elements in eight bytes", .sharedNodes) { $0.writer.zeros(0xFF_FFFF) },
        list("B+tree: an inner node without children", .badTree) { $0.treeInner(count: 0, []) },
        list("B+tree: a child that is a number", .badTree) { $0.treeInner(count: 1, [NodeWriter.tagged(1)]) },
        list("B+tree: leaf and inner node side by side", .badTree) { file in
            let leaf = file.writer.zeros(1)
            return file.treeInner(count: 2, [leaf, file.treeInner(count: 1, [leaf])])
        },
        list("B+tree: a wrong total", .wrongCount) { file in file.treeInner(count: 1 << 61, [file.writer.zeros(1)]) },
        list("list: a number where the ref should be", .badLeaf) { _ in NodeWriter.tagged(3) },
        list("list: a ref beyond the end", .badRef) { _ in 1 << 40 },
        list("list: a ref that is not a multiple of 8", .badRef) { _ in 28 },
        list("list: a ref into the file header", .badRef) { _ in 16 },
        list("list: a negative ref", .badRef) { _ in -8 },
        list("list: a node that reaches beyond the end", .nodeOutsideFile) { file in
            file.writer.node(widthType: .bits, width: 64, count: 0xFF_FFFF, payload: [])
        },
        list("list: a node of width type 3", .badNode) { file in
            file.writer.node(flags: 0x18, widthType: .bits, width: 8, count: 1, payload: [1])
        },
        dictionary("dictionary: more keys than values", .wrongCount) { file in
            let keys = file.writer.shortStrings(["a", "b"])
            return file.writer.refs([keys, file.mixed([0])])
        },
        dictionary("dictionary: more values than keys, in trees", .wrongCount) { file in
            let key = file.writer.shortStrings(["a"])
            let value = file.mixed([0])
            let keys = file.treeInner(count: 1, [key, file.writer.shortStrings([String]())])
            return file.writer.refs([keys, file.treeInner(count: 2, [value, value])])
        },
        dictionary("dictionary: no values", .unexpectedNode) { file in
            file.writer.refs([file.writer.shortStrings(["a"])])
        },
        dictionary("dictionary before 23: the value leaf is missing", .badCluster, format: 22) { file in
            file.cluster(1, [file.writer.shortStrings(["a"])])
        },
        dictionary("dictionary before 23: a tree that is its own child", .badCluster, format: 22) { file in
            let inner = file.clusterInner(depth: 3, count: 1, [0])
            file.writer.set(3, of: inner, to: inner)
            return inner
        },
    ]

    private static func list(
        _ name: String, _ code: FormatError.Code, _ root: @escaping @Sendable (inout HandmadeFile) -> Int
    ) -> HostileFile {
        HostileFile(name, code, property: "value", objectKey: 0) {
            HandmadeFile.oneValue(.int, .list) { file in
                let root = root(&file)
                return file.writer.refs([root])
            }
        }
    }

    private static func dictionary(
        _ name: String, _ code: FormatError.Code, format: UInt8 = 24,
        _ root: @escaping @Sendable (inout HandmadeFile) -> Int
    ) -> HostileFile {
        HostileFile(name, code, property: "value", objectKey: 0) {
            HandmadeFile.oneValue(.mixed, [.dictionary, .nullable], format: format) { file in
                let root = root(&file)
                return file.writer.refs([root])
            }
        }
    }
}
