#if canImport(Darwin)
    internal import Foundation
#endif

/// Numbers of Foundation, which JSON and property lists consist of, and which code that was written for Objective-C has.
enum NumberObject {
    /// A number as Foundation has it, which is cast to any type of numbers that has room for it, as Objective-C's are; the same where the
    /// program has no Foundation.
    static func object(_ any: Any?) -> Any? {
        guard let any, types.contains(where: { $0 == type(of: any) }), let number = any as? any _ObjectiveCBridgeable
        else { return any }
        return number._bridgeToObjectiveC()
    }

    /// What stands for nil among values of any type.
    static var null: Any {
        #if canImport(Darwin)
            NSNull()
        #else
            Optional<Any>.none as Any
        #endif
    }

    private static let types: [any Any.Type] = [Int.self, Bool.self, Double.self, Float.self]

    /// The truth value, integer or floating point number that a number of Foundation is, as RealmSwift tells them apart; nil for all
    /// that is not one. A cast would make a truth value of each that is 0 or 1.
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
            // They are known by their names: the library does without that part of Foundation.
            switch "\(type(of: any))" {
            case "__NSCFBoolean": return any as? Bool
            case "NSDecimalNumber": return any as? Double
            case "NSNumber": break
            default: return nil
            }
            // The text of one that is no integer has a point, or is not of digits at all.
            guard "\(any)".allSatisfy({ $0.isNumber || $0 == "-" }) else { return any as? Double }
            return (any as? Int64).map { $0 as Any } ?? (any as? UInt64)
        #endif
    }
}
