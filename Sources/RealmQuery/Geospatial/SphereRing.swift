internal import RealmLayout

/// A closed line of great-circle arcs on a sphere. Its inside is on the left.
struct SphereRing: Sendable {
    /// The corners, without repeating the first.
    private(set) var corners: [SpherePoint]
    /// Whether `origin` is inside.
    private var hasOrigin = false

    /// The start of arcs that are followed to a point: not on a grid, so that they rarely meet a corner.
    private static let origin = SpherePoint(0.00457, 1, 0.0321).unit

    /// - Parameter corners: at least three, all different.
    init(_ corners: [SpherePoint]) {
        self.corners = corners
        // A corner is inside if its reference direction lies within the angle there.
        let isInside = Turn.isOrdered(corners[1].reference, corners[0], corners[2], around: corners[1])
        hasOrigin = isInside != contains(corners[1])
    }

    func corner(_ index: Int) -> SpherePoint { corners[index % corners.count] }

    /// Whether a point is inside. Each point on the line belongs to one of the rings that meet there.
    func contains(_ point: SpherePoint) -> Bool {
        let origin = Self.origin
        let cross = origin.cross(point)
        var isInside = hasOrigin
        var from = corners[0]
        var turn = -Turn.of(origin, point, from, cross: cross)
        for index in 1...corners.count {
            let to = corner(index)
            let next = Turn.of(origin, point, to, cross: cross)
            switch Turn.crossing(origin, point, from, to, (turn, next)) {
            case .inside: isInside.toggle()
            case .atEnd: if passes(point, from, to) { isInside.toggle() }
            case .none: break
            }
            (from, turn) = (to, -next)
        }
        return isInside
    }

    /// Whether the arc from `origin` to a corner counts as crossing an edge that begins or ends there.
    private func passes(_ point: SpherePoint, _ from: SpherePoint, _ to: SpherePoint) -> Bool {
        if point == Self.origin || from == to { return false }
        if point == from { return Turn.isOrdered(point.reference, to, Self.origin, around: point) }
        if point == to { return Turn.isOrdered(point.reference, from, Self.origin, around: point) }
        return false
    }

    /// Reverses the ring if its inside is more than half of the sphere.
    mutating func takeSmallerSide() {
        var sum = 0.0
        for index in corners.indices {
            let (a, b, c) = (corner(index), corner(index + 1), corner(index + 2))
            let angle = Self.normal(b, a).angle(to: Self.normal(c, b))
            sum += Turn.of(a, b, c) > 0 ? angle : -angle
        }
        // Half of the sphere is accepted, whatever the rounding.
        guard sum < -1e-14 else { return }
        corners.reverse()
        hasOrigin.toggle()
    }

    /// A vector perpendicular to both, even if they nearly coincide.
    private static func normal(_ a: SpherePoint, _ b: SpherePoint) -> SpherePoint {
        let normal = (b + a).cross(b - a)
        return normal.norm > 0 ? normal : a.reference
    }
}

extension SphereRing {
    /// An edge of one of several rings.
    struct Edge {
        let ring: Int
        /// The index of the corner at which it begins.
        let index: Int
        let (from, to): (SpherePoint, SpherePoint)
        /// Its extent along the first axis.
        let range: ClosedRange<Double>
    }

    static func edges(of rings: [SphereRing]) -> [Edge] {
        rings.enumerated().flatMap { number, ring in
            ring.corners.indices.map { index in
                let (from, to) = (ring.corners[index], ring.corner(index + 1))
                // An arc shorter than a half circle lies in the ball whose diameter is its chord.
                let middle = 0.5 * (from + to)
                let radius = (from - middle).norm.squareRoot() + 1e-9
                return Edge(
                    ring: number, index: index, from: from, to: to, range: (middle.x - radius)...(middle.x + radius))
            }
        }
    }

    /// Passes pairs of edges that may meet to a closure.
    ///
    /// - Returns: false if there are more than `most`.
    static func forEachPair<E: Error>(
        of edges: [Edge], most: Int, _ body: (Edge, Edge) throws(E) -> Void
    ) throws(E) -> Bool {
        let edges = edges.inOrder { $0.range.lowerBound < $1.range.lowerBound }
        var left = most
        for (place, edge) in edges.enumerated() {
            var next = place + 1
            while next < edges.count, edges[next].range.lowerBound <= edge.range.upperBound {
                left -= 1
                if left < 0 { return false }
                let other = edges[next]
                let isFirst = (edge.ring, edge.index) < (other.ring, other.index)
                try isFirst ? body(edge, other) : body(other, edge)
                next += 1
            }
        }
        return true
    }
}
