// Shapes on the earth, for queries that search for places within them. Shapes are not stored. A place is an embedded
// object in the form of a GeoJSON point: a text `type` that is "Point", and a list `coordinates` of longitude and
// latitude.

/// A shape accepted by `geoWithin`: `GeoBox`, `GeoCircle` or `GeoPolygon`.
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
    /// Degrees north.
    public let latitude: Double
    /// Degrees east.
    public let longitude: Double
    /// Metres. It has no effect on queries.
    public let altitude: Double

    /// Creates a place; nil if a coordinate is out of range, or the altitude negative.
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

/// A non-negative length on the surface of the earth.
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

    /// Returns a distance in kilometres; nil for a negative number.
    public static func kilometers(_ kilometers: Double) -> Distance? { Distance(kilometers * 1000 / metresOfRadian) }
    /// Returns a distance in miles; nil for a negative number.
    public static func miles(_ miles: Double) -> Distance? { Distance(miles * metresOfMile / metresOfRadian) }
    /// Returns a distance in degrees at the centre of the earth; nil for a negative number.
    public static func degrees(_ degrees: Double) -> Distance? { Distance(degrees * .pi / 180) }
    /// Returns a distance in radians at the centre of the earth; nil for a negative number.
    public static func radians(_ radians: Double) -> Distance? { Distance(radians) }

    /// Returns the length in kilometres.
    public func asKilometers() -> Double { radians * Self.metresOfRadian / 1000 }
    /// Returns the length in miles.
    public func asMiles() -> Double { radians * Self.metresOfRadian / Self.metresOfMile }
    /// Returns the angle in degrees at the centre of the earth.
    public func asDegrees() -> Double { radians * 180 / .pi }
}

/// The area between two corners. Its edges are lines on the sphere, not parallels.
///
/// ```swift
/// let france = GeoBox(bottomLeft: (42.3, -4.8), topRight: (51.1, 8.2))
/// print(france as Any)
/// ```
public struct GeoBox: RLMGeospatial, Equatable {
    /// The south-western corner.
    public let bottomLeft: GeoPoint
    /// The north-eastern corner.
    public let topRight: GeoPoint

    /// Creates a box between two corners.
    public init(bottomLeft: GeoPoint, topRight: GeoPoint) {
        self.bottomLeft = bottomLeft
        self.topRight = topRight
    }

    /// Creates a box between two corners, given as latitude and longitude; nil if one of them is not on the earth.
    public init?(bottomLeft: (Double, Double), topRight: (Double, Double)) {
        guard let first = GeoPoint(bottomLeft), let last = GeoPoint(topRight) else { return nil }
        self.init(bottomLeft: first, topRight: last)
    }
}

/// The area within a distance of a place.
///
/// ```swift
/// let near = GeoCircle(center: (48.86, 2.35), radiusInRadians: 0.01)
/// print(near as Any)
/// ```
public struct GeoCircle: RLMGeospatial, Equatable {
    /// The centre of the circle.
    public let center: GeoPoint
    /// The radius, in radians.
    public let radians: Double

    /// Creates a circle; nil for a negative radius.
    public init?(center: GeoPoint, radiusInRadians: Double) {
        guard radiusInRadians >= 0 else { return nil }
        self.center = center
        radians = radiusInRadians
    }

    /// Creates a circle.
    public init(center: GeoPoint, radius: Distance) {
        self.center = center
        radians = radius.radians
    }

    /// Creates a circle around a latitude and longitude; nil for a negative radius, or if there is no such place.
    public init?(center: (Double, Double), radiusInRadians: Double) {
        guard let place = GeoPoint(center) else { return nil }
        self.init(center: place, radiusInRadians: radiusInRadians)
    }

    /// Creates a circle around a latitude and longitude; nil if there is no such place.
    public init?(center: (Double, Double), radius: Distance) {
        guard let place = GeoPoint(center) else { return nil }
        self.init(center: place, radius: radius)
    }
}

/// The area inside a ring, except for holes. Each ring has at least four corners, of which the last equals the first.
/// Rings that cross, and holes that are not inside, are reported when a query runs.
///
/// ```swift
/// let triangle = GeoPolygon(outerRing: [(0, 0), (0, 10), (10, 5), (0, 0)])
/// print(triangle as Any)
/// ```
public struct GeoPolygon: RLMGeospatial, Equatable {
    /// The outer ring.
    public let outerRing: [GeoPoint]
    /// The rings of the excluded areas.
    public let holes: [[GeoPoint]]?

    /// Creates a polygon; nil if a ring is not closed, or has too few corners.
    public init?(outerRing: [GeoPoint], holes: [[GeoPoint]]? = nil) {
        for ring in [outerRing] + (holes ?? []) where ring.count < 4 || ring.first != ring.last { return nil }
        self.outerRing = outerRing
        self.holes = holes
    }

    /// Creates a polygon, given as latitudes and longitudes; nil if a ring is not closed, has too few corners, or has
    /// one that is not on the earth.
    public init?(outerRing: [(Double, Double)], holes: [[(Double, Double)]] = []) {
        let rings = ([outerRing] + holes).map { ring in ring.compactMap { GeoPoint($0) } }
        guard zip(rings, [outerRing] + holes).allSatisfy({ $0.count == $1.count }) else { return nil }
        self.init(outerRing: rings[0], holes: Array(rings.dropFirst()))
    }

    /// Creates a polygon, given as latitudes and longitudes; nil if a ring is not closed, has too few corners, or has
    /// one that is not on the earth.
    public init?(outerRing: [(Double, Double)], holes: [(Double, Double)]...) {
        self.init(outerRing: outerRing, holes: holes)
    }
}
