internal import RealmSystem

/// A point on the unit sphere, as a vector from its centre.
struct SpherePoint: Hashable, Sendable {
    let x: Double
    let y: Double
    let z: Double

    init(_ x: Double, _ y: Double, _ z: Double) { (self.x, self.y, self.z) = (x, y, z) }

    /// - Returns: nil if a coordinate is out of range or NaN.
    init?(longitude: Double, latitude: Double) {
        let (theta, phi) = (longitude * (Double.pi / 180), latitude * (Double.pi / 180))
        guard phi.magnitude <= Double.pi / 2, theta.magnitude <= Double.pi else { return nil }
        let radius = cos(phi)
        self.init(cos(theta) * radius, sin(theta) * radius, sin(phi))
    }

    static func + (left: SpherePoint, right: SpherePoint) -> SpherePoint {
        SpherePoint(left.x + right.x, left.y + right.y, left.z + right.z)
    }

    static func - (left: SpherePoint, right: SpherePoint) -> SpherePoint {
        SpherePoint(left.x - right.x, left.y - right.y, left.z - right.z)
    }

    static func * (factor: Double, point: SpherePoint) -> SpherePoint {
        SpherePoint(factor * point.x, factor * point.y, factor * point.z)
    }

    func dot(_ other: SpherePoint) -> Double { x * other.x + y * other.y + z * other.z }

    func cross(_ other: SpherePoint) -> SpherePoint {
        SpherePoint(y * other.z - z * other.y, z * other.x - x * other.z, x * other.y - y * other.x)
    }

    /// The squared length.
    var norm: Double { dot(self) }

    /// The vector scaled to length 1.
    var unit: SpherePoint { (1 / norm.squareRoot()) * self }

    /// The angle between two vectors, in radians.
    func angle(to other: SpherePoint) -> Double { atan2(cross(other).norm.squareRoot(), dot(other)) }

    /// Whether it precedes another point, by coordinates.
    func precedes(_ other: SpherePoint) -> Bool { (x, y, z) < (other.x, other.y, other.z) }

    /// A fixed direction perpendicular to this one, where turns around a corner begin.
    var reference: SpherePoint {
        let (x, y, z) = (x.magnitude, y.magnitude, z.magnitude)
        let largest = x > y ? (x > z ? 0 : 2) : (y > z ? 1 : 2)
        // Realm Core's choice: an axis other than that of the largest component, tilted slightly so that corners on a
        // grid are no special case.
        let axis =
            switch largest {
            case 0: SpherePoint(0.012, 0.0053, 1)
            case 1: SpherePoint(1, 0.0053, 0.00457)
            default: SpherePoint(0.012, 1, 0.00457)
            }
        return cross(axis).unit
    }
}

/// Determines which way three points of a sphere turn.
///
/// Points on an edge belong to one side of it, and it must be the side that Realm Core finds. The calculation therefore
/// uses the same products in the same order, with the same rounding.
enum Turn {
    /// 1 if `c` is to the left of the arc from `a` to `b`, -1 if it is to the right; 0 only if two of the points
    /// coincide or nearly coincide.
    static func of(_ a: SpherePoint, _ b: SpherePoint, _ c: SpherePoint) -> Int { of(a, b, c, cross: a.cross(b)) }

    /// - Parameter cross: the cross product of `a` and `b`.
    @inline(__always)
    static func of(_ a: SpherePoint, _ b: SpherePoint, _ c: SpherePoint, cross: SpherePoint) -> Int {
        let volume = cross.dot(c)
        if volume > roundingError { return 1 }
        if volume < -roundingError { return -1 }
        return closely(a, b, c)
    }

    /// Products of larger magnitude have a reliable sign.
    private static let roundingError = 0.8e-15

