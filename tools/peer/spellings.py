#!/usr/bin/env python3
"""Says which public declarations of RealmSwift nothing here calls as it spells them: by owner, name and argument labels.

    tools/peer/spellings.py CHECKOUT [STORE ...]     a checkout of RealmSwift 10.54
        --all                                        also lists what is called, explained or not offered
        --overloads                                  also lists, of what is called, overloads that are not, with their types
        --apple                                      also what is for Combine and SwiftUI, with the index of `tools/apple-tests`,
                                                     `FOLDER/build/debug/index/store`, as a STORE

`declarations.py` asks whether a name has a place; this asks whether code that compiles calls it. It compares

* what RealmSwift declares: the compiler parses its files, for which they need not compile;
* what RealmObjects declares, and what is called of it: both are in the index that the compiler writes of debug builds. That of `.build` is
  taken (`tools/test --debug --only RealmObjectsTests --build-only` makes it), and each STORE, for example
  `FOLDER/.build/debug/index/store` of `tools/peer-tests --scratch FOLDER` and that of `Examples/Memo`.

Of what nobody calls it prints: `uncalled` where RealmObjects declares it, `elsewhere` where only another type does, `nowhere` where none does.
`not offered` is what the table says so of (RefusedTests tries what the compiler says then), `explained` what `spellings.txt` has a reason for.
Of overloads it is enough that one is called; `--overloads` tells of the others, also of those that are not public. Ends with 1 where anything
else is left, or an explanation is not needed any more.

Linux only, and not in CI, where RealmSwift is not: what it found is called by Tests/RealmObjectsTests/Declarations*Tests.swift.
"""
import collections
import ctypes
import json
import pathlib
import re
import subprocess
import sys

from declarations import LEFT_OUT

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
# Who calls.
LIBRARY = "RealmObjects"
CALLERS = {"RealmObjectsTests", "ObjectExamples", "ObjectPrograms", "PeerTests", "Memo"}
APPLE = {"Combine.swift", "SwiftUI.swift"}
OF_THE_LANGUAGE = {
    "UnicodeScalarLiteralType", "ExtendedGraphemeClusterLiteralType", "SubSequence", "Indices", "subscript(_enclosingInstance:wrapped:storage:)",
}
HIDDEN = {"RealmCollectionImpl", "SectionedResultImpl", "RLMSwiftCollectionBase", "RLMProperty", "NSNumber", "NSDate"}
LINE = re.compile(r"^(?P<indent> *)\((?P<kind>\w+) (?P<rest>.*)")
NAMED = re.compile(r'range=\[[^\]]*\] (?:unbound )?"(?P<name>[^"]+)"')
TYPES = {"class_decl", "struct_decl", "enum_decl", "protocol", "actor_decl"}
KINDS = TYPES | {
    "extension_decl", "func_decl", "var_decl", "constructor_decl", "subscript_decl", "enum_element_decl", "typealias",
    "associated_type_decl",
}
BODIES = {"brace_stmt", "accessor_decl", "pattern_binding_decl", "parameter_list", "enum_case_decl"}


class Declaration:
    def __init__(self, kind, name, indent, owner):
        self.kind, self.name, self.indent, self.owner = kind, name, indent, owner
        self.access, self.hidden = None, False

    @property
    def path(self):
        inside = self.owner.path if self.owner else ""
        return f"{inside}.{self.name}" if inside else self.name

    @property
    def is_public(self):
        """Members of a public protocol, extension or case of an enum need not say so."""
        if self.hidden or self.owner and self.owner.hidden or self.name.startswith("_"):
            return False
        if self.access:
            return self.access in ("public", "open")
        owner = self.owner
        if not owner:
            return False
        if owner.kind == "extension_decl":
            return owner.access == "public"
        return owner.is_public and (owner.kind == "protocol" or self.kind == "enum_element_decl")


def theirs(checkout):
    """Each public declaration of RealmSwift with its file."""
    folder = checkout / "RealmSwift"
    for path in sorted(folder.glob("*.swift")) + sorted((folder / "Impl").glob("*.swift")):
        if path.name in LEFT_OUT or path.name in APPLE and "--apple" not in sys.argv:
            continue
        tree = subprocess.run(["swiftc", "-frontend", "-dump-parse", str(path)], capture_output=True, text=True).stdout
        yield from ((path.name, found) for found in declarations(tree) if found.is_public and found.kind != "extension_decl")


def declarations(tree):
    """What a file declares outside of bodies, from the compiler's dump of it, in which members stand deeper than their owner."""
    found, around, body = [], [], None
    for line in tree.split("\n"):
        parts = LINE.match(line)
        if not parts:
            continue
        indent, kind = len(parts["indent"]), parts["kind"]
        if body is not None and indent > body:
            continue
        body = indent if kind in BODIES else None
        while around and around[-1].indent >= indent:
            around.pop()
        owner = around[-1] if around else None
        if kind == "access_control_attr" and owner:
            owner.access = re.search(r"access_level=(\w+)", line)[1]
        elif owner and (kind == "override_attr" or kind == "available_attr" and " unavailable" in line):
            owner.hidden = True
        elif kind in KINDS and (name := NAMED.search(line)):
            around.append(Declaration(kind, name["name"], indent, owner))
            found.append(around[-1])
    return found


