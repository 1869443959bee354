internal import RealmSystem

/// A region of the earth, which is treated as a sphere.
struct GeoRegion: Sendable {
    private enum Kind: Sendable {
        /// Points whose squared straight-line distance from the centre is at most `squareOfChord`.
        case circle(SpherePoint, squareOfChord: Double)
        /// The inside of the first ring, except the insides of the other rings.
        case rings([SphereRing])
    }

    private let kind: Kind

    /// The reason why a shape is rejected.
    struct Refusal: Error { let text: String }

    /// Maximum number of corners of all rings, because each is visited for each object.
    static let mostCorners = 20_000
    /// Maximum number of edge pairs to check; usual rings have only a few times more pairs than corners.
    private static let mostPairs = 20_000_000

    /// The cost of testing one point, relative to that of an edge.
    var cost: Int {
        switch kind {
        case .circle: 1
        case .rings(let rings): rings.reduce(0) { $0 + $1.corners.count }
        }
    }

    func contains(longitude: Double, latitude: Double) -> Bool {
        guard let point = SpherePoint(longitude: longitude, latitude: latitude) else { return false }
        switch kind {
        case .circle(let centre, let most): return (centre - point).norm <= most
        case .rings(let rings):
            return rings[0].contains(point) && !rings.dropFirst().contains { $0.contains(point) }
        }
    }

    // MARK: Making

    /// - Parameter radius: in radians; from π on, the circle contains everything.
    init(centre: GeoNumbers, radius: Double) throws(Refusal) {
        guard radius >= 0 else { throw Refusal(text: "the radius of a circle is not negative, as \(radius) is") }
        let half = sin(0.5 * radius)
        let height = radius >= Double.pi ? 2 : 2 * half * half
        kind = .circle(try Self.point(centre), squareOfChord: 2 * height)
    }

    /// The quadrangle of great circles with two given opposite corners.
    init(from first: GeoNumbers, to second: GeoNumbers) throws(Refusal) {
        let others = (
            GeoNumbers(first.longitude, second.latitude, nil), GeoNumbers(second.longitude, first.latitude, nil)
        )
        try self.init(rings: [[first, others.0, second, others.1, first]])
    }

    /// - Parameter rings: the outer ring, then holes. Each ends where it begins, and its inside is the smaller side.
    init(rings positions: [[GeoNumbers]]) throws(Refusal) {
        guard positions.reduce(0, { $0 + $1.count }) <= Self.mostCorners else {
            throw Refusal(text: "a polygon has at most \(Self.mostCorners) corners")
        }
        guard !positions.isEmpty else { throw Refusal(text: "a polygon needs a ring") }
        var rings: [SphereRing] = []
        for (number, ring) in positions.enumerated() { rings.append(try Self.ring(ring, number)) }
        try Self.check(rings)
        for index in rings.indices { rings[index].takeSmallerSide() }
        try Self.checkHoles(rings)
        kind = .rings(rings)
    }

    private static func point(_ position: GeoNumbers) throws(Refusal) -> SpherePoint {
        guard position.longitude.magnitude <= 180, position.latitude.magnitude <= 90,
            let point = SpherePoint(longitude: position.longitude, latitude: position.latitude)
        else {
            throw Refusal(
                text: "\(position) is not on the earth: longitudes are from -180 to 180, latitudes from -90 to 90")
        }
        return point
    }

    private static func ring(_ positions: [GeoNumbers], _ number: Int) throws(Refusal) -> SphereRing {
        var corners: [SpherePoint] = []
        for position in positions {
            let point = try point(position)
            if point != corners.last { corners.append(point) }
        }
        guard let first = positions.first, let last = positions.last, first == last else {
            throw Refusal(
                text: "ring \(number) is not closed: it begins with \(positions.first?.description ?? "nothing") "
                    + "and ends with \(positions.last?.description ?? "nothing")")
        }
        corners.removeLast()
        guard corners.count >= 3 else {
            throw Refusal(text: "ring \(number) has \(corners.count) different corners; it needs 3")
        }
        var seen: [SpherePoint: Int] = [:]
        for (index, corner) in corners.enumerated() {
            if let other = seen.updateValue(index, forKey: corner) {
                throw Refusal(
                    text: "ring \(number) comes twice to one place: its corners \(other) and \(index) are the same")
            }
        }
        return SphereRing(corners)
    }

