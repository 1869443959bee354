import Foundation
import HostileProperties
import RealmCore
import RealmForensics
import RealmLayout
import TestSupport

/// The properties that must hold for any bytes, and the changes of a victim for which each is tested.
enum HostileProperty: CaseIterable {
    /// Reading terminates with a result or an error, in bounded work.
    case reading
    /// Reading an encrypted file terminates too, with the same result as for a plain one.
    case encrypted
    /// Hashing and comparing terminate with consistent results.
    case hashing
    /// An export terminates with well-formed documents or an error.
    case exporting
    /// Verification terminates, and files found sound can be read and exported.
    case verifying
    /// Salvage terminates with a refusal or a sound file.
    case salvaging
    /// Opening for writing and changing terminates: with a refusal, or with commits that keep sound files sound.
    case changing
    /// Queries end within their budget, and for each object either a condition or its negation holds.
    case querying
    /// A search ends in bounded work, and finds no more than what another way of searching finds.
    case searching
    /// Counting bytes, statistics and the history terminate, and bytes add up.
    case surveying

    /// The places at which a replacement is tried; nil for none.
    func spacing(_ victim: Victim, _ replacement: Replacement) -> Spacing? {
        switch self {
        case .reading: victim.isExhaustive ? .every : .once
        case .encrypted: replacement == .oneMore ? Spacing(step: 24) : nil
        case .hashing: [.ones, .highestBitChanged, .zero].contains(replacement) ? Spacing(step: 7) : nil
        case .exporting: .once
        case .verifying: Spacing(step: 61)
        case .salvaging: Spacing(step: 75)
        case .changing: Spacing(step: 83)
        case .searching: [.ones, .zero, .oneMore].contains(replacement) ? Spacing(step: 53) : nil
        case .querying: [.ones, .oneMore].contains(replacement) ? Spacing(step: 211) : nil
        case .surveying: Spacing(step: 59)
        }
    }

    /// The distance in bytes between two tested prefixes of a victim, a multiple of eight; nil for none.
    func prefixStep(_ victim: Victim) -> Int? {
        switch self {
        case .reading: 8
        case .encrypted, .hashing, .changing: nil
        case .querying: 520
        case .searching: 136
        case .surveying: 136
        case .exporting: [.tombstones, .nestedMixed, .oldColumns].contains(victim) ? 8 : nil
        case .verifying: 128
        // Not a multiple of the sizes of nodes or pages, so that the ends fall in all parts of them.
        case .salvaging: 264
        }
    }

    /// Returns the violations for a file that was `original`.
    func violations(_ bytes: [UInt8], _ original: OriginalContent) -> [String] {
        switch self {
        case .reading:
            // Damage to one byte can turn 8 bytes into thousands of elements, but never into more than an intact file
            // of the size could hold.
            let outcome = readEverything(bytes)
            return !outcome.isCutOff && outcome.work < 10_000 + 128 * bytes.count ? [] : ["\(outcome.work) steps"]
        case .encrypted: return Self.violationsOfEncrypted(bytes)
        case .hashing: return Self.violationsOfHashing(bytes, original)
        case .exporting: return exportEverything(bytes, ExportCombination.chosen(by: bytes)).violations
        case .verifying: return verifyEverything(bytes, ExportCombination.chosen(by: bytes)).violations
        case .salvaging: return salvageEverything(bytes, root: .chosen(by: bytes), in: folderForSalvage)
        case .changing: return changeEverything(bytes, in: folderForSalvage)
        case .querying: return queryEverything(bytes)
        case .searching: return searchEverything(bytes)
        case .surveying: return surveyEverything(bytes)
        }
    }

    /// Returns the violations for the bytes when encrypted, with or without damage to the encryption.
    static func violationsOfEncrypted(_ bytes: [UInt8]) -> [String] {
        let result = readEncrypted(bytes, limit: 10_000 + 128 * bytes.count)
        return result.violations + (result.outcome.work < 10_000_000 ? [] : ["\(result.outcome.work) steps"])
    }

    private static func violationsOfHashing(_ bytes: [UInt8], _ original: OriginalContent) -> [String] {
        guard let snapshot = try? RealmDatabase(bytes: bytes).snapshot(toleratingDamage: true) else { return [] }
        return ContentIdentity.allCases.flatMap { identity -> [String] in
            do {
                let isEqual = try snapshot.contentHash(by: identity).total == original.hashes[identity]?.total
                let hasNoDifference = try snapshot.contentDifference(to: original.snapshot, by: identity).isEmpty
                return hasNoDifference == isEqual ? [] : ["\(identity): hash and difference contradict each other"]
            } catch {
                // For damage to the list of tables, the table is unknown.
                let error = error as? FormatError
                let isPlaced = error.map { $0.table != nil || $0 == snapshot.damage.first } ?? false
                return isPlaced ? [] : ["\(identity): \(error.map { "\($0)" } ?? "an error of another kind")"]
            }
        }
    }
}

/// The content of a victim before a change.
struct OriginalContent {
    let snapshot: Snapshot
    let hashes: [ContentIdentity: ContentHash]

    init(_ victim: Victim) throws {
        let snapshot = try RealmDatabase(bytes: victim.bytes()).snapshot()
        self.snapshot = snapshot
        hashes = try Dictionary(
            uniqueKeysWithValues: ContentIdentity.allCases.map { ($0, try snapshot.contentHash(by: $0)) })
    }
}