class Text(ctypes.Structure):
    _fields_ = [("start", ctypes.c_void_p), ("count", ctypes.c_size_t)]

    def __str__(self):
        return ctypes.string_at(self.start, self.count).decode() if self.start else ""


class Symbol:
    """What the index knows of one: its name with labels, what it is a member of, what it stands on, how often it is referred to."""

    def __init__(self, identifier, name):
        self.identifier, self.name, self.calls, self.is_ours = identifier, name, 0, False
        self.owner, self.extended, self.bases = None, None, set()

    @property
    def path(self):
        if self.extended:
            return self.extended.path
        return f"{self.owner.path}.{self.name}" if self.owner else self.name

    @property
    def declaration(self):
        """The whole of it. Names of the compiler's begin in another way than those of the index."""
        name = "$" + self.identifier.replace(":", "", 1)
        return subprocess.run(["swift", "demangle", "-compact", name], capture_output=True, text=True, check=True).stdout.strip()

    @property
    def owner_path(self):
        return self.owner.path if self.owner else ""


class Index:
    """The compiler's index, by the C library that comes with it."""

    # Bits of roles, from indexstore.h.
    DEFINITION, REFERENCE, CHILD, BASE, OVERRIDES, EXTENDED = 1 << 1, 1 << 2, 1 << 9, 1 << 10, 1 << 11, 1 << 14

    def __init__(self):
        compiler = subprocess.run(["swiftc", "-print-target-info"], capture_output=True, text=True, check=True).stdout
        folder = pathlib.Path(json.loads(compiler)["paths"]["runtimeResourcePath"]).parent
        self.library = ctypes.CDLL(str(folder / "libIndexStore.so"))
        self.each = ctypes.CFUNCTYPE(ctypes.c_bool, ctypes.c_void_p, ctypes.c_void_p)
        self.each_name = ctypes.CFUNCTYPE(ctypes.c_bool, ctypes.c_void_p, Text)
        self.symbols = {}

    def call(self, name, result, *arguments):
        function = getattr(self.library, "indexstore_" + name)
        function.restype = result
        function.argtypes = [
            type(a) if isinstance(a, (self.each, self.each_name)) else ctypes.c_char_p if isinstance(a, bytes)
            else ctypes.c_uint if isinstance(a, bool) else ctypes.c_void_p for a in arguments]
        return function(*arguments)

    def every(self, name, handle, body):
        def visit(_, item):
            body(item)
            return True
        self.call(name + "_apply_f", ctypes.c_bool, handle, None, self.each(visit))

    def symbol(self, handle):
        identifier = str(self.call("symbol_get_usr", Text, handle))
        if identifier not in self.symbols:
            self.symbols[identifier] = Symbol(identifier, str(self.call("symbol_get_name", Text, handle)))
        return self.symbols[identifier]

    def read(self, store):
        """Takes in what RealmObjects declares, and what the callers refer to or override."""
        error, units = ctypes.c_void_p(), []
        handle = self.call("store_create", ctypes.c_void_p, str(store).encode(), ctypes.addressof(error))
        if not handle:
            raise SystemExit(f"there is no index: {store}")
        self.call(
            "store_units_apply_f", ctypes.c_bool, handle, False, None, self.each_name(lambda _, name: units.append(str(name)) or True))
        for name in units:
            unit = self.call("unit_reader_create", ctypes.c_void_p, handle, name.encode(), ctypes.addressof(error))
            module = str(self.call("unit_reader_get_module_name", Text, unit)) if unit else ""
            # A unit whose source is gone is of an older build.
            if module in CALLERS | {LIBRARY} and pathlib.Path(str(self.call("unit_reader_get_main_file", Text, unit))).exists():
                self.every("unit_reader_dependencies", unit, lambda item: self.record(handle, item, module))

    def record(self, store, dependency, module):
        if self.call("unit_dependency_get_kind", ctypes.c_int, dependency) != 2:
            return
        error, name = ctypes.c_void_p(), str(self.call("unit_dependency_get_name", Text, dependency)).encode()
        record = self.call("record_reader_create", ctypes.c_void_p, store, name, ctypes.addressof(error))
        if record:
            body = self.declared if module == LIBRARY else self.called
            self.every("record_reader_occurrences", record, body)

    def relations(self, occurrence):
        found = []
        self.every("occurrence_relations", occurrence, lambda item: found.append((
            self.call("symbol_relation_get_roles", ctypes.c_uint64, item),
            self.symbol(self.call("symbol_relation_get_symbol", ctypes.c_void_p, item)))))
        return found

    def declared(self, occurrence):
        roles = self.call("occurrence_get_roles", ctypes.c_uint64, occurrence)
        symbol = self.symbol(self.call("occurrence_get_symbol", ctypes.c_void_p, occurrence))
        for kind, other in self.relations(occurrence):
            if roles & self.DEFINITION and kind & self.CHILD:
                symbol.owner = other
            if kind & self.BASE:
                other.bases.add(symbol)
            if kind & self.EXTENDED:
                # An extension is what it extends.
                other.extended = symbol
        if roles & self.DEFINITION:
            symbol.is_ours = True

    def called(self, occurrence):
        if self.call("occurrence_get_roles", ctypes.c_uint64, occurrence) & self.REFERENCE:
            self.symbol(self.call("occurrence_get_symbol", ctypes.c_void_p, occurrence)).calls += 1
        for kind, other in self.relations(occurrence):
            other.calls += 1 if kind & self.OVERRIDES else 0


