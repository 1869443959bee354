internal import RealmLayout
internal import RealmStorage

extension String {
    /// The path for messages: on one line, with `\xff` for bytes that are not UTF-8.
    var shownPath: String { NativePath.shown(self).singleLine }

    /// The path for scripts, which accept line breaks.
    var reportedPath: String { NativePath.shown(self) }
}
