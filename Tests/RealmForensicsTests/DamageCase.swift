import RealmForensics
import RealmLayout
import TestSupport

/// A good file, a change that damages it, and the finding that the verifier must report.
struct DamageCase: Sendable, CustomStringConvertible {
    let check: CheckIdentifier
    let what: String
    let level: VerificationLevel
    /// Additional findings that are allowed.
    let companions: Set<CheckIdentifier>
    let patient: @Sendable () throws -> Patient
    let damage: @Sendable (inout Patient) throws -> Void

    var description: String { "\(check.rawValue) \(what)" }

    init(
        _ check: CheckIdentifier, _ what: String, _ file: String = "kennel", with companions: Set<CheckIdentifier> = [],
        damage: @escaping @Sendable (inout Patient) throws -> Void
    ) {
        self.init(check, what, from: { try Patient(file) }, with: companions, damage: damage)
    }

    init(
        _ check: CheckIdentifier, _ what: String, from patient: @escaping @Sendable () throws -> Patient,
        with companions: Set<CheckIdentifier> = [], damage: @escaping @Sendable (inout Patient) throws -> Void
    ) {
        self.check = check
        self.what = what
        self.level = check.level
        self.companions = companions
        self.patient = patient
        self.damage = damage
    }
}
