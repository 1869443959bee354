/// A stored property of a class, as `Mirror` enumerates them, with its offset in an instance.
struct Field {
    let name: String
    let type: Any.Type
    /// Offset in bytes from the start of an instance.
    let offset: Int

    /// Returns the stored properties of a class, those of its superclasses first.
    static func all(of type: AnyClass) -> [Field] {
        (0..<recursiveFieldCount(type)).map { index in
            var metadata = unsafe FieldMetadata()
            let fieldType = unsafe fieldMetadata(type, index: index, &metadata)
            let name = unsafe metadata.name.map { unsafe String(cString: $0) } ?? ""
            unsafe metadata.release?(metadata.name)
            return Field(name: name, type: fieldType, offset: fieldOffset(type, index: index))
        }
    }
}

/// The runtime's description of a field.
@unsafe
private struct FieldMetadata {
    var name: UnsafePointer<CChar>?
    var release: (@convention(c) (UnsafePointer<CChar>?) -> Void)?
    var isStrong = false
    var isVar = false
}

// The functions behind `Mirror` in the standard library, which the runtime exports on all platforms.

@_silgen_name("swift_reflectionMirror_recursiveCount")
private func recursiveFieldCount(_ type: Any.Type) -> Int

@_silgen_name("swift_reflectionMirror_recursiveChildMetadata")
private func fieldMetadata(_ type: Any.Type, index: Int, _ metadata: UnsafeMutablePointer<FieldMetadata>) -> Any.Type

@_silgen_name("swift_reflectionMirror_recursiveChildOffset")
private func fieldOffset(_ type: Any.Type, index: Int) -> Int
