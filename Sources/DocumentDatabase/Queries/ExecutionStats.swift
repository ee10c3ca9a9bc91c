/// What running a query touched, in the terms of Query Explain. Counts only: what they cost is not
/// this module's to know.
///
/// Source: https://firebase.google.com/docs/firestore/query-explain
package struct ExecutionStats: Hashable, Sendable {
  package var resultsReturned = 0
  /// Results passed over by the query's offset.
  package var resultsSkipped = 0
  /// Index entries visited, results, skipped and rejected ones alike.
  package var indexEntriesScanned = 0
  /// Documents read to return them or to test them against a filter.
  package var documentsScanned = 0
  /// Distinct fields with a range or inequality filter, as the price list counts them.
  package var rangeFields = 0

  package init() {}
}
