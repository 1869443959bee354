package import RealmForensics

extension VerificationReport {
    /// The findings about a new file with the content of another, one on each line. Those that the original has as well
    /// are left out: names of tables that Realm does not create, and embedded objects without an owner.
    package var findingsOfCopy: [String] {
        findings.filter { $0.check != .tableName && !($0.check == .embeddedOwner && $0.severity == .info) }
            .map { "\($0.check.rawValue) \($0.place): \($0.message)" }
    }
}
