meta:
  id: realm
  title: Realm database file
  file-extension: realm
  license: Apache-2.0
  endian: le
doc: |
  Header, nodes and records of a plain (not encrypted) Realm file. The specification beside this file has the
  meaning of each: chapter 10 the header, 20 the nodes, 30 the leaves, 40 trees, 50 clusters, 60 tables, 70 the group.

  What a node is follows from the path to it, so the records below are views of a node at a given ref: `group`
  leads to the group top, its `table_records` to the tables, and so on. The elements of any node with refs lead on by
  `node`. Records check nothing; a reader of damaged files has to (Spec 20).
doc-ref: Spec/README.md
seq:
  - id: header
    type: header
instances:
  footer:
    pos: _io.size - 16
    type: footer
    if: header.is_streaming
  root_ref:
    value: 'header.is_streaming ? footer.root : header.top_refs[header.slot]'
    doc: Where the group top is; 0 for a file without tables.
  group:
    type: group_top(root_ref)
    if: root_ref != 0
types:
  header:
    doc: The first 24 bytes (Spec 10).
    seq:
      - id: top_refs
        type: u8
        repeat: expr
        repeat-expr: 2
      - id: mnemonic
        contents: 'T-DB'
      - id: formats
        type: u1
        repeat: expr
        repeat-expr: 2
      - id: reserved
        type: u1
      - id: flags
        type: u1
    instances:
      slot:
        value: flags & 1
        doc: The number of the current slot.
      format:
        value: formats[slot]
      is_streaming:
        value: slot == 0 and top_refs[0] == 0xffffffffffffffff
  footer:
    doc: The last 16 bytes of a file in streaming form (Spec 10).
    seq:
      - id: root
        type: u8
      - id: cookie
        contents: [0xc8, 0x26, 0xe5, 0x37, 0x52, 0x12, 0x34, 0x30]
  node:
    doc: The node at `ref` (Spec 20).
    params:
      - id: ref
        type: s8
    seq:
      - id: marker
        size: 4
        doc: Mostly AAAA; means nothing.
      - id: flags
        type: u1
      - id: count_bytes
        type: u1
        repeat: expr
        repeat-expr: 3
      - id: payload
        size: payload_size
    instances:
      is_inner:
        value: (flags & 0x80) != 0
      has_refs:
        value: (flags & 0x40) != 0
      is_context:
        value: (flags & 0x20) != 0
      width_type:
        value: (flags & 0x18) >> 3
        enum: width_type
      width:
        value: (1 << (flags & 0x07)) >> 1
        doc: Bits of an element, or bytes where the width type is multiply.
      count:
        value: (count_bytes[0] << 16) | (count_bytes[1] << 8) | count_bytes[2]
      payload_size:
        value: 'width_type == width_type::bits ? (count * width + 7) / 8 : (width_type == width_type::multiply ? count * width : count)'
      elements:
        type: element(ref, _index, width, has_refs)
        repeat: expr
        repeat-expr: count
        if: width_type == width_type::bits
      fields:
        type: field(ref + 8 + _index * width, width)
        repeat: expr
        repeat-expr: count
        if: width_type == width_type::multiply and width > 0
  element:
    doc: One element of a node of width type bits; in a node with refs it may lead to another node.
    params:
      - id: node_ref
        type: s8
      - id: index
        type: s4
      - id: width
        type: s4
      - id: has_refs
        type: bool
    instances:
      narrow:
        io: _root._io
        pos: node_ref + 8 + (index * width) / 8
        type: u1
        if: width > 0 and width < 8
      wide:
        io: _root._io
        pos: node_ref + 8 + (index * width) / 8
        type:
          switch-on: width
          cases:
            8: s1
            16: s2
            32: s4
            64: s8
        if: width >= 8
      value:
        value: 'width == 0 ? 0 : (width < 8 ? (narrow >> ((index * width) % 8)) & ((1 << width) - 1) : wide)'
        doc: Signed from 8 bits on. Keys of objects and offsets of children are unsigned (R20.8).
      is_tagged:
        value: has_refs and (value & 1) == 1
      tagged:
        value: (value >> 1) & 0x7fffffffffffffff
        if: is_tagged
      node:
        io: _root._io
        pos: value
        type: node(value)
        if: has_refs and value != 0 and not is_tagged
  field:
    doc: A field of a leaf of short strings (Spec 30); of other leaves of width type multiply only `bytes` has a meaning.
    params:
      - id: offset
        type: s8
      - id: width
        type: s4
    instances:
      bytes:
        io: _root._io
        pos: offset
        size: width
      unused:
        io: _root._io
        pos: offset + width - 1
        type: u1
      is_null:
        value: unused == width
      text:
        io: _root._io
        pos: offset
        size: width - 1 - unused
        if: not is_null
  group_top:
    doc: The root of a snapshot (Spec 70).
    params:
      - id: ref
        type: s8
    instances:
      node:
        io: _root._io
        pos: ref
        type: node(ref)
      table_names:
        value: node.elements[0]
        if: node.count > 0
      tables:
        value: node.elements[1]
        if: node.count > 1
      logical_file_size:
        value: node.elements[2]
        if: node.count > 2
      free_positions:
        value: node.elements[3]
        if: node.count > 3
      free_lengths:
        value: node.elements[4]
        if: node.count > 4
      free_versions:
        value: node.elements[5]
        if: node.count > 5
      version:
        value: node.elements[6]
        if: node.count > 6
      history_type:
        value: node.elements[7]
        if: node.count > 7
      history:
        value: node.elements[8]
        if: node.count > 8
      history_schema_version:
        value: node.elements[9]
        if: node.count > 9
      sync_file_identifier:
        value: node.elements[10]
        if: node.count > 10
      evacuation_point:
        value: node.elements[11]
        if: node.count > 11
      table_records:
        type: table_top(tables.node.elements[_index].value)
        repeat: expr
        repeat-expr: tables.node.count
        doc: One a table slot. Of a deleted table, whose ref is odd or 0, nothing can be read.
  table_top:
    doc: The root of a table of the formats 10 to 24 (Spec 60).
    params:
      - id: ref
        type: s8
    instances:
      node:
        io: _root._io
        pos: ref
        type: node(ref)
        if: ref != 0 and (ref & 1) == 0
      spec:
        value: node.elements[0]
        if: node.count > 0
      columns:
        value: node.elements[1]
        if: node.count > 1
      cluster_tree:
        value: node.elements[2]
        if: node.count > 2
      table_key:
        value: node.elements[3]
        if: node.count > 3
      search_indexes:
        value: node.elements[4]
        if: node.count > 4
      column_key_sequence:
        value: node.elements[5]
        if: node.count > 5
      content_version:
        value: node.elements[6]
        if: node.count > 6
      opposite_tables:
        value: node.elements[7]
        if: node.count > 7
      opposite_columns:
        value: node.elements[8]
        if: node.count > 8
      sequence_number:
        value: node.elements[9]
        if: node.count > 9
      collision_map:
        value: node.elements[10]
        if: node.count > 10
      primary_key_column:
        value: node.elements[11]
        if: node.count > 11
      flags:
        value: node.elements[12]
        if: node.count > 12
      tombstones:
        value: node.elements[13]
        if: node.count > 13
      spec_record:
        type: spec(spec.value)
      kind:
        value: '(flags.value >> 1) & 3'
        enum: table_kind
        if: node.count > 12
  spec:
    doc: The columns of a table (Spec 60).
    params:
      - id: ref
        type: s8
    instances:
      node:
        io: _root._io
        pos: ref
        type: node(ref)
      types:
        value: node.elements[0]
        if: node.count > 0
      names:
        value: node.elements[1]
        if: node.count > 1
      attributes:
        value: node.elements[2]
        if: node.count > 2
      vacant:
        value: node.elements[3]
        if: node.count > 3
      enum_keys:
        value: node.elements[4]
        if: node.count > 4
      column_keys:
        value: node.elements[5]
        if: node.count > 5
      keys:
        type: column_key(column_keys.node.elements[_index].value)
        repeat: expr
        repeat-expr: column_keys.node.count
  column_key:
    doc: What names a column for its life, and says where it is stored and as what (Spec 60).
    params:
      - id: value
        type: s8
    instances:
      index:
        value: (value >> 0) & 0xffff
      type:
        value: (value >> 16) & 0x3f
        enum: column_type
      attributes:
        value: (value >> 22) & 0xff
      tag:
        value: (value >> 30) & 0xffffffff
  cluster_inner:
    doc: An inner node of a cluster tree (Spec 50).
    params:
      - id: ref
        type: s8
    instances:
      node:
        io: _root._io
        pos: ref
        type: node(ref)
      key_offsets:
        value: node.elements[0]
        if: node.count > 0
      depth:
        value: node.elements[1]
        if: node.count > 1
      object_count:
        value: node.elements[2]
        if: node.count > 2
      first_child:
        value: node.elements[3]
        if: node.count > 3
  mixed_leaf:
    doc: A leaf of Mixed values (Spec 30).
    params:
      - id: ref
        type: s8
    instances:
      node:
        io: _root._io
        pos: ref
        type: node(ref)
      composites:
        value: node.elements[0]
        if: node.count > 0
      integers:
        value: node.elements[1]
        if: node.count > 1
      pairs:
        value: node.elements[2]
        if: node.count > 2
      strings:
        value: node.elements[3]
        if: node.count > 3
      collections:
        value: node.elements[4]
        if: node.count > 4
      collection_keys:
        value: node.elements[5]
        if: node.count > 5
      values:
        type: composite(composites.node.elements[_index].value)
        repeat: expr
        repeat-expr: composites.node.count
  composite:
    doc: One value of a Mixed leaf; 0 is null (Spec 30).
    params:
      - id: value
        type: s8
    instances:
      type:
        value: (value & 0x1f) - 1
        enum: column_type
        if: value != 0
      slot:
        value: (value >> 5) & 7
        doc: The slot of the payload; 0 where the value is inline.
      payload:
        value: value >> 8
        doc: The inline value, or the index into the payload.
  legacy_table_top:
    doc: The root of a table of the formats 2 to 9 (Spec 100).
    params:
      - id: ref
        type: s8
    instances:
      node:
        io: _root._io
        pos: ref
        type: node(ref)
      spec:
        value: node.elements[0]
        if: node.count > 0
      columns:
        value: node.elements[1]
        if: node.count > 1
  legacy_spec:
    doc: The columns of a table of the formats 2 to 9 (Spec 100).
    params:
      - id: ref
        type: s8
    instances:
      node:
        io: _root._io
        pos: ref
        type: node(ref)
      types:
        value: node.elements[0]
        if: node.count > 0
      names:
        value: node.elements[1]
        if: node.count > 1
      attributes:
        value: node.elements[2]
        if: node.count > 2
      subspecs:
        value: node.elements[3]
        if: node.count > 3
      enum_keys:
        value: node.elements[4]
        if: node.count > 4
  legacy_timestamps:
    doc: A column of timestamps of the formats 5 to 9 (Spec 110).
    params:
      - id: ref
        type: s8
    instances:
      node:
        io: _root._io
        pos: ref
        type: node(ref)
      seconds:
        value: node.elements[0]
        if: node.count > 0
      nanoseconds:
        value: node.elements[1]
        if: node.count > 1
  legacy_mixed:
    doc: An old Mixed column (Spec 110).
    params:
      - id: ref
        type: s8
    instances:
      node:
        io: _root._io
        pos: ref
        type: node(ref)
      types:
        value: node.elements[0]
        if: node.count > 0
      data:
        value: node.elements[1]
        if: node.count > 1
      binaries:
        value: node.elements[2]
        if: node.count > 2
      timestamps:
        value: node.elements[3]
        if: node.count > 3
enums:
  width_type:
    0: bits
    1: multiply
    2: ignore
  table_kind:
    0: top_level
    1: embedded
    2: asymmetric
  history_type:
    0: none
    1: out_of_realm
    2: in_realm
    3: sync_client
    4: sync_server
  column_type:
    0: int
    1: bool
    2: string
    4: binary
    6: mixed
    8: timestamp
    9: float
    10: double
    11: decimal128
    12: link
    13: link_list
    14: back_link
    15: object_id
    16: typed_link
    17: uuid
    19: list
    20: set
    21: dictionary
  column_attribute:
    1: indexed
    2: unique
    4: reserved
    8: strong_links
    16: nullable
    32: list
    64: dictionary
    128: set
    256: full_text
  legacy_column_type:
    0: int
    1: bool
    2: string
    3: enumerated_string
    4: binary
    5: subtable
    6: mixed
    7: old_date_time
    8: timestamp
    9: float
    10: double
    12: link
    13: link_list
    14: back_link
  legacy_mixed_type:
    0: int
    1: bool
    2: string
    4: binary
    5: subtable
    7: old_date_time
    8: timestamp
    9: float
    10: double
    11: negative_double
    12: negative_int
