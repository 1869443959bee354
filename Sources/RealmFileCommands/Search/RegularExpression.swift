internal import CPCRE2
internal import RealmForensics
internal import RealmLayout
internal import RealmQuery

/// A regular expression of PCRE2, or text that matches regardless of case. Used by one thread.
///
/// `^` and `$` are the beginning and the end of a value, `.` is any character; a text's line breaks are characters like
/// others.
@safe
final class RegularExpression: TextMatcher {
    private let code: OpaquePointer
    private let match: OpaquePointer
    private let limits: OpaquePointer
    private let isCompiled: Bool
    /// Memory for compiled code, which long texts need; nil when there is no compiler for this machine.
    private let stack: OpaquePointer?
    /// The number of texts that were given up, because matching them took too many steps.
    private(set) var givenUp = 0

    /// The steps for one text: far more than any useful expression takes, and some milliseconds.
    private static let mostSteps: UInt32 = 1_000_000
    /// The kilobytes of heap for one text.
    private static let mostKilobytes: UInt32 = 64 << 10

    /// The bytes of memory that compiled code may take.
    private static let mostStackBytes = 16 << 20

    /// Compiles an expression.
    ///
    /// - Parameter isLiteral: whether the expression is plain text, with no special characters.
    /// - Throws: a `CommandFailure` that shows the place of the error.
    init(_ expression: String, ignoresCase: Bool, isLiteral: Bool = false) throws(CommandFailure) {
        var options = PCRE2_UTF | PCRE2_MATCH_INVALID_UTF
        if ignoresCase { options |= PCRE2_CASELESS }
        options |=
            isLiteral
            ? PCRE2_LITERAL : PCRE2_UCP | PCRE2_DOTALL | PCRE2_DOLLAR_ENDONLY | PCRE2_NEVER_BACKSLASH_C
        var (error, offset): (Int32, Int) = (0, 0)
        let bytes = Array(expression.utf8)
        let code = unsafe bytes.withUnsafeBufferPointer { bytes in
            unsafe pcre2_compile_8(bytes.baseAddress, bytes.count, options, &error, &offset, nil)
        }
        guard let code = unsafe code else {
            throw CommandFailure(
                "\(QuerySyntaxError("--regex: \(Self.message(error))", at: offset, in: expression))", status: .usage)
        }
        guard let match = unsafe pcre2_match_data_create_8(1, nil),
            let limits = unsafe pcre2_match_context_create_8(nil)
        else { throw CommandFailure("--regex: out of memory") }
        unsafe pcre2_set_match_limit_8(limits, Self.mostSteps)
        unsafe pcre2_set_heap_limit_8(limits, Self.mostKilobytes)
        isCompiled = unsafe pcre2_jit_compile_8(code, UInt32(PCRE2_JIT_COMPLETE)) == 0
        unsafe stack = unsafe pcre2_jit_stack_create_8(32 << 10, Self.mostStackBytes, nil)
        unsafe pcre2_jit_stack_assign_8(limits, nil, UnsafeMutableRawPointer(stack))
        unsafe (self.code, self.match, self.limits) = unsafe (code, match, limits)
    }

    deinit {
        unsafe pcre2_jit_stack_free_8(stack)
        unsafe pcre2_match_context_free_8(limits)
        unsafe pcre2_match_data_free_8(match)
        unsafe pcre2_code_free_8(code)
    }

    func firstMatch(in text: ByteView) -> Range<Int>? {
        let subject = unsafe text.base.assumingMemoryBound(to: UInt8.self)
        let result =
            isCompiled
            ? unsafe pcre2_jit_match_8(code, subject, text.count, 0, 0, match, limits)
            : unsafe pcre2_match_8(code, subject, text.count, 0, 0, match, limits)
        guard result >= 0 else {
            if result != PCRE2_ERROR_NOMATCH { givenUp += 1 }
            return nil
        }
        let ends = unsafe pcre2_get_ovector_pointer_8(match)
        guard let start = unsafe ends?[0], let end = unsafe ends?[1], start <= end, end <= text.count else {
            return nil
        }
        return Int(start)..<Int(end)
    }

    func canMatch(onlyOf alphabet: ByteSet) -> Bool {
        // A byte that every match contains.
        if number(PCRE2_INFO_LASTCODETYPE) == 1, !alphabet.has(number(PCRE2_INFO_LASTCODEUNIT)) { return false }
        if number(PCRE2_INFO_FIRSTCODETYPE) == 1 { return alphabet.has(number(PCRE2_INFO_FIRSTCODEUNIT)) }
        // The bytes that a match can begin with.
        var bitmap: UnsafePointer<UInt8>?
        guard unsafe pcre2_pattern_info_8(code, UInt32(PCRE2_INFO_FIRSTBITMAP), &bitmap) == 0,
            let bitmap = unsafe bitmap
        else { return true }
        return (0..<256).contains { byte in
            unsafe bitmap[byte / 8] >> UInt8(byte % 8) & 1 != 0 && alphabet.contains(UInt8(byte))
        }
    }

    private func number(_ property: Int32) -> UInt32 {
        var number: UInt32 = 0
        return unsafe pcre2_pattern_info_8(code, UInt32(property), &number) == 0 ? number : 0
    }

    private static func message(_ error: Int32) -> String {
        var message = [UInt8](repeating: 0, count: 256)
        let count = unsafe message.withUnsafeMutableBufferPointer { message in
            unsafe pcre2_get_error_message_8(error, message.baseAddress, message.count)
        }
        return String(decoding: message.prefix(Int(max(count, 0))), as: UTF8.self)
    }
}

extension ByteSet {
    /// Whether a letter is in the set, in either case.
    fileprivate func has(_ unit: UInt32) -> Bool {
        guard let byte = UInt8(exactly: unit), byte < 0x80 else { return true }
        let letter = Character(Unicode.Scalar(byte))
        return (letter.lowercased() + letter.uppercased()).utf8.contains { contains($0) }
    }
}