    /// Checks that no two edges cross or coincide.
    private static func check(_ rings: [SphereRing]) throws(Refusal) {
        var seen: [Set<SpherePoint>: Int] = [:]
        for (number, ring) in rings.enumerated() {
            for index in ring.corners.indices {
                if let other = seen.updateValue(number, forKey: [ring.corners[index], ring.corner(index + 1)]) {
                    throw Refusal(text: "rings \(other) and \(number) have an edge in common")
                }
            }
        }
        let areFew = try SphereRing.forEachPair(of: SphereRing.edges(of: rings), most: mostPairs) {
            (edge, other) throws(Refusal) in
            guard case .inside = Turn.crossing(edge.from, edge.to, other.from, other.to) else { return }
            if edge.ring != other.ring { throw Refusal(text: "rings \(edge.ring) and \(other.ring) cross") }
            throw Refusal(text: "ring \(edge.ring) crosses itself: its edges \(edge.index) and \(other.index) do")
        }
        guard areFew else {
            throw Refusal(text: "the polygon is too intricate: too many of its edges are near each other")
        }
    }

    /// Checks that all other rings lie within the first, side by side. Their edges do not cross.
    private static func checkHoles(_ rings: [SphereRing]) throws(Refusal) {
        for (number, hole) in rings.enumerated().dropFirst() {
            let shared = rings[0].sharedCorners(hole)
            guard rings[0].holds(hole, shared) else {
                throw Refusal(text: "ring \(number) is not in the first one: rings after the first are holes in it")
            }
            guard shared.count <= 1 else {
                throw Refusal(
                    text: "ring \(number) has \(shared.count) corners in common with the first; one is allowed")
            }
            for (other, ring) in rings.enumerated() where other > 0 && other < number {
                let shared = ring.sharedCorners(hole)
                guard !shared.contains(where: { ring.overlaps(hole, $0) }) else {
                    throw Refusal(text: "rings \(other) and \(number) cross")
                }
                guard !ring.holds(hole, shared), !hole.holds(ring, hole.sharedCorners(ring)) else {
                    throw Refusal(text: "rings \(other) and \(number): a hole cannot be in another")
                }
            }
        }
    }
}

extension SphereRing {
    /// The indexes of corners that both rings contain, in each ring.
    fileprivate func sharedCorners(_ other: SphereRing) -> [(own: Int, other: Int)] {
        let places = Dictionary(uniqueKeysWithValues: corners.enumerated().map { ($0.element, $0.offset) })
        return other.corners.enumerated().compactMap { index, corner in places[corner].map { ($0, index) } }
    }

    /// Whether another ring lies inside; their edges must not cross.
    fileprivate func holds(_ other: SphereRing, _ shared: [(own: Int, other: Int)]) -> Bool {
        // At shared corners, the order of the edges around the corner decides.
        for (own, place) in shared {
            let (before, corner, after) = wedge(own)
            let (otherBefore, _, otherAfter) = other.wedge(place)
            guard Turn.isOrdered(after, otherAfter, otherBefore, around: corner),
                Turn.isOrdered(otherBefore, before, after, around: corner)
            else { return false }
        }
        return !shared.isEmpty || contains(other.corners[0])
    }

    /// Whether two rings pass through each other at a shared corner.
    fileprivate func overlaps(_ other: SphereRing, _ place: (own: Int, other: Int)) -> Bool {
        let (before, corner, after) = wedge(place.own)
        let (otherBefore, _, otherAfter) = other.wedge(place.other)
        func isOrdered(_ a: SpherePoint, _ b: SpherePoint, _ c: SpherePoint) -> Bool {
            Turn.isOrdered(a, b, c, around: corner)
        }
        if isOrdered(before, after, otherAfter) { return !isOrdered(otherAfter, otherBefore, before) }
        return !isOrdered(before, otherBefore, otherAfter) && !isOrdered(before, otherBefore, after)
    }

    private func wedge(_ index: Int) -> (before: SpherePoint, corner: SpherePoint, after: SpherePoint) {
        (corner(index + corners.count - 1), corners[index], corner(index + 1))
    }
}

/// A position with constant coordinates.
struct GeoNumbers: Equatable, CustomStringConvertible {
    let longitude: Double
    let latitude: Double
    let altitude: Double?

    init(_ longitude: Double, _ latitude: Double, _ altitude: Double?) {
        (self.longitude, self.latitude, self.altitude) = (longitude, latitude, altitude)
    }

    var description: String { "[\(longitude), \(latitude)\(altitude.map { ", \($0)" } ?? "")]" }
}
