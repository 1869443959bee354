internal import RealmCore
internal import RealmLayout

// Strings and binaries (L01 to L03, L10; Spec 30).
extension LeafChecks {
    /// Checks a leaf of strings.
    ///
    /// - Parameter isText: whether the bytes must be UTF-8; strings of a Mixed leaf may also be binaries.
    func checkStrings(_ node: Node, isNullable: Bool, isText: Bool) -> Int? {
        if node.header.hasRefs { return checkBlobLeaf(node, isText: isText, isNullable: isNullable, endsInZero: true) }
        switch node.header.widthType {
        case .multiply: return checkShortStrings(node, isNullable, isText)
        case .bits: return checkDistinctIndexes(node)
        default:
            failLeaf(.leafType, node.ref, "\(node.summary) where strings should be")
            return nil
        }
    }

    private func checkShortStrings(_ node: Node, _ isNullable: Bool, _ isText: Bool) -> Int? {
        let width = node.header.width
        guard spend(node.count, at: node.ref) else { return nil }
        guard width > 0 else {
            if !isNullable, node.count > 0 {
                fail(.unexpectedNull, node.ref, 0, "null in a column that cannot hold it")
            }
            return node.count
        }
        let payload = node.payload
        for index in 0..<node.count {
            let element = payload.slice(unchecked: index * width, count: width)
            let last = element.byte(unchecked: width - 1)
            let length = ShortString.length(lastByte: last, width: width)
            guard length >= 0 else {
                if length < ShortString.nullLength {
                    fail(.stringTermination, node.ref, index, "the string has \(last) unused bytes of \(width)")
                } else if !isNullable {
                    fail(.unexpectedNull, node.ref, index, "null in a column that cannot hold it")
                }
                continue
            }
            if !ShortString.isPadded(element, length: length) {
                fail(.stringTermination, node.ref, index, "the bytes after the string are not zero")
            }
            if isText { checkText(element.slice(unchecked: 0, count: length), node.ref, index) }
        }
        return node.count
    }

    private func checkDistinctIndexes(_ node: Node) -> Int? {
        guard let elements = numbers(node), spend(elements.count, at: node.ref) else { return nil }
        guard let distinct = column?.distinct, ownerRow == nil else {
            guard elements.count > 0 else { return 0 }
            failLeaf(.leafType, node.ref, "numbers of distinct strings, of which the column has none")
            return nil
        }
        for index in 0..<elements.count {
            let number = elements[unchecked: index]
            if number < 0 || number >= Int64(distinct.count) {
                fail(
                    .distinctIndex, node.ref, index,
                    "the distinct string \(number) does not exist, there are \(distinct.count)")
            }
        }
        return elements.count
    }

    private func checkText(_ bytes: ByteView, _ ref: Ref, _ index: Int) {
        guard !bytes.isASCII, !bytes.isValidUTF8 else { return }
        fail(.utf8, ref, index, "the string is not valid UTF-8")
    }

    /// Checks a leaf that consists of several nodes: medium or big strings or binaries.
    func checkBlobLeaf(_ node: Node, isText: Bool, isNullable: Bool, endsInZero: Bool = false) -> Int? {
        guard let elements = references(node) else { return nil }
        guard spend(elements.count, at: node.ref) else { return nil }
        if node.header.isContext {
            return checkBigBlobs(node, elements, isText: isText, isNullable: isNullable, endsInZero: endsInZero)
        }
        guard elements.count == 3, case .ref(let offsetsRef) = Slot(elements[0]),
            case .ref(let blobRef) = Slot(elements[1]), case .ref(let nullsRef) = Slot(elements[2])
        else {
            failLeaf(.leafType, node.ref, "\(node.summary) where offsets, bytes and null flags should be")
            return nil
        }
        guard let offsetsNode = scope.node(offsetsRef), let blob = scope.node(blobRef),
            let nullsNode = scope.node(nullsRef)
        else {
            spoil()
            return nil
        }
        guard let offsets = numbers(offsetsNode), let nulls = numbers(nullsNode), spend(offsets.count, at: node.ref)
        else {
            return nil
        }
        guard isBlob(blob) else {
            failLeaf(.leafType, blob.ref, "\(blob.summary) where bytes should be")
            return nil
        }
        guard nulls.count == offsets.count else {
            failLeaf(.stringTermination, node.ref, "\(offsets.count) offsets and \(nulls.count) null flags")
            return nil
        }
        let values = MediumValues(ends: offsets, nullFlags: nulls, bytes: blob.payload)
        checkMedium(node.ref, values, isText, isNullable, endsInZero)
        return offsets.count
    }

