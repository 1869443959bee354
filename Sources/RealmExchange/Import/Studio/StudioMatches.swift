/// The objects of a Realm Studio file that are copies of objects in the list of a class, and so links to these.
///
/// Studio writes an object that is linked again for each class, so that only its content tells which one it is.
struct StudioMatches {
    /// The class, and the position in its list, of each object that is in one or is a copy of one that is.
    private(set) var places: [(table: Int, row: Int)?]
    /// The number of links that lead to one of several objects with the same content.
    private(set) var ambiguous = 0

    /// The distance at which objects that an object refers to count as part of its content.
    private static let rounds = 4

    init(_ graph: StudioGraph) {
        places = Array(repeating: nil, count: graph.objects.count)
        for (table, list) in graph.classes.enumerated() {
            for (row, object) in list.objects.enumerated() where places[object] == nil { places[object] = (table, row) }
        }
        let colours = Self.colours(graph)
        var rows: [Int: (table: Int, row: Int, isAlone: Bool)] = [:]
        for object in graph.objects.indices {
            guard let place = places[object] else { continue }
            rows[colours[object]] = (place.table, place.row, rows[colours[object]] == nil)
        }
        // The first of several equal objects.
        for object in graph.objects.indices.reversed() {
            guard let place = places[object], let known = rows[colours[object]], !known.isAlone else { continue }
            rows[colours[object]] = (place.table, place.row, false)
        }
        for object in graph.objects.indices where places[object] == nil && !graph.objects[object].isEmpty {
            guard let found = rows[colours[object]] else { continue }
            places[object] = (found.table, found.row)
            if !found.isAlone { ambiguous += 1 }
        }
    }

    /// A hash of the content of each object: of its own values first, then also of the objects around it.
    private static func colours(_ graph: StudioGraph) -> [Int] {
        var colours = [Int](repeating: 0, count: graph.objects.count)
        for _ in 0...rounds {
            colours = graph.objects.map { fields in
                var hasher = Hasher()
                for (name, value) in fields {
                    hasher.combine(name)
                    hash(value, colours, &hasher)
                }
                return hasher.finalize()
            }
        }
        return colours
    }

    private static func hash(_ item: StudioGraph.Item, _ colours: [Int], _ hasher: inout Hasher) {
        switch item {
        case .scalar(let value): hasher.combine(value.compact)
        case .list(let items):
            hasher.combine(items.count)
            for item in items { hash(item, colours, &hasher) }
        case .object(let number): hasher.combine(colours[number])
        }
    }
}
