internal import RealmCore
internal import RealmLayout
internal import RealmStorage

/// The object keys of a class by identity, for classes with more objects than memory can hold.
///
/// Nothing is looked up directly. A rehearsal of the import records all identities that links refer to, in order. The
/// identities of objects and links are partitioned by hash; each partition fits into memory, where its links are
/// resolved. The import then consumes the results in the same order. All disk access is therefore sequential, whatever
/// the number of objects.
final class SpilledKeys {
    /// Binary logarithm of the number of partitions.
    private static let partBits: UInt64 = 7

    /// The identity of an object, and its key; -1 while it is unknown.
    private struct Identity: BitwiseCopyable {
        let fingerprint: Fingerprint
        let key: Int64
    }

    /// The object key for a link or document; -1 if there is none.
    private struct Answer: BitwiseCopyable {
        /// A part of the fingerprint it belongs to.
        let check: UInt64
        let key: Int64
    }

    private let file: SpillFile
    private let salt = UInt64.random(in: .min ... .max)
    private var identities: Parts<Identity>
    /// The partition of each identity, in order.
    private let order: SpilledBytes
    private var needsNumbers = false
    /// The results for documents that claim an identity.
    private var claims: Parts<Answer>
    private var requests: Parts<Fingerprint>
    private var answers: Parts<Answer>

    init(_ file: SpillFile) {
        self.file = file
        order = SpilledBytes(file)
        identities = Parts(file, Self.partBits)
        claims = Parts(file, Self.partBits)
        requests = Parts(file, Self.partBits)
        answers = Parts(file, Self.partBits)
    }

    private func part(_ fingerprint: Fingerprint) -> Int {
        let mixed = ((fingerprint.first ^ salt) &+ fingerprint.second &* 0xC2B2_AE3D_27D4_EB4F) &* 0x9E37_79B9_7F4A_7C15
        return Int(truncatingIfNeeded: ((mixed ^ (mixed &>> 32)) &* 0xC2B2_AE3D_27D4_EB4F) &>> (64 &- Self.partBits))
    }

    // MARK: Identities of objects

    /// Records the key of an identity. The first of several keys counts.
    func note(_ fingerprint: Fingerprint, _ key: ObjectKey) throws(StorageError) {
        try identities.append(Identity(fingerprint: fingerprint, key: key.value), to: part(fingerprint))
    }

    /// Records an identity whose object is to be numbered, unless the identity occurred before.
    func note(_ fingerprint: Fingerprint) throws(StorageError) {
        needsNumbers = true
        let part = part(fingerprint)
        try identities.append(Identity(fingerprint: fingerprint, key: -1), to: part)
        try order.append(UInt8(truncatingIfNeeded: part))
    }

    /// Ends the recording of identities.
    func endIdentities() throws(StorageError) {
        try identities.end()
        guard needsNumbers else { return }
        try order.end()
        // First occurrences are determined per partition; the numbers follow the original order.
        let isFirst = Parts<Bool>(file, Self.partBits)
        for part in 0..<identities.count {
            let map = KeyMap()
            let reader = identities.reader(part)
            while let identity = try reader.next(Identity.self) {
                try isFirst.append(map.insert(identity.fingerprint, ObjectKey(0)), to: part)
            }
        }
        try isFirst.end()
        let numbered = Parts<Identity>(file, Self.partBits)
        let readers = (identities.readers, isFirst.readers)
        let parts = SpillReader(order)
        var next: Int64 = 0
        while let part = try parts.next(UInt8.self).map({ Int($0) }) {
            guard let identity = try readers.0[part].next(Identity.self),
                let isNew = try readers.1[part].next(Bool.self)
            else { break }
            try claims.append(Answer(check: identity.fingerprint.first, key: isNew ? next : -1), to: part)
            guard isNew else { continue }
            try numbered.append(Identity(fingerprint: identity.fingerprint, key: next), to: part)
            next += 1
        }
        identities = numbered
        try identities.end()
        try claims.end()
        order.removeAll()
    }

    /// Returns the key of the next document's object, which claims an identity, or nil if the identity is taken.
    ///
    /// - Throws: `DocumentError` if the documents differ from those of the earlier pass.
    func claim(_ fingerprint: Fingerprint) throws(ImportError) -> ObjectKey? {
        try next(fingerprint, of: &claims)
    }

    // MARK: Links

    /// Begins recording link targets.
    func beginRequests() { requests = Parts(file, Self.partBits) }

    /// Records a link target.
    func request(_ fingerprint: Fingerprint) throws(StorageError) {
        try requests.append(fingerprint, to: part(fingerprint))
    }

    /// Resolves all recorded links.
    func answer() throws(StorageError) {
        try requests.end()
        answers = Parts(file, Self.partBits)
        for part in 0..<identities.count {
            let map = KeyMap()
            let reader = identities.reader(part)
            while let identity = try reader.next(Identity.self) {
                _ = map.insert(identity.fingerprint, ObjectKey(identity.key))
            }
            let links = requests.reader(part)
            while let fingerprint = try links.next(Fingerprint.self) {
                let key = map.view.key(of: fingerprint)?.value ?? -1
                try answers.append(Answer(check: fingerprint.first, key: key), to: part)
            }
            try answers.end(part)
        }
        requests = Parts(file, Self.partBits)
    }

    /// Returns the key of the next link's target, or nil if there is none.
    ///
    /// - Throws: The same errors as `claim`.
    func nextTarget(_ fingerprint: Fingerprint) throws(ImportError) -> ObjectKey? {
        try next(fingerprint, of: &answers)
    }

    /// Restarts from the first document.
    func rewind() {
        claims.rewind()
        answers.rewind()
    }

    private func next(_ fingerprint: Fingerprint, of answers: inout Parts<Answer>) throws(ImportError) -> ObjectKey? {
        let part = part(fingerprint)
        let answer = try importing { () throws(StorageError) in try answers.next(part) }
        guard let answer, answer.check == fingerprint.first else {
            throw .document(DocumentError(.malformed, "the documents have changed while they were read"))
        }
        return answer.key == -1 ? nil : ObjectKey(answer.key)
    }
}

/// Sequences of plain values, one per partition.
private struct Parts<Element: BitwiseCopyable> {
    private let runs: [SpilledBytes]
    /// Created on the first read.
    private var current: [SpillReader] = []

    init(_ file: SpillFile, _ bits: UInt64) { runs = (0..<(1 << bits)).map { _ in SpilledBytes(file) } }

    var count: Int { runs.count }

    func append(_ element: Element, to part: Int) throws(StorageError) { try runs[part].append(element) }

    func end() throws(StorageError) { for run in runs { try run.end() } }
    func end(_ part: Int) throws(StorageError) { try runs[part].end() }

    func reader(_ part: Int) -> SpillReader { SpillReader(runs[part]) }
    var readers: [SpillReader] { runs.map { SpillReader($0) } }

    mutating func rewind() { current = [] }

    mutating func next(_ part: Int) throws(StorageError) -> Element? {
        if current.isEmpty { current = readers }
        return try current[part].next(Element.self)
    }
}
