internal import RealmLayout
internal import RealmStorage

extension String {
    /// A path as messages and reports have it: on one line, with `\xff` for bytes that are not UTF-8.
    var shownPath: String { NativePath.shown(self).singleLine }

    /// The same for scripts, which take line breaks as they are.
    var reportedPath: String { NativePath.shown(self) }
}
