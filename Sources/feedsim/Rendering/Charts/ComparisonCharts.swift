import FeedSimulation
import FeedStore

/// The pictures of a comparison: what was billed for what, how the bill grows with the depth
/// scrolled, and which rows a reader lost or saw again.
struct ComparisonCharts {
  let comparison: Comparison

  var all: [Chart] { [billByCause, costByDepth, rowsLostAndRepeated] }

  private static func colour(of strategy: PagingStrategy) -> Int {
    PagingStrategy.allCases.firstIndex(of: strategy) ?? 0
  }

  // MARK: The bill

  var billByCause: Chart {
    let results = comparison.results
    let causes = ReadCause.allCases.filter { cause in results.contains { $0.reads[cause] > 0 } }
    let bars = results.map { result in
      BarChart.Bar(
        name: result.strategy.rawValue,
        parts: causes.enumerated().map { place, cause in
          .init(name: cause.rawValue, value: result.reads[cause], colour: place)
        })
    }
    let description =
      "Reads billed for one scroll. "
      + results.map { result in
        let parts = result.reads.byCause.map { "\($0.reads.grouped) \($0.cause.rawValue)" }
        return "\(result.strategy.rawValue): \(result.reads.total.grouped)"
          + (parts.count > 1 ? " (\(parts.joined(separator: ", ")))" : "")
      }.joined(separator: "; ") + "."
    return Chart(
      id: "bill-by-cause", title: "The bill, by cause", description: description,
      table: FigureTable(
        header: ["strategy"] + causes.map(\.rawValue) + ["reads billed"],
        rows: results.map { result in
          [result.strategy.rawValue] + causes.map { result.reads[$0].grouped }
            + [result.reads.total.grouped]
        })
    ) { BarChart(bars: bars, unit: "reads billed").drawing(width: $0) }
  }

  // MARK: Depth

  var costByDepth: Chart {
    let lines = comparison.results.map { result in
      LineChart.Line(
        name: result.strategy.rawValue, values: comparison.readsByDepth(of: result),
        colour: Self.colour(of: result.strategy))
    }
    let depth = lines.map(\.values.count).max() ?? 0
    let description =
      "Reads billed by the time a reader has scrolled so many pages of "
      + "\(comparison.options.pageSize.grouped) rows. "
      + lines.compactMap { line in
        guard let last = line.values.last else { return nil }
        return "\(line.name) \(Self.growth(line.values)) "
          + "\(last.grouped) after \(line.values.count.grouped)"
      }.joined(separator: "; ") + "."
    let step = AxisScale(upTo: depth, ticks: 12).step
    let depths = Set(Array(stride(from: step, through: depth, by: step)) + [1, depth]).sorted()
    return Chart(
      id: "cost-by-depth", title: "Cost against depth scrolled", description: description,
      table: FigureTable(
        header: ["pages scrolled"] + lines.map(\.name),
        rows: depths.filter { $0 > 0 }.map { depth in
          [depth.grouped]
            + lines.map { $0.values.count >= depth ? $0.values[depth - 1].grouped : "at its end" }
        })
    ) { width in
      LineChart(lines: lines, xUnit: "pages scrolled", yUnit: "reads billed in all")
        .drawing(width: width)
    }
  }

  /// Whether the second half of a scroll costs what the first did.
  private static func growth(_ values: [Int]) -> String {
    guard values.count >= 4, let last = values.last, let first = values.first else {
      return "comes to"
    }
    if last == first { return "pays everything at the start:" }
    let half = values[values.count / 2 - 1]
    return last - half > half * 2 ? "grows with the square of the depth to" : "grows in a line to"
  }

  // MARK: Rows

  var rowsLostAndRepeated: Chart {
    let results = comparison.results
    let (lost, repeated) = ("never shown", "shown twice")
    let bars = results.map { result in
      BarChart.Bar(
        name: result.strategy.rawValue,
        parts: [
          .init(name: lost, value: result.scroll.rowsNeverShown, colour: 1),
          .init(name: repeated, value: result.scroll.duplicatesShown, colour: 0),
        ])
    }
    let faults = results.filter { !$0.isFaithful }.map { result in
      "\(result.strategy.rawValue) loses \(result.scroll.rowsNeverShown.grouped) and repeats "
        + "\(result.scroll.duplicatesShown.grouped)"
    }
    let description =
      "Rows that were due and never shown, and rows shown twice. "
      + (faults.isEmpty
        ? "No strategy lost or repeated a row."
        : "\(faults.joined(separator: "; ")); the others neither lose nor repeat a row.")
    return Chart(
      id: "rows-lost-and-repeated", title: "Rows lost and repeated", description: description,
      table: FigureTable(
        header: ["strategy", lost, repeated],
        rows: results.map {
          [
            $0.strategy.rawValue, $0.scroll.rowsNeverShown.grouped,
            $0.scroll.duplicatesShown.grouped,
          ]
        })
    ) { BarChart(bars: bars, unit: "rows").drawing(width: $0) }
  }
}
