#if canImport(Darwin)
    internal import Foundation
#endif

/// Foundation's number objects, which occur in JSON, property lists and code written for Objective-C.
enum NumberObject {
    /// Returns a value as a number object, which casts to any numeric type that can hold it, as in Objective-C. Returns
    /// the value itself in programs without Foundation.
    static func object(_ any: Any?) -> Any? {
        guard let any, types.contains(where: { $0 == type(of: any) }), let number = any as? any _ObjectiveCBridgeable
        else { return any }
        return number._bridgeToObjectiveC()
    }

    /// The value for nil among values of any type.
    static var null: Any {
        #if canImport(Darwin)
            NSNull()
        #else
            Optional<Any>.none as Any
        #endif
    }

    private static let types: [any Any.Type] = [Int.self, Bool.self, Double.self, Float.self]

    /// Returns the Boolean, integer or floating-point number in a number object, told apart as in RealmSwift; nil for
    /// anything else. A cast would turn every 0 and 1 into a Boolean.
    static func value(_ any: Any) -> Any? {
        guard type(of: any) is AnyClass else { return nil }
        #if canImport(Darwin)
            guard let number = any as? NSNumber else { return nil }
            switch unsafe UInt8(bitPattern: number.objCType.pointee) {
            case UInt8(ascii: "c") where number.intValue == 0 || number.intValue == 1: return number.boolValue
            case UInt8(ascii: "B"): return number.boolValue
            case UInt8(ascii: "f"): return number.floatValue
            case UInt8(ascii: "d"): return number.doubleValue
            case UInt8(ascii: "Q"): return number.uint64Value
            default: return number.int64Value
            }
        #else
            // Recognised by name, because the library does not use that part of Foundation.
            switch "\(type(of: any))" {
            case "__NSCFBoolean": return any as? Bool
            case "NSDecimalNumber": return any as? Double
            case "NSNumber": break
            default: return nil
            }
            // The text of a number that is not an integer has a point, or is not made of digits.
            guard "\(any)".allSatisfy({ $0.isNumber || $0 == "-" }) else { return any as? Double }
            return (any as? Int64).map { $0 as Any } ?? (any as? UInt64)
        #endif
    }
}
