internal import RealmCore
internal import RealmLayout

extension ObjectImporter {
    /// A link of an open object whose target is looked up at the end of the object, after its memory has been
    /// prefetched.
    struct WaitingLink: BitwiseCopyable {
        let number: Int
        let element: BSONElement
        let target: Fingerprint
    }

    /// Maximum number of deferred links, including those of enclosing objects.
    static var mostWaitingLinks: Int { 64 }

    /// Defers a link of a property, if its target is found by an identity.
    ///
    /// - Returns: Whether the link is deferred.
    @inline(__always)
    private func wait(_ element: BSONElement, _ number: Int) -> Bool {
        let position = fields[unchecked: number].target
        guard position != .none, waitingCount < Self.mostWaitingLinks, !element.isOf(.document),
            let target = keys.prepareLookup(of: element, in: position, isText: isText)
        else { return false }
        waitingLinks[unchecked: waitingCount] = WaitingLink(number: number, element: element, target: target)
        waitingCount &+= 1
        return true
    }

    /// Sets the deferred links of the open object.
    @inline(__always)
    func resolveLinks() throws(ImportError) {
        if waitingCount > firstWaiting { try resolveWaitingLinks() }
    }

    @inline(never)
    private func resolveWaitingLinks() throws(ImportError) {
        let end = waitingCount
        waitingCount = firstWaiting
        for index in firstWaiting..<end {
            let link = waitingLinks[unchecked: index]
            let number = link.number
            guard let key = keys.key(of: link.target, in: fields[unchecked: number].target) else {
                try setLink(link.element, number, level: 0, isElement: false)
                continue
            }
            try setLink(to: key, number, link.element)
        }
    }

    @inline(__always)
    private func setLink(to key: ObjectKey, _ number: Int, _ element: BSONElement) throws(ImportError) {
        do throws(WriteError) {
            try writer.set(fields[unchecked: number].property, link: key)
        } catch {
            try lost(error, number, element.value)
        }
    }

    /// Sets or adds a link of a link property; null if there is no target.
    @inline(never)
    func link(_ element: BSONElement, _ number: Int, level: Int, isElement: Bool) throws(ImportError) {
        if !isElement {
            if let key = keys.quickKey(of: element, in: fields[unchecked: number].target) {
                return try setLink(to: key, number, element)
            }
            if wait(element, number) { return }
            // If a field occurs twice, the first counts.
            try resolveLinks()
        }
        try setLink(element, number, level: level, isElement: isElement)
    }

    /// Adds a null element to a collection of links. In a list or set, which cannot have null links, null denotes the
    /// object whose primary key is null.
    func linkToNull(_ element: BSONElement, _ number: Int) throws(ImportError) {
        guard let collection = fields[unchecked: number].collection, !collection.isDictionary,
            let key = try keys.keyOfNull(in: fields[unchecked: number].target)
        else {
            return try add(.null, number, element)
        }
        do throws(WriteError) { try writer.add(link: key) } catch { try lost(error, number, element.value) }
    }

    private func setLink(
        _ element: BSONElement, _ number: Int, level: Int, isElement: Bool
    ) throws(ImportError) {
        let property = fields[unchecked: number].property
        guard let key = try target(element, fields[unchecked: number].target, level: level) else {
            note(.danglingLink, number, element.value)
            if !isElement { return }
            // A dictionary entry is kept with the value null.
            guard fields[unchecked: number].isNullable else { return }
            return try add(.null, number, element)
        }
        do throws(WriteError) {
            if isElement { try writer.add(link: key) } else { try writer.set(property, link: key) }
        } catch {
            try lost(error, number, element.value)
        }
    }

    /// The key of the object that a value refers to, or nil.
    private func target(_ element: BSONElement, _ position: TablePosition, level: Int) throws(ImportError) -> ObjectKey?
    {
        guard position != .none else { return nil }
        guard element.isOf(.document) else { return try keys.key(of: element, in: position, isText: isText) }
        if plan.isCanonical {
            guard let inner = try wrapper(element, level) else { return nil }
            if inner.key.isSame(as: .link) {
                return inner.integer.flatMap { $0 == -1 ? nil : ObjectKey($0) }
            }
            return inner.key.isSame(as: .utf8) ? try keys.key(of: inner, in: position, isText: false) : nil
        }
        guard element.begins(with: .reference) else { return nil }
        var place = try begin(level &+ 1, element.value)
        guard let name = try next(&place), name.type == .string,
            name.value.isSame(as: tables[unchecked: position].name), let identity = try next(&place),
            identity.key.isSame(as: .referenceIdentity)
        else { return nil }
        return try keys.key(of: identity, in: position, isText: isText)
    }

    /// Sets or adds the link of a Mixed: `{"$ref": class, "$id": identity}`.
    ///
    /// - Returns: False for a document that only resembles a reference.
    func reference(
        _ element: BSONElement, _ number: Int, level: Int, isElement: Bool
    ) throws(ImportError) -> Bool {
        var place = try begin(level &+ 1, element.value)
        guard let name = try next(&place), name.type == .string, let identity = try next(&place),
            identity.key.isSame(as: .referenceIdentity)
        else { return false }
        // An optional third element is the name of the database.
        let database = try next(&place)
        if database != nil, try next(&place) != nil { return false }
        guard let position = position(ofClass: name.value),
            let key = try target(identity, position, level: level &+ 1)
        else {
            note(.danglingLink, number, element.value)
            if isElement { try add(.null, number, element) }
            return true
        }
        try store(.link(writer.file.tables[position].key, key), number, element, isElement: isElement)
        return true
    }

    private func position(ofClass name: ByteView) -> TablePosition? {
        plan.schema.positions.first { tables[unchecked: $0].name.isSame(as: name) }
    }

    // MARK: Embedded objects

    /// Makes the object of a nested document, and sets the property to it.
    @inline(never)
    func embedded(_ element: BSONElement, _ number: Int, level: Int) throws(ImportError) {
        let property = fields[unchecked: number].property
        guard element.isOf(.document) else { return note(.wrongType, number, element.value) }
        guard !writer.hasValue(property) else { return note(.duplicateField, number, element.value) }
        let key = try object(element.value, fields[unchecked: number].target, level: level &+ 1)
        try importing { () throws(WriteError) in try writer.set(property, link: key) }
    }

    /// Makes the object of a nested document, and adds it to the open collection.
    func embeddedElement(_ element: BSONElement, _ number: Int, level: Int) throws(ImportError) {
        guard element.isOf(.document) else { return note(.wrongType, number, element.value) }
        let key = try object(element.value, fields[unchecked: number].target, level: level &+ 1)
        try importing { () throws(WriteError) in try writer.add(link: key) }
    }
}
