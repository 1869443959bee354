#!/usr/bin/env python3
"""Says which public declarations of RealmSwift have no place here: neither a declaration of their name in Sources/RealmObjects nor
a mention in the table of Sources/RealmObjects/RealmObjects.docc/LeavingRealmSwift.md.

    tools/peer/declarations.py CHECKOUT     a checkout of RealmSwift 10.54

Files about the server and Objective-C's classes are left out: the table speaks of them as a whole. Ends with 1 where something is missing.
"""
import pathlib
import re
import sys

# What tells a server, or bridges to Objective-C.
LEFT_OUT = {
    "App.swift", "MongoClient.swift", "Sync.swift", "SyncSubscription.swift", "BSON.swift", "Events.swift", "Nonsync.swift",
    "ObjectiveCSupport.swift", "ObjectiveCSupport+AnyRealmValue.swift", "ObjectiveCSupport+BSON.swift",
    "ObjectiveCSupport+Sync.swift",
}
# Names that the language asks for, of the literals and collections that types are; GeoPoint's example in a comment is no declaration.
OF_THE_LANGUAGE = {"UnicodeScalarLiteralType", "ExtendedGraphemeClusterLiteralType", "SubSequence", "Indices"}
KINDS = "func|var|let|class|struct|enum|protocol|typealias|case|actor|associatedtype"
DECLARATION = re.compile(
    r"^(?P<indent>\s*)(?P<before>(?:@[\w.]+(?:\([^)]*\))?\s+)*(?:[a-z]+(?:\(set\))?\s+)*?)"
    r"(?P<kind>" + KINDS + r"|extension)\s+(?P<name>`?\w+`?)?")


def without_comments(text):
    text = re.sub(r"/\*.*?\*/", lambda comment: "\n" * comment.group(0).count("\n"), text, flags=re.S)
    return re.sub(r"//.*", "", text)


def declarations(path):
    """The names that a file declares for everybody. Nested ones are told by their indentation."""
    around = []
    for line in without_comments(path.read_text()).split("\n"):
        found = DECLARATION.match(line)
        if not found:
            continue
        indent, before, kind = len(found["indent"]), found["before"].split(), found["kind"]
        name = (found["name"] or "").strip("`")
        while around and indent <= around[-1][0]:
            around.pop()
        hidden = any(word in ("private", "fileprivate", "internal", "override") for word in before)
        owner = around[-1] if around else None
        # A member of a function's body is one of nobody.
        inside = bool(owner) and indent > owner[0] + 4
        given = bool(owner) and owner[2] and (owner[1] in ("extension", "protocol") or owner[1] == "enum" and kind == "case")
        public = not hidden and not inside and ("public" in before or "open" in before or given)
        if kind in ("extension", "class", "struct", "enum", "protocol", "actor"):
            around.append((indent, kind, public))
        if public and kind != "extension" and name and not name.startswith("_"):
            yield name, kind


def main():
    if len(sys.argv) != 2 or not (pathlib.Path(sys.argv[1]) / "RealmSwift").is_dir():
        print(__doc__)
        return 64
    root = pathlib.Path(__file__).resolve().parent.parent.parent
    sources = root / "Sources" / "RealmObjects"
    ours = "\n".join(without_comments(path.read_text()) for path in sorted(sources.rglob("*.swift")))
    declared = set(re.findall(r"\b(?:" + KINDS + r")\s+`?(\w+)", ours))
    declared |= {name for line in re.findall(r"\bcase ([^\n]*)", ours) for name in re.findall(r"\w+", line)}
    told = set(re.findall(r"\w+", (sources / "RealmObjects.docc" / "LeavingRealmSwift.md").read_text()))
    count, missing = 0, []
    theirs = pathlib.Path(sys.argv[1]) / "RealmSwift"
    for path in sorted(theirs.glob("*.swift")) + sorted((theirs / "Impl").glob("*.swift")):
        if path.name in LEFT_OUT:
            continue
        for name, kind in declarations(path):
            count += 1
            if name not in declared and name not in told and name not in OF_THE_LANGUAGE:
                missing.append(f"{path.name}: {kind} {name}")
    print(f"{count} public declarations, {len(missing)} of which have no place here")
    for line in missing:
        print(line)
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())