    private func isBlob(_ node: Node) -> Bool {
        // With the context flag, it would be a list of parts.
        node.header.widthType == .ignore && !node.header.hasRefs && !node.header.isContext
    }

    private func checkMedium(
        _ ref: Ref, _ values: MediumValues, _ isText: Bool, _ isNullable: Bool, _ endsInZero: Bool
    ) {
        var last: Int64 = 0
        for index in 0..<values.ends.count {
            let bounds = values.bounds(unchecked: index)
            guard let value = values.slice(bounds) else {
                fail(
                    .stringTermination, ref, index,
                    "the value is said to be at \(bounds.start)..<\(bounds.end) of \(values.bytes.count) bytes")
                // The bounds of the following values are unknown.
                spoil()
                return
            }
            last = bounds.end
            guard values.isNull(unchecked: index) else {
                checkValue(value, ref, index, isText, endsInZero)
                continue
            }
            let flag = values.nullFlags[unchecked: index]
            if flag != MediumValues.nullFlag { fail(.stringTermination, ref, index, "the null flag is \(flag)") }
            if !isNullable { fail(.unexpectedNull, ref, index, "null in a column that cannot hold it") }
        }
        if last != Int64(values.bytes.count) {
            failLeaf(.stringTermination, ref, "the values end at \(last) of \(values.bytes.count) bytes")
        }
    }

    private func checkValue(_ value: ByteView, _ ref: Ref, _ index: Int, _ isText: Bool, _ endsInZero: Bool) {
        guard endsInZero else { return }
        guard value.count > 0, value.byte(unchecked: value.count - 1) == 0 else {
            fail(.stringTermination, ref, index, "the string does not end in a zero")
            return
        }
        if isText { checkText(value.slice(unchecked: 0, count: value.count - 1), ref, index) }
    }

    private func checkBigBlobs(
        _ node: Node, _ elements: IntegerVector, isText: Bool, isNullable: Bool, endsInZero: Bool
    ) -> Int? {
        for index in 0..<elements.count {
            switch Slot(elements[unchecked: index]) {
            case .empty:
                if !isNullable { fail(.unexpectedNull, node.ref, index, "null in a column that cannot hold it") }
            case .tagged(let number):
                fail(.blobChunks, node.ref, index, "the number \(number) where a reference should be")
            case .ref(let ref):
                guard let blob = scope.node(ref) else {
                    affected.insert(ownerRow ?? index)
                    continue
                }
                if isBlob(blob) {
                    checkValue(blob.payload, ref, index, isText, endsInZero)
                } else {
                    checkParts(blob, index, endsInZero)
                }
            }
        }
        return elements.count
    }

    /// Checks a value of more than 16 MB, which is stored in parts.
    private func checkParts(_ blob: Node, _ index: Int, _ endsInZero: Bool) {
        guard blob.header.isContext, blob.header.hasRefs, !endsInZero, let parts = scope.refs(blob.ref) else {
            fail(.blobChunks, blob.ref, index, "\(blob.summary) where bytes should be")
            return
        }
        guard blob.header.width > 0 else { return }
        for part in 0..<parts.count {
            guard case .ref(let ref) = Slot(parts[unchecked: part]) else {
                fail(.blobChunks, blob.ref, index, "part \(part) of the value is missing")
                continue
            }
            if let node = scope.node(ref), !isBlob(node) {
                fail(.blobChunks, ref, index, "\(node.summary) where part \(part) of the value should be")
            }
        }
    }
}
