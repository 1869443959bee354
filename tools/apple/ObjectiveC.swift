// Declarations of Apple's ObjectiveC that RealmObjects uses, for compiling on Linux (tools/apple-tests). Classes have
// no Objective-C properties here.

/// A property of a class.
public typealias objc_property_t = OpaquePointer

/// Returns the property with a name; none here.
public func class_getProperty(_ cls: AnyClass?, _ name: UnsafePointer<CChar>) -> objc_property_t? { nil }
