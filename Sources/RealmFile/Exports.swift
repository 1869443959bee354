// The public library: re-exports the modules below.

@_exported public import RealmCore
@_exported public import RealmLayout
@_exported public import RealmQuery
@_exported public import RealmStorage
@_exported public import RealmStore