def above(path, bases):
    """A type and all that it stands on."""
    found, left = [], [path]
    while left:
        name = left.pop()
        if name not in found:
            found.append(name)
            left += bases.get(name, ())
    return found


def told():
    """Names that the table says are not offered."""
    table = ROOT / "Sources" / "RealmObjects" / "RealmObjects.docc" / "LeavingRealmSwift.md"
    rows = [line.split("|") for line in table.read_text().split("\n") if line.startswith("|")]
    cells = [row[1] if row[2].strip().startswith("not offered") else "" for row in rows]
    # Other rows say it of single names.
    cells += [sentence for row in rows for sentence in row[2].split(";") if "not offered" in sentence]
    return {name for cell in cells for code in re.findall(r"`([^`]*)`", cell) for name in re.findall(r"\w+", code)}


def reasons():
    """What `spellings.txt` explains."""
    lines = (pathlib.Path(__file__).parent / "spellings.txt").read_text().split("\n")
    return {line.split("\t")[0] for line in lines if line and not line.startswith("#")}


def main():
    arguments = [argument for argument in sys.argv[1:] if not argument.startswith("--")]
    if not arguments or not (pathlib.Path(arguments[0]) / "RealmSwift").is_dir():
        print(__doc__)
        return 64
    index = Index()
    for store in [ROOT / ".build" / "debug" / "index" / "store"] + [pathlib.Path(argument) for argument in arguments[1:]]:
        index.read(store)
    places, names, bases = collections.defaultdict(set), collections.defaultdict(set), collections.defaultdict(set)
    for symbol in list(index.symbols.values()):
        bases[symbol.path] |= {base.path for base in symbol.bases}
        if symbol.is_ours:
            places[symbol.owner_path, symbol.name].add(symbol)
            names[symbol.name].add(symbol.owner_path)
    found = list(theirs(pathlib.Path(arguments[0])))
    not_offered, explained, states, seen, needed = told(), reasons(), collections.Counter(), {}, set()
    for file, declaration in found:
        owner, name, path = declaration.owner.path if declaration.owner else "", declaration.name, declaration.path
        # What a hidden protocol gives to types is told by them. Literals and collections have types of these names.
        if path in seen or name in OF_THE_LANGUAGE or owner in HIDDEN:
            continue
        symbols = set().union(*(places[place, name] for place in (above(owner, bases) if owner else [""])))
        if any(symbol.calls for symbol in symbols):
            state = "called"
            if "--overloads" in sys.argv and "(" in name:
                for overload in sorted(symbol.declaration for symbol in symbols if not symbol.calls):
                    print(f"overload\t{path}\t{file}\t{overload}")
        elif path in explained or owner + ".*" in explained:
            state = "explained"
            needed.add(path if path in explained else owner + ".*")
        elif not_offered & set(re.findall(r"\w+", path.split("(")[0])):
            state = "not offered"
        else:
            state = "uncalled" if symbols else "elsewhere" if names[name] else "nowhere"
        seen[path] = state
        states[state] += 1
        if "--all" in sys.argv or state in ("uncalled", "elsewhere", "nowhere"):
            also = ", ".join(sorted(names[name] - {owner})[:4]) if state == "elsewhere" else ""
            print(f"{state}\t{path}\t{file}\t{also}")
    print(f"{len(seen)} declarations by owner, name and labels: " + ", ".join(f"{count} {state}" for state, count in sorted(states.items())))
    # What is for Apple's systems alone was perhaps not asked for.
    stale = {path for path in explained - needed if path in seen or "--apple" in sys.argv}
    for path in sorted(stale):
        print(f"spellings.txt explains {path}, which is {seen.get(path, 'not declared')}")
    return 1 if stale or any(states[state] for state in ("uncalled", "elsewhere", "nowhere")) else 0


if __name__ == "__main__":
    sys.exit(main())
