package import RealmCore
package import RealmLayout

extension Verification {
    /// Checks the commit at a given root, whatever the header contains; used for finding roots.
    ///
    /// - Parameter missesPages: whether nodes in pages of an encrypted file without data are unreadable; otherwise
    ///   these pages read as zeros.
    package func run(
        onRoot root: Ref, format: FormatVersion, in data: DatabaseImage, missesPages: Bool = false
    ) -> VerificationReport {
        let verifier = FileVerifier(data, self, missesPages: missesPages)
        return withExtendedLifetime(verifier) { verifier.report(onRoot: UInt64(root.offset), format: format) }
    }

    /// The differences between two commits: the changes that going back would undo.
    ///
    /// - Returns: nil when one of them cannot be read, or has a format whose objects are not compared (2 to 9).
    package static func changes(
        goingBackFrom newer: (root: Ref, format: FormatVersion), to older: (root: Ref, format: FormatVersion),
        in data: DatabaseImage
    ) -> [VerificationReport.TableChange]? {
        FileVerifier(data, Verification(level: .quick, maximumFindings: 0)).changes(
            goingBackFrom: UInt64(newer.root.offset), to: UInt64(older.root.offset), format: newer.format, older.format)
    }
}
