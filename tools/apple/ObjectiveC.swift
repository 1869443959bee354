// Declarations of Apple's ObjectiveC that RealmObjects uses, to compile with on Linux (tools/apple-tests). No class has anything of it here.

/// A property of a class.
public typealias objc_property_t = OpaquePointer

/// The property of that name; none here.
public func class_getProperty(_ cls: AnyClass?, _ name: UnsafePointer<CChar>) -> objc_property_t? { nil }
