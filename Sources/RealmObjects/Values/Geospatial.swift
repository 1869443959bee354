// Shapes on the earth, which a query looks for places in. They are not stored: a place is an embedded object with the form of a point of
// GeoJSON, a text `type` that is "Point" and a list `coordinates` of longitude and latitude.

/// A shape that `geoWithin` takes: `GeoBox`, `GeoCircle` or `GeoPolygon`.
///
/// ```swift
/// let shapes: [any RLMGeospatial] = [GeoBox(bottomLeft: (42.3, -4.8), topRight: (51.1, 8.2))].compactMap { $0 }
/// print(shapes.count)
/// ```
public protocol RLMGeospatial: Sendable {}

/// A place on the earth.
///
/// ```swift
/// let paris = GeoPoint(latitude: 48.86, longitude: 2.35)
/// print(paris?.latitude ?? 0)
/// ```
public struct GeoPoint: Equatable, Sendable {
    /// Degrees to the north.
    public let latitude: Double
    /// Degrees to the east.
    public let longitude: Double
    /// Metres. It has no effect on queries.
    public let altitude: Double

    /// A place; nil when there is none of these coordinates, and below the ground.
    ///
    /// - Parameters:
    ///   - latitude: from -90 to 90.
    ///   - longitude: from -180 to 180.
    ///   - altitude: not negative.
    public init?(latitude: Double, longitude: Double, altitude: Double = 0) {
        guard (-90...90).contains(latitude), (-180...180).contains(longitude), altitude >= 0 else { return nil }
        self.latitude = latitude
        self.longitude = longitude
        self.altitude = altitude
    }

    fileprivate init?(_ place: (Double, Double)) { self.init(latitude: place.0, longitude: place.1) }
}

/// A length on the surface of the earth, which is not negative.
///
/// ```swift
/// let far = Distance.kilometers(5000)
/// print(far?.radians ?? 0)
/// ```
public struct Distance: Equatable, Sendable {
    /// The angle at the centre of the earth.
    public let radians: Double

    private static let metresOfRadian = 6_378_100.0
    private static let metresOfMile = 1609.344

    private init?(_ radians: Double) {
        guard radians >= 0 else { return nil }
        self.radians = radians
    }

    /// So many kilometres; nil for a negative number.
    public static func kilometers(_ kilometers: Double) -> Distance? { Distance(kilometers * 1000 / metresOfRadian) }
    /// So many miles; nil for a negative number.
    public static func miles(_ miles: Double) -> Distance? { Distance(miles * metresOfMile / metresOfRadian) }
    /// So many degrees at the centre of the earth; nil for a negative number.
    public static func degrees(_ degrees: Double) -> Distance? { Distance(degrees * .pi / 180) }
    /// So many radians at the centre of the earth; nil for a negative number.
    public static func radians(_ radians: Double) -> Distance? { Distance(radians) }

    /// In kilometres.
    public func asKilometers() -> Double { radians * Self.metresOfRadian / 1000 }
    /// In miles.
    public func asMiles() -> Double { radians * Self.metresOfRadian / Self.metresOfMile }
    /// In degrees at the centre of the earth.
    public func asDegrees() -> Double { radians * 180 / .pi }
}

/// What lies between two corners. Its edges are lines on the sphere, not parallels.
///
/// ```swift
/// let france = GeoBox(bottomLeft: (42.3, -4.8), topRight: (51.1, 8.2))
/// print(france as Any)
/// ```
public struct GeoBox: RLMGeospatial, Equatable {
    /// The corner in the south-west.
    public let bottomLeft: GeoPoint
    /// The corner in the north-east.
    public let topRight: GeoPoint

    /// A box between two corners.
    public init(bottomLeft: GeoPoint, topRight: GeoPoint) {
        self.bottomLeft = bottomLeft
        self.topRight = topRight
    }

    /// A box between two corners, given as latitude and longitude; nil when one of them is not on the earth.
    public init?(bottomLeft: (Double, Double), topRight: (Double, Double)) {
        guard let first = GeoPoint(bottomLeft), let last = GeoPoint(topRight) else { return nil }
        self.init(bottomLeft: first, topRight: last)
    }
}

/// What is no farther from a place than a distance.
///
/// ```swift
/// let near = GeoCircle(center: (48.86, 2.35), radiusInRadians: 0.01)
/// print(near as Any)
/// ```
public struct GeoCircle: RLMGeospatial, Equatable {
    /// The place in its middle.
    public let center: GeoPoint
    /// Its radius.
    public let radians: Double

    /// A circle; nil for a negative radius.
    public init?(center: GeoPoint, radiusInRadians: Double) {
        guard radiusInRadians >= 0 else { return nil }
        self.center = center
        radians = radiusInRadians
    }

    /// A circle.
    public init(center: GeoPoint, radius: Distance) {
        self.center = center
        radians = radius.radians
    }

    /// A circle around a latitude and longitude; nil for a negative radius, and when there is no such place.
    public init?(center: (Double, Double), radiusInRadians: Double) {
        guard let place = GeoPoint(center) else { return nil }
        self.init(center: place, radiusInRadians: radiusInRadians)
    }

    /// A circle around a latitude and longitude; nil when there is no such place.
    public init?(center: (Double, Double), radius: Distance) {
        guard let place = GeoPoint(center) else { return nil }
        self.init(center: place, radius: radius)
    }
}

/// What lies inside of a ring, but not in a hole. Each ring has four corners or more, of which the last is the first again. Rings that cross,
/// or holes that are not inside, are told when a query runs.
///
/// ```swift
/// let triangle = GeoPolygon(outerRing: [(0, 0), (0, 10), (10, 5), (0, 0)])
/// print(triangle as Any)
/// ```
public struct GeoPolygon: RLMGeospatial, Equatable {
    /// The ring around it.
    public let outerRing: [GeoPoint]
    /// What is not part of it.
    public let holes: [[GeoPoint]]?

    /// A polygon; nil when a ring is not closed, or has too few corners.
    public init?(outerRing: [GeoPoint], holes: [[GeoPoint]]? = nil) {
        for ring in [outerRing] + (holes ?? []) where ring.count < 4 || ring.first != ring.last { return nil }
        self.outerRing = outerRing
        self.holes = holes
    }

    /// A polygon, given as latitudes and longitudes; nil when a ring is not closed, has too few corners, or one that is not on the earth.
    public init?(outerRing: [(Double, Double)], holes: [[(Double, Double)]] = []) {
        let rings = ([outerRing] + holes).map { ring in ring.compactMap { GeoPoint($0) } }
        guard zip(rings, [outerRing] + holes).allSatisfy({ $0.count == $1.count }) else { return nil }
        self.init(outerRing: rings[0], holes: Array(rings.dropFirst()))
    }

    /// A polygon, given as latitudes and longitudes; nil when a ring is not closed, has too few corners, or one that is not on the earth.
    public init?(outerRing: [(Double, Double)], holes: [(Double, Double)]...) {
        self.init(outerRing: outerRing, holes: holes)
    }
}
