internal import RealmCore
internal import RealmLayout

extension SalvageRoot {
    /// Returns errors for names and types in pages that failed authentication.
    func doubts(_ pages: DamagedPages) -> [FormatError] {
        guard pages.hasUnproven else { return [] }
        var found: [FormatError] = []
        if let place = topRef.flatMap({ unprovenNode(of: $0, pages) }) {
            found.append(FormatError(.badGroup, at: place, pages.unprovenWords("a name of a table")))
        }
        for core in cores {
            guard let place = unprovenNode(of: core.topRef, pages) else { continue }
            found.append(
                FormatError(.badSpec, at: place, pages.unprovenWords("a name or type of a property"))
                    .at(table: core.schema.tableName))
        }
        return found
    }

    /// Returns the offset of the first node in a page that failed authentication: `top` itself, or a node below its
    /// first slot, which holds table names or a description.
    private func unprovenNode(of top: Ref, _ pages: DamagedPages) -> Int? {
        do throws(FormatError) {
            let node = try space.node(at: top)
            if pages.isUnproven(node) { return top.offset }
            guard case .ref(let child)? = try node.refs().element(at: 0).map({ Slot($0) }) else { return nil }
            var walk = NodeWalk(root: child, in: space)
            while let step = walk.next() {
                if case .node(let node) = step, pages.isUnproven(node) { return node.ref.offset }
            }
        } catch {}
        return nil
    }
}
