/// The place of a node in a commit, as far as it determines the purpose of the nodes below it. Tables are numbered as
/// in the `SurveyPlan`.
enum NodePlace {
    /// A node of one purpose, with all nodes below it.
    case purpose(Int)
    case root
    case tables
    case tableTop(Int)
    case spec(Int)
    /// The lists of distinct strings of enumerated columns.
    case distinctStrings(Int)
    /// The search indexes of the columns.
    case searchIndexes(Int)
    /// A node of the tree of objects that has not been looked at.
    case objects(Int)
    case innerCluster(Int)
    case cluster(Int)
    /// The columns of a table of formats 2 to 9.
    case legacyColumns(Int)
}
