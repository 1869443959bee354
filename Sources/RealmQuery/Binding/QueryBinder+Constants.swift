internal import RealmCore
internal import RealmLayout

extension QueryBinder {
    func argument(_ number: Int) throws(QueryError) -> QueryArgument {
        guard arguments.indices.contains(number) else {
            let count = arguments.count
            let given = count == 0 ? "none was" : count == 1 ? "only 1 was" : "only \(count) were"
            throw .binding("the query has an argument $\(number), but \(given) given")
        }
        return arguments[number]
    }

    /// - Parameter hint: the type of the other operand, which decides what a number becomes.
    func constantExpression(_ constant: QueryConstant, hint: ValueType?) throws(QueryError) -> BoundExpression {
        guard case .argument(let number, let quantifier) = constant else {
            return .constants([try value(of: constant, hint)], isList: false, quantifier: nil)
        }
        switch try argument(number) {
        case .value(let value):
            guard quantifier == nil else {
                throw .binding("\(quantifier?.rawValue ?? "") needs a list; the argument \(number) is a single value")
            }
            return .constants([try converted(value, hint, digits: nil)], isList: false, quantifier: nil)
        case .list(let elements):
            var values: [Value] = []
            for element in elements { values.append(try converted(element, hint, digits: nil)) }
            return .constants(values, isList: true, quantifier: quantifier)
        case .shape: throw .binding("the argument \(number) is a shape; only GEOWITHIN takes one")
        }
    }

    private func value(of constant: QueryConstant, _ hint: ValueType?) throws(QueryError) -> Value {
        switch constant {
        case .null: return .null
        case .bool(let value): return .bool(value)
        case .integer(let digits):
            if hint == .property(.decimal128), let number = Decimal128Bits(digits) { return .decimal128(number) }
            return try converted(.int(try integer(digits)), hint, digits: digits)
        case .real(let digits): return try real(digits, hint)
        case .infinity(let negative):
            return try converted(.double(negative ? -.infinity : .infinity), hint, digits: negative ? "-inf" : "inf")
        case .notANumber: return try converted(.double(.nan), hint, digits: "nan")
        case .string(let string): return try converted(.string(string), hint, digits: nil)
        case .base64(let bytes):
            if hint == .property(.binary) { return .binary(bytes) }
            guard let string = String(validating: bytes, as: UTF8.self) else { return .malformedString(bytes) }
            return .string(string)
        case .binary(let bytes): return .binary(bytes)
        case .timestamp(let seconds, let nanoseconds):
            guard let time = Timestamp(seconds: seconds, nanoseconds: Int64(nanoseconds)) else {
                throw .binding("there is no such time: T\(seconds):\(nanoseconds)")
            }
            return .timestamp(time)
        case .uuid(let bytes):
            guard let id = UUIDBytes(bytes) else { throw .binding("a UUID has 16 bytes") }
            return .uuid(id)
        case .objectId(let bytes):
            guard let id = ObjectID(bytes) else { throw .binding("an ObjectId has 12 bytes") }
            return .objectId(id)
        case .objectKey(let key): return try linked(ObjectKey(key), hint)
        case .typedLink(let table, let key):
            guard let position = snapshot.position(of: TableKey(table)) else {
                throw .binding("the file has no table with the key \(table)")
            }
            return .link(Link(table: snapshot.table(at: position), objectKey: ObjectKey(key)))
        case .object(let className, let primaryKey): return try object(className, primaryKey)
        case .argument: throw .binding("a list in a query cannot hold lists")
        }
    }

    private func integer(_ digits: String) throws(QueryError) -> Int64 {
        let isHexadecimal = digits.lowercased().hasPrefix("0x")
        let number =
            isHexadecimal
            ? UInt64(digits.dropFirst(2), radix: 16).map { Int64(bitPattern: $0) } : Int64(digits)
        guard let number else { throw .binding("the integer \(digits) has more than 64 bits") }
        return number
    }

    private func real(_ digits: String, _ hint: ValueType?) throws(QueryError) -> Value {
        if digits.hasSuffix("f"), let number = Float(digits.dropLast()) {
            return try converted(.float(number), hint, digits: String(digits.dropLast()))
        }
        guard let number = Double(digits) else { throw .binding("'\(digits)' is no number") }
        return try converted(.double(number), hint, digits: digits)
    }

