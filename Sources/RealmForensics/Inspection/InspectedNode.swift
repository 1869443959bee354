internal import RealmCore
package import RealmLayout
internal import RealmStorage

/// A node as stored in the file, with its known role.
package struct InspectedNode: Sendable {
    let snapshot: Snapshot
    let node: Node
    let role: NodeRole
    /// The element indices that lead from the group's top to the node; nil when no path leads to it.
    package let path: [Int]?
    /// The names of those elements.
    package let way: [String]
    /// Keeps the pages of the node and its role valid.
    let hold: PageHold?

    /// The node's position in the file.
    package var ref: Ref { node.ref }
    /// The node's purpose, for display.
    package var title: String { role.title }
    /// The decoded header.
    package var header: NodeHeader { node.header }
    /// Description of the header.
    package var summary: String { node.summary }
    /// Number of elements.
    package var count: Int { node.count }
    /// Number of payload bytes, without padding.
    package var payloadSize: Int { node.size }
    /// Number of bytes of header, payload and padding.
    package var byteCount: Int { node.byteCount }

    /// Returns bytes of the payload; `range` is clamped to its size.
    package func payload(_ range: Range<Int>) -> [UInt8] {
        let range = range.clamped(to: 0..<node.size)
        return node.payload.slice(at: range.lowerBound, count: range.count)?.bytes ?? []
    }

    /// The eight raw bytes of the header.
    package var headerBytes: [UInt8] { (0..<NodeHeader.size).map { node.headerByte($0) } }

    /// Whether the payload is a run of bytes rather than a list of elements.
    package var isBytes: Bool {
        header.widthType == .ignore || (header.widthType == .multiply && header.width <= 1)
    }

    /// Returns element `index`, which must be below `count`. The node must not be a run of bytes.
    package func element(at index: Int) -> InspectedElement {
        let name = role.slotName(index, of: node, in: snapshot)
        guard header.widthType == .bits, let numbers = try? node.integers(), let raw = numbers.unsigned(at: index)
        else {
            let bytes = payload(index * header.width..<(index + 1) * header.width)
            return InspectedElement(
                index: index, name: name, content: .bytes, raw: Hexadecimal.text(bytes), note: values?.text(at: index))
        }
        let digits = String(raw, radix: 16)
        let hex = String(repeating: "0", count: max(0, header.width / 4 - digits.count)) + digits
        func element(_ content: InspectedElement.Content, _ note: String?) -> InspectedElement {
            InspectedElement(index: index, name: name, content: content, raw: hex, note: note)
        }
        let value = numbers[unchecked: index]
        guard header.hasRefs else {
            if case .numbers(let meaning) = role.kind {
                let shown = meaning.isUnsigned ? Int64(bitPattern: raw) : value
                return element(.number(shown), meaning.note(on: shown, in: snapshot))
            }
            return element(.number(value), valueNote(index))
        }
        switch Slot(value) {
        case .empty: return element(.empty, nil)
        case .tagged(let number):
            return element(.tagged(number), role.note(onTagged: number, at: index, of: node, in: snapshot))
        case .ref(let ref): return element(.ref(ref), note(on: ref, at: index))
        }
    }

    /// The values of the node; nil when it is not a leaf.
    package var values: InspectedValues? { InspectedValues(of: node, role, in: snapshot, hold) }

    /// Returns the meaning of the number at `index` in a leaf of scalars.
    private func valueNote(_ index: Int) -> String? {
        guard let values else { return nil }
        guard values.hasNullSentinel else { return values.isPlainNumbers ? nil : values.text(at: index) }
        return index == 0 ? "stands for null" : values.isNull(at: index - 1) ? "null" : nil
    }

    private func note(on ref: Ref, at index: Int) -> String {
        do throws(FormatError) {
            let child = try snapshot.fileSpace.node(at: ref)
            let role = role.child(at: index, of: node, in: snapshot)
            var text = "\(role.title): \(child.shortSummary)"
            if let values = InspectedValues(of: child, role, in: snapshot, hold), values.count > 0 {
                let shown = (0..<min(4, values.count)).map { values.text(at: $0) }.joined(separator: ", ")
                text += ": \(shown)\(values.count > 4 ? ", …" : "")"
            }
            return text
        } catch {
            return "damaged: \(error.detail)"
        }
    }
}

/// An element of a node.
package struct InspectedElement: Sendable {
    /// The kind of an element.
    package enum Content: Equatable, Sendable {
        /// A zero in a node with refs: no child.
        case empty
        /// A ref to another node.
        case ref(Ref)
        /// A tagged number in a node with refs.
        case tagged(UInt64)
        /// A number in a node without refs.
        case number(Int64)
        /// Raw bytes.
        case bytes
    }

    /// The element's index in the node.
    package let index: Int
    /// The element's name, if elements of the node have names.
    package let name: String?
    /// The decoded element.
    package let content: Content
    /// Its bits, in hexadecimal.
    package let raw: String
    /// The element's meaning.
    package let note: String?
}

extension Node {
    func headerByte(_ index: Int) -> UInt8 { body[index] }

    /// Description of the header, shorter than `summary`.
    var shortSummary: String {
        let width =
            switch header.widthType {
            case .bits: "\(header.width)-bit"
            case .multiply: "\(header.width)-byte"
            case .ignore, nil: "byte"
            }
        return (header.isInner ? "inner node, " : "") + "\(count) \(width)\(header.hasRefs ? " ref" : "") elements"
    }
}
