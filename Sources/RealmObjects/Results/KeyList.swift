internal import RealmLayout

/// The keys of matching objects, in some order. Lists that differ in few places share the rest: changing ten of a
/// million keys neither copies nor moves the others.
struct KeyList {
    /// Consecutive pieces, none of them empty.
    private var pieces: [[ObjectKey]]
    /// Index of the first key of each piece.
    private var starts: [Int]
    let count: Int

    /// Length of pieces that can be shared.
    private static let length = 1024

    /// Creates a list of one piece.
    init(_ keys: [ObjectKey]) {
        (pieces, starts) = keys.isEmpty ? ([], []) : ([keys], [0])
        count = keys.count
    }

    private init(pieces: [[ObjectKey]]) {
        self.pieces = pieces
        starts = []
        starts.reserveCapacity(pieces.count)
        var count = 0
        for piece in pieces {
            starts.append(count)
            count += piece.count
        }
        self.count = count
    }

    /// The same list, in pieces that edited lists can share.
    var inPieces: KeyList {
        guard let longest = pieces.first, pieces.count == 1, longest.count > 2 * Self.length else { return self }
        return KeyList(
            pieces: stride(from: 0, to: count, by: Self.length).map { start in
                Array(longest[start..<min(start + Self.length, count)])
            })
    }

    /// The keys in contiguous memory.
    var array: [ObjectKey] {
        guard pieces.count != 1 else { return pieces[0] }
        var keys: [ObjectKey] = []
        keys.reserveCapacity(count)
        for piece in pieces { keys += piece }
        return keys
    }

    /// - Precondition: the index is valid.
    subscript(index: Int) -> ObjectKey {
        let piece = piece(at: index)
        return pieces[piece][index - starts[piece]]
    }

    /// Returns the piece that contains an index.
    private func piece(at index: Int) -> Int { starts.partitioningIndex { $0 > index } - 1 }

    /// Returns the index of the first key for which `comesBefore` is false, in a list sorted accordingly.
    func firstIndex(notBefore comesBefore: (ObjectKey) throws -> Bool) rethrows -> Int {
        // The last piece whose first key comes before contains the first key that does not, or ends before it.
        let piece = try pieces.partitioningIndex { try !comesBefore($0[0]) } - 1
        guard piece >= 0 else { return 0 }
        let keys = pieces[piece]
        return starts[piece] + (try keys.partitioningIndex { try !comesBefore($0) })
    }

    /// Returns the index of a key; nil if it is missing.
    ///
    /// - Parameter areAscending: whether the keys of the list ascend.
    func firstIndex(of key: ObjectKey, areAscending: Bool) -> Int? {
        if areAscending {
            let index = firstIndex(notBefore: { $0 < key })
            return index < count && self[index] == key ? index : nil
        }
        for (piece, start) in zip(pieces, starts) {
            if let offset = piece.firstIndex(of: key) { return start + offset }
        }
        return nil
    }

    /// Returns the indexes of all wanted keys, ascending.
    ///
    /// - Parameter areAscending: whether the keys of the list ascend.
    func indexes(of wanted: Set<ObjectKey>, areAscending: Bool) -> [Int] {
        if areAscending, wanted.count < count / 16 {
            return wanted.sorted().compactMap { firstIndex(of: $0, areAscending: true) }
        }
        let filter = KeyFilter(wanted)
        var indexes: [Int] = []
        for (piece, start) in zip(pieces, starts) {
            for offset in piece.indices where filter.contains(piece[offset]) { indexes.append(start + offset) }
        }
        return indexes
    }

    /// Returns the list with keys removed and inserted.
    func edited(_ edit: KeyListEdit) -> KeyList {
        guard !edit.isEmpty else { return self }
        var result: [[ObjectKey]] = []
        result.reserveCapacity(pieces.count + 1)
        var (removed, inserted) = (edit.removals[...], edit.insertions[...])
        var written = 0
        for (number, piece) in pieces.enumerated() {
            let end = starts[number] + piece.count
            let isLast = number == pieces.count - 1
            let staying = piece.count - removed.prefix { $0.index < end }.count
            // Most pieces do not change.
            if staying == piece.count, !isLast, inserted.first.map({ $0.index >= written + staying }) ?? true {
                result.append(piece)
                written += staying
                continue
            }
            var new: [ObjectKey] = []
            func insertHere() {
                while let next = inserted.first, next.index == written {
                    new.append(next.key)
                    inserted.removeFirst()
                    written += 1
                }
            }
            for (offset, key) in piece.enumerated() {
                if let next = removed.first, next.index == starts[number] + offset {
                    removed.removeFirst()
                    continue
                }
                insertHere()
                new.append(key)
                written += 1
            }
            if isLast { insertHere() }
            Self.add(new, to: &result)
        }
        if pieces.isEmpty { Self.add(inserted.map(\.key), to: &result) }
        return KeyList(pieces: result)
    }

    /// Adds an edited piece: joins a short one to its predecessor, and splits a long one.
    private static func add(_ piece: [ObjectKey], to pieces: inout [[ObjectKey]]) {
        if piece.count > 2 * length {
            pieces.append(Array(piece[..<(piece.count / 2)]))
            add(Array(piece[(piece.count / 2)...]), to: &pieces)
        } else if let last = pieces.last, last.count + piece.count <= length {
            pieces[pieces.count - 1] += piece
        } else if !piece.isEmpty {
            pieces.append(piece)
        }
    }
}

/// Keys removed from a list, and keys inserted.
struct KeyListEdit {
    /// A key, and its index before or after the edit.
    typealias Place = (index: Int, key: ObjectKey)

    /// By their old index, ascending.
    var removals: [Place] = []
    /// By their new index, ascending.
    var insertions: [Place] = []

    var isEmpty: Bool { removals.isEmpty && insertions.isEmpty }
}
