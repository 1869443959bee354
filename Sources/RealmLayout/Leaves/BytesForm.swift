/// The forms of leaves of strings and binaries, chosen by the longest value (Spec 30).
package enum BytesForm {
    /// Strings in elements of the same size. Binaries have no such form.
    case short
    /// Values stored back to back.
    case medium
    /// Values in nodes of their own.
    case big

    /// The largest value of each form in bytes; strings without the terminating zero.
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
