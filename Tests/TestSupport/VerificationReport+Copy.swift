package import RealmVerifier

extension VerificationReport {
    /// What is wrong with a new file that has the content of another, a line each: but for what the other has as well, names
    /// of tables that Realm does not make, and embedded objects without an owner.
    package var findingsOfCopy: [String] {
        findings.filter { $0.check != .tableName && !($0.check == .embeddedOwner && $0.severity == .info) }
            .map { "\($0.check.rawValue) \($0.place): \($0.message)" }
    }
}
