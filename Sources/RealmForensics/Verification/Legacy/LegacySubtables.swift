internal import RealmCore
internal import RealmLayout

/// Visits the subtables of formats 2 to 9 (Spec 100), one for each row that has one, as separate tables. They share a
/// spec; errors in it, or in the number of columns, are reported when values are read.
final class LegacySubtables {
    /// A column of a spec, without a root.
    private struct Template {
        let name: String
        let type: LegacyType
        let attributes: ColumnAttributes
        let distinct: Ref?
        let subspec: Ref?
    }

    private let scope: SnapshotScope
    /// The columns of each spec, which rows share.
    private var templates: [Ref: [Template]] = [:]

    init(_ scope: SnapshotScope) { self.scope = scope }

    /// Calls `body` with each subtable of a table, including nested ones.
    func forEach(of table: LegacyCheckedTable, _ body: (LegacyCheckedTable) -> Void) {
        forEach(of: table, depth: 1, body)
    }

    private func forEach(of table: LegacyCheckedTable, depth: Int, _ body: (LegacyCheckedTable) -> Void) {
        guard depth <= Limits.subtableDepth else { return }
        for column in table.columns where column.type == .subtable {
            guard let spec = column.subspec.flatMap({ template($0) }), !spec.isEmpty else { continue }
            var walk = TreeWalk(scope, root: column.root, reporter: nil)
            var (row, count): (Int, Int?) = (0, nil)
            while let node = walk.next(count: count) {
                let refs = scope.refs(node.ref)
                count = refs?.count
                defer { row += refs?.count ?? 0 }
                // With width 0 all are empty.
                guard let refs, refs.width > 0 else { continue }
                for index in 0..<refs.count {
                    guard case .ref(let roots) = Slot(refs[unchecked: index]),
                        let columns = columns(spec, rootsRef: roots, in: column)
                    else { continue }
                    let subtable = LegacyCheckedTable(
                        name: table.name, owner: table.owner ?? ObjectKey(Int64(row + index)), topRef: roots,
                        namesRef: nil, columns: columns)
                    body(subtable)
                    forEach(of: subtable, depth: depth + 1, body)
                }
            }
        }
    }

    /// The columns of one subtable; nil when they do not match the spec.
    private func columns(
        _ spec: [Template], rootsRef: Ref, in parent: LegacyCheckedTable.Column
    ) -> [LegacyCheckedTable.Column]? {
        guard let roots = scope.refs(rootsRef), roots.count >= spec.count,
            roots.count == spec.count + spec.count(where: { $0.attributes.contains(.indexed) })
        else { return nil }
        var position = 0
        return spec.compactMap { template in
            let isIndexed = template.attributes.contains(.indexed)
            defer { position += isIndexed ? 2 : 1 }
            guard case .ref(let root) = Slot(roots[position]) else { return nil }
            var index: Ref?
            if isIndexed, case .ref(let ref) = Slot(roots[position + 1]) { index = ref }
            return LegacyCheckedTable.Column(
                name: "\(parent.name).\(template.name)", type: template.type,
                isNullable: template.attributes.contains(.nullable), isIndexed: isIndexed, root: root, index: index,
                distinct: template.distinct, subspec: template.subspec)
        }
    }

    private func template(_ ref: Ref) -> [Template]? {
        if let known = templates[ref] { return known }
        let template = read(ref)
        templates[ref] = template ?? []
        return template
    }

    /// Reads a spec; returns nil when it is invalid.
    private func read(_ ref: Ref) -> [Template]? {
        guard let spec = scope.refs(ref) else { return nil }
        func part(_ slot: LegacySpecSlot) -> Ref? {
            if case .ref(let ref) = Slot(spec.element(at: slot.rawValue) ?? 0) { ref } else { nil }
        }
        guard let types = part(.types).flatMap({ scope.integers($0) }),
            let attributes = part(.attributes).flatMap({ scope.integers($0) }), types.count == attributes.count,
            types.count <= Limits.columns, scope.spendColumns(types.count)
        else { return nil }
        let names = part(.names).flatMap { scope.leaf($0, as: .string) }
        let details = part(.subspecs).flatMap { scope.refs($0) }
        let distincts = part(.enumKeys).flatMap { scope.refs($0) }
        var (detail, enumerated) = (0, 0)
        var columns: [Template] = []
        for index in 0..<types.count {
            guard let type = LegacyType(rawValue: Int(truncatingIfNeeded: types[unchecked: index])) else { return nil }
            var (subspec, distinct): (Ref?, Ref?)
            if type == .subtable, case .ref(let ref) = Slot(details?.element(at: detail) ?? 0) { subspec = ref }
            if type == .enumeratedString {
                if case .ref(let ref) = Slot(distincts?.element(at: enumerated) ?? 0) { distinct = ref }
                enumerated += 1
            }
            detail += type.targetCount
            columns.append(
                Template(
                    name: name(index, in: names), type: type,
                    attributes: ColumnAttributes(rawValue: Int(truncatingIfNeeded: attributes[unchecked: index])),
                    distinct: distinct, subspec: subspec))
        }
        return columns
    }

    private func name(_ index: Int, in names: ColumnLeaf?) -> String {
        guard let names, index < names.count else { return "column \(index)" }
        do throws(FormatError) {
            return try names.string(at: index, in: scope.space)?.repairedString ?? ""
        } catch {
            return "column \(index)"
        }
    }
}

extension LegacyType {
    /// The number of elements of a column in the array of subspecs (Spec 100).
    var targetCount: Int {
        switch self {
        case .subtable, .link, .linkList: 1
        case .backLink: 2
        default: 0
        }
    }
}
