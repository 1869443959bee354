internal import RealmQuery

// Geographic conditions.

extension Query where T: OptionalProtocol, T.Wrapped: EmbeddedObject {
    /// Whether the place lies within a shape. The embedded object has the form of a GeoJSON point: a text `type` and a
    /// list of doubles `coordinates`, longitude first.
    ///
    /// ```swift
    /// let paris = GeoCircle(center: (48.86, 2.35), radiusInRadians: 0.01)!
    /// print(realm.objects(Shop.self).where { $0.location.geoWithin(paris) }.count)
    /// ```
    public func geoWithin<U: RLMGeospatial>(_ shape: U) -> Query<Bool> {
        guard let shape = (shape as? any StoredShape)?.shape else {
            Failure.stop("geoWithin takes a GeoBox, a GeoCircle or a GeoPolygon, no '\(U.self)'")
        }
        return Query<Bool>(.within(node, shape))
    }
}

/// A shape of `geoWithin`, in terms of the query language.
protocol StoredShape {
    var shape: GeoShape { get }
}

extension GeoBox: StoredShape {
    var shape: GeoShape { .box(bottomLeft.position, topRight.position) }
}

extension GeoCircle: StoredShape {
    var shape: GeoShape { .circle(center.position, radius: .number(radians)) }
}

extension GeoPolygon: StoredShape {
    var shape: GeoShape { .polygon(([outerRing] + (holes ?? [])).map { $0.map(\.position) }) }
}

extension GeoPoint {
    fileprivate var position: GeoPosition {
        GeoPosition(
            longitude: .number(longitude), latitude: .number(latitude), altitude: altitude == 0 ? nil : altitude)
    }
}
