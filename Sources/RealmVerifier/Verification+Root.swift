package import RealmLayout
package import RealmReader

extension Verification {
    /// Checks the commit at a root, whatever the header says: for who looks for roots.
    ///
    /// - Parameter missesPages: whether nodes in pages of an encrypted file without data cannot be read; else there are
    ///   zeros.
    package func run(
        onRoot root: Ref, format: FormatVersion, in data: DatabaseImage, missesPages: Bool = false
    ) -> VerificationReport {
        let verifier = FileVerifier(data, self, missesPages: missesPages)
        return withExtendedLifetime(verifier) { verifier.report(onRoot: UInt64(root.offset), format: format) }
    }

    /// The objects that two commits do not have in common, told as what going back from one to the other would undo.
    ///
    /// - Returns: nil when one of them cannot be read, or objects of its format are not compared (2 to 9).
    package static func changes(
        goingBackFrom newer: (root: Ref, format: FormatVersion), to older: (root: Ref, format: FormatVersion),
        in data: DatabaseImage
    ) -> [VerificationReport.TableChange]? {
        FileVerifier(data, Verification(level: .quick, maximumFindings: 0)).changes(
            goingBackFrom: UInt64(newer.root.offset), to: UInt64(older.root.offset), format: newer.format, older.format)
    }
}
