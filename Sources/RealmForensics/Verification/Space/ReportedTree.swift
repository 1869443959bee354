internal import RealmCore
internal import RealmLayout

/// Tree policy that reports every fault in a B+tree (K01; Spec 40).
struct ReportedTree: TreePolicy {
    typealias Failure = Never
    typealias Reporter = (CheckIdentifier, Ref, String) -> Void

    struct Info {
        /// The number of elements per child in the compact form.
        let perChild: UInt64?
        let offsets: IntegerVector?
    }

    fileprivate let scope: SnapshotScope
    fileprivate let reporter: Reporter?
    private var leafDepth: Int?

    fileprivate init(_ scope: SnapshotScope, _ reporter: Reporter?) {
        self.scope = scope
        self.reporter = reporter
    }

    private func report(_ ref: Ref, _ message: @autoclosure () -> String) { reporter?(.treeShape, ref, message()) }

    mutating func node(at ref: Ref, _ depth: Int, below parent: Inner?) -> Node? {
        guard let node = scope.node(ref) else { return nil }
        if !node.header.isInner {
            if leafDepth ?? depth != depth { report(ref, "the leaves of the B+tree are not equally deep") }
            leafDepth = depth
        }
        return node
    }

    func enter(_ node: Node, at depth: Int, below parent: Inner?) -> Inner? {
        guard let slots = scope.refs(node.ref).flatMap({ TreeInnerSlots($0) }), slots.total != nil else {
            report(node.ref, TreeFault.notInner(node, "B+tree"))
            return nil
        }
        var offsets: IntegerVector?
        switch slots.starts {
        case .tagged: break
        case .ref(let ref):
            offsets = scope.integers(ref)
            if let offsets, offsets.count != slots.childCount - 1 {
                report(ref, "\(offsets.count) offsets for \(slots.childCount) children")
            }
        case .empty: report(node.ref, "the inner node has neither offsets nor elements a child")
        }
        return Inner(node, slots, at: depth, Info(perChild: slots.starts.number, offsets: offsets))
    }

    func place(of index: Int, in inner: inout Inner) -> Int {
        let stated =
            inner.info.perChild.map { $0.multipliedReportingOverflow(by: UInt64(index)).partialValue }
            ?? inner.info.offsets?.unsigned(at: index - 1)
        if index > 0, let counted = inner.counted, let stated, stated != UInt64(bitPattern: Int64(counted)) {
            report(
                inner.ref,
                "child \(index) of the B+tree begins at element \(counted), the inner node says \(stated)")
        }
        return inner.place + 1
    }

    func note(_ fault: TreeFault, in ref: Ref, at depth: Int) {
        guard let reporter else { return }
        let isLimit = if case .tooManyNodes = fault { true } else { false }
        reporter(isLimit ? .workLimit : .treeShape, ref, fault.words("B+tree", of: "elements"))
    }
}

extension TreeWalk<ReportedTree> {
    init(_ scope: SnapshotScope, root: Ref, reporter: ReportedTree.Reporter?) {
        // A node takes at least eight bytes. The limit prevents visiting shared nodes over and over.
        self.init(root: root, at: 0, ReportedTree(scope, reporter), nodes: scope.root.logicalSize / 8)
    }
}