    /// Handles points near one great circle. Differences are exact where points nearly coincide or are nearly opposite.
    private static func closely(_ a: SpherePoint, _ b: SpherePoint, _ c: SpherePoint) -> Int {
        if a == b || b == c || c == a { return 0 }
        let (signAB, signBC, signCA) = (nearer(a, b), nearer(b, c), nearer(c, a))
        let (ab, bc, ca) = (a + signAB * b, b + signBC * c, c + signCA * a)
        let (lengthAB, lengthBC, lengthCA) = (ab.norm, bc.norm, ca.norm)
        // Starts from the corner opposite the longest side.
        let volume: Double
        if lengthCA < lengthBC || (lengthCA == lengthBC && a.precedes(b)) {
            if lengthAB < lengthBC || (lengthAB == lengthBC && a.precedes(c)) {
                volume = ab.cross(ca).dot(a) * signAB
            } else {
                volume = ca.cross(bc).dot(c) * signCA
            }
        } else if lengthAB < lengthCA || (lengthAB == lengthCA && b.precedes(c)) {
            volume = bc.cross(ab).dot(b) * signBC
        } else {
            volume = ca.cross(bc).dot(c) * signCA
        }
        if volume != 0 { return volume > 0 ? 1 : -1 }
        // All points lie on one great circle: perturbs them infinitesimally, first along one axis, then along the
        // others.
        let moved = planar((a.y, a.z), (b.y, b.z), (c.y, c.z))
        if moved != 0 { return moved }
        let next = planar((a.z, a.x), (b.z, b.x), (c.z, c.x))
        return next != 0 ? next : planar((a.x, a.y), (b.x, b.y), (c.x, c.y))
    }

    private static func nearer(_ a: SpherePoint, _ b: SpherePoint) -> Double { a.dot(b) > 0 ? -1 : 1 }

    private typealias PlanePoint = (Double, Double)

    private static func planar(_ a: PlanePoint, _ b: PlanePoint, _ c: PlanePoint) -> Int {
        (planar(a, b) + planar(b, c) + planar(c, a)).signum()
    }

    /// Tests whether the origin of a plane is to the left of the line from one point to another.
    private static func planar(_ a: PlanePoint, _ b: PlanePoint) -> Int {
        let sign: Double = a.0 * b.0 + a.1 * b.1 > 0 ? -1 : 1
        let sum = (a.0 + sign * b.0, a.1 + sign * b.1)
        let (lengthA, lengthB) = (a.0 * a.0 + a.1 * a.1, b.0 * b.0 + b.1 * b.1)
        let area =
            lengthA < lengthB || (lengthA == lengthB && a < b)
            ? (a.0 * sum.1 - a.1 * sum.0) * sign : sum.0 * b.1 - sum.1 * b.0
        return area > 0 ? 1 : area < 0 ? -1 : 0
    }

    /// Whether `b` lies between `a` and `c` in a left turn around `corner`. Also true if `b` equals one of them, unless
    /// `a` equals `c`.
    static func isOrdered(_ a: SpherePoint, _ b: SpherePoint, _ c: SpherePoint, around corner: SpherePoint) -> Bool {
        let votes = (of(b, corner, a) >= 0 ? 1 : 0) + (of(c, corner, b) >= 0 ? 1 : 0) + (of(a, corner, c) > 0 ? 1 : 0)
        return votes >= 2
    }

    /// The way in which two edges meet.
    enum Crossing {
        case none
        /// They cross at a point inside both.
        case inside
        /// They share an end, or one of them has no length.
        case atEnd
    }

    static func crossing(_ a: SpherePoint, _ b: SpherePoint, _ c: SpherePoint, _ d: SpherePoint) -> Crossing {
        let cross = a.cross(b)
        return crossing(a, b, c, d, (-of(a, b, c, cross: cross), of(a, b, d, cross: cross)))
    }

    /// - Parameter turns: the turns of `a`, `c`, `b` and of `b`, `d`, `a`.
    @inline(__always)
    static func crossing(
        _ a: SpherePoint, _ b: SpherePoint, _ c: SpherePoint, _ d: SpherePoint, _ turns: (acb: Int, bda: Int)
    ) -> Crossing {
        if turns.acb == 0 || turns.bda == 0 { return .atEnd }
        if turns.acb != turns.bda { return .none }
        let cross = c.cross(d)
        guard -of(c, d, b, cross: cross) == turns.acb, of(c, d, a, cross: cross) == turns.acb else { return .none }
        return .inside
    }
}
