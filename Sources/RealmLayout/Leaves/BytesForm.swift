/// The forms of leaves of strings and binaries, of which the longest value decides (Spec 30).
package enum BytesForm {
    /// Strings in elements of the same size. Binaries have no such form.
    case short
    /// Values one behind the other.
    case medium
    /// Values in nodes of their own.
    case big

    /// The most bytes of strings in each form, without the zero at their end.
    package static let longestShortString = 15
    package static let longestMediumString = 63
    package static let longestMediumBinary = 64

    /// The form of a leaf of strings.
    package static func ofStrings(longest: Int) -> BytesForm {
        longest > longestMediumString ? .big : longest > longestShortString ? .medium : .short
    }

    /// The form of a leaf of binaries.
    package static func ofBinaries(longest: Int) -> BytesForm { longest > longestMediumBinary ? .big : .medium }
}
