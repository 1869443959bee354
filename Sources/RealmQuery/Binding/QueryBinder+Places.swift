internal import RealmCore
internal import RealmLayout

extension QueryBinder {
    /// `place GEOWITHIN shape`
    func within(_ written: QueryPath, _ shape: GeoShape) throws(QueryError) -> BoundPredicate {
        let path = try self.path(written)
        guard case .object = path.end, path.suffix == nil, let schema = tableSchema(at: path),
            schema.kind == .embedded
        else {
            throw .binding("GEOWITHIN needs embedded objects with a point of GeoJSON; '\(written)' leads to none")
        }
        guard let type = schema.properties.propertyIndex(named: "type"),
            let coordinates = schema.properties.propertyIndex(named: "coordinates"),
            schema.properties[type].type == .string, schema.properties[type].collection == nil,
            schema.properties[coordinates].type == .double, schema.properties[coordinates].collection == .list
        else {
            throw .binding(
                "GEOWITHIN needs points of GeoJSON; '\(schema.name)', to which '\(written)' leads, has no string 'type' "
                    + "and list of doubles 'coordinates'")
        }
        for index in [type, coordinates] { reach?.add(schema.properties[index].name, of: schema.name) }
        reach?.leaveObject()
        return .within(
            GeoTest(
                path: path, region: try region(shape), type: type, coordinates: coordinates,
                text: "\(written) GEOWITHIN \(shape)"))
    }

    private func region(_ shape: GeoShape) throws(QueryError) -> GeoRegion {
        do {
            switch shape {
            case .box(let first, let second):
                return try GeoRegion(from: try numbers(first), to: try numbers(second))
            case .circle(let centre, let radius):
                return try GeoRegion(centre: try numbers(centre), radius: try number(radius))
            case .polygon(let rings):
                var positions: [[GeoNumbers]] = []
                for ring in rings {
                    var corners: [GeoNumbers] = []
                    for corner in ring { corners.append(try numbers(corner)) }
                    positions.append(corners)
                }
                return try GeoRegion(rings: positions)
            case .argument(let number): return try region(try argumentShape(number))
            }
        } catch let refusal as GeoRegion.Refusal {
            throw .binding("GEOWITHIN: \(refusal.text)")
        } catch let error as QueryError {
            throw error
        } catch {
            throw .binding("GEOWITHIN: \(error)")
        }
    }

    /// A shape argument, or one parsed from a string argument.
    private func argumentShape(_ number: Int) throws(QueryError) -> GeoShape {
        let shape: GeoShape
        switch try argument(number) {
        case .shape(let given): shape = given
        case .value(.string(let text)):
            do throws(QuerySyntaxError) {
                shape = try GeoShape(text)
            } catch {
                throw .syntax(error)
            }
        default:
            throw .binding(
                "the argument \(number) is no shape: GEOWITHIN takes one, or the text of one as geoCircle([10.8, 59.9], 0.01)"
            )
        }
        if case .argument = shape { throw .binding("the argument \(number) is a shape that is an argument") }
        return shape
    }

    private func numbers(_ position: GeoPosition) throws(QueryError) -> GeoNumbers {
        GeoNumbers(try number(position.longitude), try number(position.latitude), position.altitude)
    }

    private func number(_ coordinate: GeoCoordinate) throws(QueryError) -> Double {
        switch coordinate {
        case .number(let number): return number
        case .argument(let index):
            switch try argument(index) {
            case .value(.int(let number)): return Double(number)
            case .value(.double(let number)): return number
            case .value(.float(let number)): return Double(number)
            default: throw .binding("the argument \(index) is a coordinate: it must be a number")
            }
        }
    }
}
