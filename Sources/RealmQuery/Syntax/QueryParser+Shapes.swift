extension GeoShape {
    /// Parses a shape in query syntax: `geoCircle([10.8, 59.9], 0.01)`.
    ///
    /// - Throws: `QuerySyntaxError` with the position.
    public init(_ text: String) throws(QuerySyntaxError) {
        var parser = try QueryParser(text)
        self = try parser.shape()
        try parser.expectEnd("the end")
    }
}

extension QueryParser {
    /// Parses the operand of GEOWITHIN.
    mutating func shape() throws(QuerySyntaxError) -> GeoShape {
        if case .argument(let number) = kind {
            index += 1
            return .argument(number)
        }
        let shape = word
        guard shape == .geobox || shape == .geocircle || shape == .geopolygon else {
            throw unexpected("geoBox(…), geoCircle(…), geoPolygon(…) or an argument")
        }
        index += 1
        try expect(.leftParenthesis)
        let result: GeoShape
        switch shape {
        case .geobox:
            let first = try geoPosition()
            try expect(.comma)
            result = .box(first, try geoPosition())
        case .geocircle:
            let centre = try geoPosition()
            try expect(.comma)
            result = .circle(centre, radius: try coordinate())
        default:
            var rings: [[GeoPosition]] = []
            repeat {
                try expect(.leftBrace)
                var ring: [GeoPosition] = []
                repeat { ring.append(try geoPosition()) } while accept(Token.Symbol.comma)
                try expect(.rightBrace)
                rings.append(ring)
            } while accept(Token.Symbol.comma)
            result = .polygon(rings)
        }
        try expect(.rightParenthesis)
        return result
    }

    private mutating func geoPosition() throws(QuerySyntaxError) -> GeoPosition {
        try expect(.leftBracket)
        let longitude = try coordinate()
        try expect(.comma)
        let latitude = try coordinate()
        var altitude: Double?
        if accept(Token.Symbol.comma) {
            guard case .number(let height) = try coordinate() else { throw error("a height is a number") }
            altitude = height
        }
        try expect(.rightBracket)
        return GeoPosition(longitude: longitude, latitude: latitude, altitude: altitude)
    }

    private mutating func coordinate() throws(QuerySyntaxError) -> GeoCoordinate {
        let result: GeoCoordinate
        switch kind {
        case .argument(let number): result = .argument(number)
        case .natural(let digits), .integer(let digits), .real(let digits):
            // A float literal is accepted as well; its `f` is ignored.
            guard let number = Double(digits.hasSuffix("f") ? String(digits.dropLast()) : digits) else {
                throw unexpected("a number")
            }
            result = .number(number)
        default: throw unexpected("a number")
        }
        index += 1
        return result
    }
}
