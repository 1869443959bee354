internal import RealmCore
internal import RealmLayout

extension QueryBinder {
    /// `property TEXT 'words'`
    func words(_ left: QueryExpression, _ right: QueryExpression) throws(QueryError) -> BoundPredicate {
        guard case .property(let written) = left else { throw .binding("TEXT needs a property on its left") }
        let path = try self.path(written)
        guard let property = path.property, property.type == .string, path.steps.isEmpty, path.suffix == nil,
            property.index == .fullText
        else { throw .binding("'\(written)' has no full-text index, which TEXT needs") }
        guard case .constant = right,
            case .constants(let values, false, _) = try expression(right, hint: .property(.string)),
            let text = values.first.flatMap({ QueryOrder.text($0) })
        else { throw .binding("TEXT needs a string with words on its right") }
        return .words(path, try SearchWords(text), text: "\(left) TEXT \(right)")
    }
}
