internal import RealmLayout

/// A closed line of great circles on a sphere. What is on its left is inside.
struct SphereRing: Sendable {
    /// The corners, each once.
    private(set) var corners: [SpherePoint]
    /// Whether `origin` is inside.
    private var hasOrigin = false

    /// Where lines begin that are followed to a point: not on a grid, so that they seldom meet a corner.
    private static let origin = SpherePoint(0.00457, 1, 0.0321).unit

    /// - Parameter corners: three at least, all different.
    init(_ corners: [SpherePoint]) {
        self.corners = corners
        // A corner is inside when its reference is in the angle there.
        let isInside = Turn.isOrdered(corners[1].reference, corners[0], corners[2], around: corners[1])
        hasOrigin = isInside != contains(corners[1])
    }

    func corner(_ index: Int) -> SpherePoint { corners[index % corners.count] }

    /// Whether a point is inside. Of points on the line each belongs to one of the rings that meet there.
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

    /// Whether the way from `origin` to a corner counts as crossing an edge that begins or ends there.
    private func passes(_ point: SpherePoint, _ from: SpherePoint, _ to: SpherePoint) -> Bool {
        if point == Self.origin || from == to { return false }
        if point == from { return Turn.isOrdered(point.reference, to, Self.origin, around: point) }
        if point == to { return Turn.isOrdered(point.reference, from, Self.origin, around: point) }
        return false
    }

    /// Turns the ring around when it has more than half of the sphere inside.
    mutating func takeSmallerSide() {
        var sum = 0.0
        for index in corners.indices {
            let (a, b, c) = (corner(index), corner(index + 1), corner(index + 2))
            let angle = Self.normal(b, a).angle(to: Self.normal(c, b))
            sum += Turn.of(a, b, c) > 0 ? angle : -angle
        }
        // A half is small enough, whatever the rounding.
        guard sum < -1e-14 else { return }
        corners.reverse()
        hasOrigin.toggle()
    }

    /// At a right angle to both, also when they nearly coincide.
    private static func normal(_ a: SpherePoint, _ b: SpherePoint) -> SpherePoint {
        let normal = (b + a).cross(b - a)
        return normal.norm > 0 ? normal : a.reference
    }
}

extension SphereRing {
    /// An edge of one of several rings.
    struct Edge {
        let ring: Int
        /// The corner it begins at.
        let index: Int
        let (from, to): (SpherePoint, SpherePoint)
        /// What it has of the first axis.
        let range: ClosedRange<Double>
    }

    static func edges(of rings: [SphereRing]) -> [Edge] {
        rings.enumerated().flatMap { number, ring in
            ring.corners.indices.map { index in
                let (from, to) = (ring.corners[index], ring.corner(index + 1))
                // An arc lies in the ball around the middle of its chord through its ends, as far as it is no half circle.
                let middle = 0.5 * (from + to)
                let radius = (from - middle).norm.squareRoot() + 1e-9
                return Edge(
                    ring: number, index: index, from: from, to: to, range: (middle.x - radius)...(middle.x + radius))
            }
        }
    }

    /// Hands out the pairs of edges that may meet.
    ///
    /// - Returns: false when there are more of them than a query may take.
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
