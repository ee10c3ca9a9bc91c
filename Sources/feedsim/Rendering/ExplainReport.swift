import FeedStore

/// An explanation, in the words of Query Explain.
struct ExplainReport {
  let metrics: ExplainMetrics

  func table(on terminal: Terminal) -> String {
    let plan = metrics.planSummary
    var text = section("Plan", plan.indexesUsed.map { ("index used", words($0)) }, terminal)
    text += line("index entries at most", plan.indexEntriesAtMost.grouped)
    if let stats = metrics.executionStats {
      let billing = stats.billingDetails
      text +=
        "\n"
        + section(
          "Execution",
          [
            ("results returned", stats.resultsReturned.grouped),
            ("read operations", stats.readOperations.grouped),
            ("documents scanned", stats.documentsScanned.grouped),
            ("index entries scanned", stats.indexEntriesScanned.grouped),
            ("documents billable", billing.documentsBillable.grouped),
            ("index entries billable", billing.indexEntriesBillable.grouped),
            ("minimum query cost", billing.minimumQueryCost.grouped),
            ("duration here", stats.executionDuration.milliseconds(places: 3) + " ms"),
          ], terminal)
    }
    text += "\nBilled: \(metrics.billedReads)\n"
    if !plan.missingIndexes.isEmpty {
      text += "\nProduction needs an index for this query that is not automatic:\n"
      text += plan.missingIndexes.json
    }
    return text
  }

  private func words(_ index: ExplainMetrics.Index) -> String {
    "\(index.queryScope) \(index.properties)"
  }

  private func section(
    _ title: String, _ lines: [(String, String)], _ terminal: Terminal
  ) -> String {
    terminal.styled(title, .bold) + "\n" + lines.map(line).joined()
  }

  private func line(_ name: String, _ value: String) -> String {
    "  \(name)\(String(repeating: " ", count: max(1, 24 - name.count)))\(value)\n"
  }

  /// With the names that Query Explain has in its JSON.
  var json: JSONText {
    let plan = metrics.planSummary
    var members: [(String, JSONText)] = [
      (
        "planSummary",
        .object([
          (
            "indexesUsed",
            .array(
              plan.indexesUsed.map {
                .object([
                  ("query_scope", .text($0.queryScope)), ("properties", .text($0.properties)),
                ])
              })
          ),
          ("indexEntriesAtMost", .integer(plan.indexEntriesAtMost)),
        ])
      )
    ]
    if let stats = metrics.executionStats { members.append(("executionStats", json(stats))) }
    members.append(("readsBilled", .integer(metrics.billedReads.total)))
    members.append(("missingIndexes", plan.missingIndexes.jsonText))
    return .object(members)
  }

  private func json(_ stats: ExplainMetrics.ExecutionStats) -> JSONText {
    let billing = stats.billingDetails
    func text(_ count: Int) -> JSONText { .text(String(count)) }
    return .object([
      ("resultsReturned", text(stats.resultsReturned)),
      ("executionDuration", .text("\(seconds(stats.executionDuration))s")),
      ("readOperations", text(stats.readOperations)),
      (
        "debugStats",
        .object([
          ("documents_scanned", text(stats.documentsScanned)),
          ("index_entries_scanned", text(stats.indexEntriesScanned)),
          (
            "billing_details",
            .object([
              ("documents_billable", text(billing.documentsBillable)),
              ("index_entries_billable", text(billing.indexEntriesBillable)),
              ("min_query_cost", text(billing.minimumQueryCost)),
            ])
          ),
        ])
      ),
    ])
  }

  private func seconds(_ duration: Duration) -> String {
    let microseconds = duration.components.attoseconds / 1_000_000_000_000
    let digits = String(microseconds)
    return "\(duration.components.seconds)."
      + String(repeating: "0", count: 6 - digits.count) + digits
  }

  var csv: CSV {
    let plan = metrics.planSummary
    var rows = plan.indexesUsed.map { ["index_used", words($0)] }
    rows.append(["index_entries_at_most", String(plan.indexEntriesAtMost)])
    if let stats = metrics.executionStats {
      let billing = stats.billingDetails
      rows += [
        ("results_returned", stats.resultsReturned), ("read_operations", stats.readOperations),
        ("documents_scanned", stats.documentsScanned),
        ("index_entries_scanned", stats.indexEntriesScanned),
        ("documents_billable", billing.documentsBillable),
        ("index_entries_billable", billing.indexEntriesBillable),
        ("min_query_cost", billing.minimumQueryCost),
      ].map { [$0.0, String($0.1)] }
    }
    rows.append(["reads_billed", String(metrics.billedReads.total)])
    return CSV(header: ["name", "value"], rows: rows)
  }
}
