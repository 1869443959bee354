"""Prints the content of a Realm file of the formats 10 to 24, not encrypted, as JSON Lines: python3 reader.py FILE
An appendix to the specification beside it, chapter 210. Numbers such as [20] are chapters, R20.1 rules."""
import hashlib, json, sys, uuid


class Node:  # [20] header and elements
    def __init__(self, file, ref):
        if ref % 8 or not 24 <= ref <= file.end - 8: raise ValueError(f"no node can be at {ref:#x}")  # R20.1
        flags, self.count = file.data[ref + 4], int.from_bytes(file.data[ref + 5:ref + 8], "big")
        self.inner, self.refs, self.context = flags & 0x80, flags & 0x40, flags & 0x20
        self.kind, self.width = flags >> 3 & 3, 1 << (flags & 7) >> 1
        size = ((self.count * self.width + 7) // 8, self.count * self.width, self.count)[self.kind]  # R20.3
        self.file, self.bytes = file, file.data[ref + 8:ref + 8 + size]
        if ref + 8 + size > file.end: raise ValueError(f"the node at {ref:#x} is cut off")  # R20.2

    def ints(self, signed=True):  # R20.8: widths below 8 are unsigned
        w, b = self.width, self.bytes
        if w < 8: return [b[i * w // 8] >> i * w % 8 & (1 << w) - 1 if w else 0 for i in range(self.count)]
        return [int.from_bytes(b[i:i + w // 8], "little", signed=signed) for i in range(0, len(b), w // 8)]

    def fields(self, size): return [self.bytes[i:i + size] for i in range(0, len(self.bytes), size)]
    def nodes(self): return [self.file.node(ref) if ref else None for ref in self.ints()]


def untag(v): return (v & 2**64 - 1) >> 1  # R20.10
def hexadecimal(v, size): return (v & 256**size - 1).to_bytes(size, "big").hex()

# [30] Leaves: each function gives the list of values, null as None. Values have the form of Fixtures/README.md.
def sized(tag, b): return [tag, b.hex()] if len(b) <= 4096 else [tag + "#", len(b), hashlib.sha256(b).hexdigest()]
def binary(b): return None if b is None else sized("b", b)
def integer(v): return None if v is None else ["i", str(v)]
def object_id(b): return ["oid", b.hex()]
def uuid_(b): return ["uuid", str(uuid.UUID(bytes=b))]
def timestamp(s, ns): return None if s is None else ["ts", str(s), ns]
def blob(node): return b"".join(map(blob, node.nodes())) if node.refs else node.bytes


def text(b):
    if b is None or len(b) > 4096: return b and sized("s", b)
    try: return ["s", b.decode()]
    except UnicodeDecodeError: return ["sx", b.hex()]


def nullable(node):  # R30.2
    null, *values = node.ints()
    return [None if v == null else v for v in values]


def numbers(node, tag, null): return [None if b == null else [tag, b[::-1].hex()] for b in node.fields(len(null))]


def strings(node, distinct=None, end=1):  # `end`: length of the terminator
    if node.refs and node.context: return [b and blob(b)[:-end or None] for b in node.nodes()]
    if node.refs:
        offsets, data, nulls = node.nodes()
        ends = offsets.ints()
        return [None if null else data.bytes[a:b - end] for a, b, null in zip([0] + ends, ends, nulls.ints())]
    if node.kind == 0: return [distinct[i] for i in node.ints()]  # enumerated
    return [None if f[-1] == len(f) else f[:-1 - f[-1]] for f in node.fields(node.width or 1)] or [None] * node.count


def decimals(node):
    if not node.width: return [["dec", "3040" + "0" * 28] if node.context else None] * node.count
    bits, size, bias = {4: (32, 8, 101), 8: (64, 10, 398), 16: (128, 14, 6176)}[node.width]
    def value(v):
        if v == 0x7c << bits - 8 | 0xaa: return None
        top = v >> bits - 5 & 15  # the four bits below the sign
        large = top >= 12  # the second form
        low = bits - 1 - size - 2 * large
        exponent, coefficient = v >> low & (1 << size) - 1, v & (1 << low) - 1 | large << low + 2
        if bits < 128: v = v >> bits - 1 << 127 | exponent - bias + 6176 << 113 | coefficient
        return ["dec", hexadecimal(v, 16)]  # infinities and NaNs are always in 16 bytes
    return [value(int.from_bytes(b, "little")) for b in node.fields(node.width)]


def blocks(node, size, make):  # a byte of null bits before up to eight values
    return [None if b[0] >> i & 1 else make(b[1 + i * size:][:size])
            for b in node.fields(8 * size + 1) for i in range(len(b) // size)]


def mixed(node):
    file, slots = node.file, (node.nodes() + [None] * 2)[:5]
    composites, ints, pairs, refs = [n.ints() if n else [] for n in (*slots[:3], slots[4])]
    bytes_ = [b or b"" for b in strings(slots[3])] if slots[3] else []
    def value(c):
        kind, slot, i = (c & 31) - 1, c >> 5 & 7, c >> 8
        if c == 0: return None
        if kind == 0: return integer(ints[i] if slot else i)
        if kind == 1: return ["t", i != 0]
        if kind in (2, 4, 15, 17): return {2: text, 4: binary, 15: object_id, 17: uuid_}[kind](bytes_[i])
        if kind == 8: return timestamp(*pairs[2 * i:2 * i + 2])
        if kind in (9, 10): return ["f", hexadecimal(ints[i], 4)] if kind == 9 else ["d", hexadecimal(ints[i], 8)]
        if kind == 11: return ["dec", hexadecimal(pairs[2 * i + 1], 8) + hexadecimal(pairs[2 * i], 8)]
        if kind == 16: return file.link(*pairs[2 * i:2 * i + 2])
        return file.dictionary(refs[i]) if kind == 21 else ["L", file.tree(refs[i], mixed)]
    return [value(c) for c in composites]


class File:
    def __init__(self, data):
        self.data, self.end, slot = data, len(data), data[23] & 1  # [10]
        self.format = data[20 + slot]
        if data[16:20] != b"T-DB" or self.format not in (0, 10, 11, *range(20, 25)):
            raise ValueError("not a plain Realm file of these formats")
        root = int.from_bytes(data[8 * slot:8 * slot + 8], "little")
        if root == 2**64 - 1 and not slot: root = int.from_bytes(data[-16:-8], "little")  # R10.8
        top = self.node(root).ints() if root else [0, 0, 0]  # [70]
        self.end = untag(top[2])
        names, refs = (strings(self.node(top[0])), self.node(top[1]).ints()) if root else ([], [])
        self.tables = [Table(self, name, ref) for name, ref in zip(names, refs) if ref and not ref & 1]

    def node(self, ref): return Node(self, ref)
    def name(self, key): return next(table.name for table in self.tables if table.key == key)
    def link(self, table, key): return ["l", self.name(table), key] if key >= 0 else None  # null if unresolved

    def tree(self, ref, leaf):  # [40] B+tree
        if not ref: return []
        node = self.node(ref)
        return [v for child in node.ints()[1:-1] for v in self.tree(child, leaf)] if node.inner else leaf(node)

    def dictionary(self, ref):  # [40]
        if not ref: return ["D", []]
        node = self.node(ref)
        is_pair = node.count == 2 and not node.inner  # R90.1
        pairs = [node.ints()] if is_pair else [slots[1:3] for _, slots in self.clusters(ref)]
        return ["D", [[text(k), v] for a, b in pairs for k, v in zip(self.tree(a, strings), self.tree(b, mixed))]]

    def clusters(self, ref, offset=0):  # [50] the keys of the objects and the slots of each leaf
        node, slots = self.node(ref), self.node(ref).ints()
        keys = self.node(slots[0]).ints(signed=False) if slots[0] and not slots[0] & 1 else None
        if not node.inner: yield [offset + k for k in (range(untag(slots[0])) if keys is None else keys)], slots
        for i, child in enumerate(slots[3:] if node.inner else []):
            yield from self.clusters(child, offset + (keys[i] if keys else i << 8 * untag(slots[1])))


class Table:  # [60]
    def __init__(self, file, name, ref):
        top = file.node(ref).ints()
        self.file, self.name, self.root, self.key = file, name.decode(), top[2], untag(top[3])
        opposite = file.node(top[7]).ints()
        _, names, _, _, lists, keys = file.node(top[0]).nodes()
        lists = lists.nodes() if lists else [None] * names.count
        self.columns = [Column(file, *c, opposite) for c in zip(strings(names), keys.ints(), lists)]

    def objects(self):
        for keys, slots in self.file.clusters(self.root):
            values = {c.name: c.values(self.file.node(slots[c.index + 1])) for c in self.columns}
            for i, key in enumerate(keys): yield key, {name: column[i] for name, column in values.items()}


class Column:  # [60] column key
    def __init__(self, file, name, key, distinct, opposite):
        self.file, self.name, self.index, self.type = file, name.decode(), key & 0xffff, key >> 16 & 63
        self.nullable, self.collection, self.target = key >> 26 & 1, key >> 27 & 7, opposite[self.index]
        self.distinct = distinct and strings(distinct)

    def values(self, node):  # of a cluster: one an object
        if not self.collection: return self.leaf(node)
        if self.collection == 2: return [self.file.dictionary(ref) for ref in node.ints()]
        return [["L" if self.collection == 1 else "S", self.file.tree(ref, self.leaf)] for ref in node.ints()]

    def leaf(self, node):
        if self.type == 0: return [integer(v) for v in (nullable(node) if self.nullable else node.ints())]
        if self.type == 1: return [None if v == 3 else ["t", v == 1] for v in node.ints()]
        if self.type == 2: return [text(b) for b in strings(node, self.distinct)]
        if self.type == 4: return [binary(b) for b in strings(node, end=0)]
        if self.type == 6: return mixed(node)
        if self.type == 8: return [timestamp(*t) for t in zip(nullable(node.nodes()[0]), node.nodes()[1].ints())]
        if self.type == 9: return numbers(node, "f", bytes.fromhex("aa00c07f"))
        if self.type == 10: return numbers(node, "d", bytes.fromhex("aa0000000000f87f"))
        if self.type == 11: return decimals(node)
        if self.type in (15, 17): return blocks(node, 12, object_id) if self.type == 15 else blocks(node, 16, uuid_)
        if self.collection: return [self.link(key) for key in node.ints()]
        return [None if key == 0 else self.link(key - 1) for key in node.ints()]

    def link(self, key):
        if key >= 0: return self.file.link(self.target, key)
        return ["u", self.file.name(self.target), key] if self.collection else ["u"]


if __name__ == "__main__":
    with open(sys.argv[1], "rb") as realm:
        for table in File(realm.read()).tables:
            for key, values in table.objects(): print(json.dumps({"t": table.name, "k": key, "v": values}))