    /// The object of a class with a primary key; null when there is none.
    private func object(_ className: String, _ primaryKey: QueryConstant) throws(QueryError) -> Value {
        let table: Table
        do throws(FormatError) {
            table = try snapshot.table(named: className)
        } catch {
            throw .binding("there is no class '\(className)'")
        }
        guard let property = table.schema.primaryKey else { throw .binding("'\(className)' has no primary key") }
        // The object can be created or deleted later.
        reach?.add(property.name, of: className)
        reach?.leaveObject()
        let key = try constantExpression(primaryKey, hint: .property(property.type))
        guard case .constants(let values, false, _) = key, let value = values.first else {
            throw .binding("a primary key is a single value")
        }
        do throws(FormatError) {
            return try table.object(primaryKey: value).map { .link(Link(table: table, objectKey: $0.key)) } ?? .null
        } catch {
            throw .damage(error)
        }
    }

    /// A link with a given object key, to the class that the other operand links to. A link to no class can also be
    /// compared with mixed values.
    private func linked(_ key: ObjectKey, _ hint: ValueType?) throws(QueryError) -> Value {
        let isNowhere = QueryConstant.objectKey(key.value) == .noObject
        let target: TableKey? =
            switch hint {
            case .link(let target): target
            case .property(.mixed) where isNowhere: table.key
            default: nil
            }
        guard let target, let position = snapshot.position(of: target) else {
            throw .binding("\(isNowhere ? "an object" : "the key O\(key.value)") can only be compared with a link")
        }
        return .link(Link(table: snapshot.table(at: position), objectKey: key))
    }

    /// Converts a value to the type of the other operand, if that does not change it.
    ///
    /// - Parameter digits: the number as written; nil for other values.
    private func converted(_ value: Value, _ hint: ValueType?, digits: String?) throws(QueryError) -> Value {
        if hint == .typeName { return try typeName(value) }
        guard case .property(let type) = hint else { return value }
        switch (value, type) {
        case (.int(let number), .decimal128): return .decimal128(Decimal128Bits(number))
        case (.double(let number), .int), (.double(let number), .float), (.double(let number), .decimal128):
            return try converted(number, type, digits)
        case (.double(let number), _) where number.isInfinite && type != .double && type != .mixed:
            throw .binding("infinity cannot be compared with \(ValueType.property(type).words)")
        case (.float(let number), .int):
            guard number.isFinite else { throw .binding("\(number) cannot be compared with an integer") }
            return Int64(exactly: number).map { .int($0) } ?? value
        case (.string(let text), .int): return Int64(text).map { .int($0) } ?? value
        case (.string(let text), .float): return Float(text).map { .float($0) } ?? value
        case (.string(let text), .double): return Double(text).map { .double($0) } ?? value
        case (.string(let text), .decimal128):
            guard let number = Decimal128Bits(text), !number.isNaN else { return value }
            return .decimal128(number)
        default: return value
        }
    }

    private func converted(_ number: Double, _ type: StoredPropertyType, _ digits: String?) throws(QueryError) -> Value
    {
        switch type {
        case .float: return .float(Float(number))
        case .decimal128:
            // The digits can be more precise than a double.
            if let digits, let decimal = Decimal128Bits(digits) { return .decimal128(decimal) }
            return Arithmetic.decimal(.double(number)).map { .decimal128($0) } ?? .double(number)
        default:
            if number.isInfinite { throw .binding("infinity cannot be compared with an integer") }
            return Int64(exactly: number).map { .int($0) } ?? .double(number)
        }
    }

    private func typeName(_ value: Value) throws(QueryError) -> Value {
        guard case .string(let name) = value else {
            throw .binding("@type is compared with a name such as 'string', not with a value")
        }
        guard let type = TypeName(name) else {
            throw .binding(
                "'\(name)' is no type; there are null, int, bool, string, binary, date, float, double, "
                    + "decimal128, objectid, uuid, link, dictionary, array, numeric and collection")
        }
        return .int(type.rawValue)
    }
}
