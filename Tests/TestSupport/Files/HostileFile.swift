package import RealmLayout

/// A malicious file, and the first error that it must cause.
package struct HostileFile: Sendable, CustomStringConvertible {
    package let name: String
    package let code: FormatError.Code
    package let property: String?
    package let objectKey: Int?
    package let bytes: @Sendable () -> [UInt8]

    package var description: String { name }

    package init(
        _ name: String, _ code: FormatError.Code, property: String? = nil, objectKey: Int? = nil,
        bytes: @escaping @Sendable () -> [UInt8]
    ) {
        self.name = name
        self.code = code
        self.property = property
        self.objectKey = objectKey
        self.bytes = bytes
    }

    package static let all = clusterTrees + collections + leaves + mixedLeaves + schemas
}
