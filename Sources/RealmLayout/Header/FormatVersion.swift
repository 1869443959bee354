/// The number of a file format (Spec 90).
///
/// ```swift
/// print(snapshot.version, snapshot.version.isLegacy)
/// ```
public struct FormatVersion: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The number in the header.
    public let number: UInt8

    /// Makes a version from its number.
    public init(_ number: UInt8) { self.number = number }

    /// All released formats with clusters.
    package static let clustered: [FormatVersion] = [10, 11, 20, 21, 22, 23, 24].map { FormatVersion($0) }
    /// All released formats without clusters.
    package static let legacy: [FormatVersion] = (2...9).map { FormatVersion($0) }

    /// Whether objects are stored in clusters (formats 10 to 24).
    public var isClustered: Bool { Self.clustered.contains(self) }
    /// Whether the format predates clusters (formats 2 to 9).
    public var isLegacy: Bool { Self.legacy.contains(self) }
    /// Whether dictionaries are pairs of B+trees (since 23), not cluster trees (Spec 40). Formats 2 to 9 have no
    /// dictionaries; those synthesised for them have the current form.
    package var hasPairDictionaries: Bool { number >= 23 || isLegacy }

    /// Lower numbers come first.
    public static func < (left: FormatVersion, right: FormatVersion) -> Bool { left.number < right.number }

    /// The number in decimal.
    public var description: String { String(number) }
}
