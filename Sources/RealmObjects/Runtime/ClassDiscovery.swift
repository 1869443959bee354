internal import CSwiftMetadata

/// Finds the model classes of the program: those that the linker kept, in all loaded images.
enum ClassDiscovery {
    /// Returns the subclasses of `Object`, `EmbeddedObject` and `AsymmetricObject`, sorted by name.
    static func modelClasses() -> [ObjectBase.Type] {
        let roots: [ObjectBase.Type] = [Object.self, EmbeddedObject.self, AsymmetricObject.self]
        let found = Found()
        let metadata = unsafe roots.map { unsafe unsafeBitCast($0, to: UnsafeRawPointer?.self) }
        unsafe metadata.withUnsafeBufferPointer { roots in
            unsafe swift_metadata_visit_subclasses(
                roots.baseAddress, roots.count,
                { metadata, context in
                    guard let metadata = unsafe metadata, let context = unsafe context,
                        let type = unsafe unsafeBitCast(metadata, to: Any.Type.self) as? ObjectBase.Type
                    else { return }
                    unsafe Unmanaged<Found>.fromOpaque(context).takeUnretainedValue().types.append(type)
                }, Unmanaged.passUnretained(found).toOpaque())
        }
        let bases = Set(roots.map { ObjectIdentifier($0) })
        return found.types.filter { !bases.contains(ObjectIdentifier($0)) }
            .sorted { String(reflecting: $0) < String(reflecting: $1) }
    }

    private final class Found {
        var types: [ObjectBase.Type] = []
    }
}
