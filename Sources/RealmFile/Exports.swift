// The public library: re-exports the modules below.

@_exported public import RealmContent
@_exported public import RealmLayout
@_exported public import RealmReader
@_exported public import RealmRescue
@_exported public import RealmStorage
@_exported public import RealmTransactions
@_exported public import RealmVerifier
@_exported public import RealmWriter
