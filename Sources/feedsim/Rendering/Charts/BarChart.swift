/// Bars from zero to the right, each of parts that lie end to end.
struct BarChart {
  struct Part: Sendable {
    let name: String
    let value: Int
    /// Which of the chart's colours it has.
    let colour: Int
  }

  struct Bar: Sendable {
    let name: String
    let parts: [Part]

    var total: Int { parts.reduce(0) { $0 + $1.value } }
  }

  let bars: [Bar]
  /// What the values count.
  let unit: String

  private static let nameSize = 13.0
  private static let smallSize = 11.0

  func drawing(width: Double) -> Drawing {
    let isNarrow = width < 500
    let legend = legendLines(width: width)
    let longest = bars.map { $0.name.width(atSize: Self.nameSize) }.max() ?? 0
    let left = isNarrow ? 4.0 : longest + 12
    let right = (bars.map(\.total.grouped.count).max() ?? 0)
    let plot = width - left - Double(right) * 8 - 14
    let rowHeight = isNarrow ? 40.0 : 30.0
    let top = Double(legend.count) * 20 + 8
    let bottom = top + rowHeight * Double(bars.count)
    var drawing = Drawing(width: width, height: bottom + 42)
    draw(legend, in: &drawing)
    let scale = AxisScale(upTo: bars.map(\.total).max() ?? 0, ticks: isNarrow ? 3 : 6)
    for tick in scale.ticks {
      let x = left + scale.position(of: tick, along: plot)
      drawing.line(from: (x, top), to: (x, bottom), style: tick == 0 ? "axis" : "grid")
      drawing.text(
        tick.grouped, x: x, y: bottom + 16, anchor: tick == 0 && isNarrow ? .start : .middle,
        style: "small quiet")
    }
    drawing.text(unit, x: left + plot / 2, y: bottom + 34, anchor: .middle, style: "small quiet")
    for (index, bar) in bars.enumerated() {
      let y = top + rowHeight * Double(index)
      drawing.text(
        bar.name, x: isNarrow ? left + 2 : left - 8, y: y + (isNarrow ? 13 : 20),
        anchor: isNarrow ? .start : .end)
      draw(bar, at: (left, y + (isNarrow ? 18 : 6)), height: 19, scale, plot, in: &drawing)
    }
    return drawing
  }

  private func draw(
    _ bar: Bar, at origin: (x: Double, y: Double), height: Double, _ scale: AxisScale,
    _ plot: Double, in drawing: inout Drawing
  ) {
    var sum = 0
    for part in bar.parts where part.value > 0 {
      let start = origin.x + scale.position(of: sum, along: plot)
      sum += part.value
      let length = origin.x + scale.position(of: sum, along: plot) - start
      drawing.rectangle(
        x: start, y: origin.y, width: max(length, 0.5), height: height,
        style: ChartStyle.area(part.colour),
        title: "\(bar.name): \(part.value.grouped) \(part.name)")
      let label = part.value.grouped
      if bar.parts.count(where: { $0.value > 0 }) > 1,
        length > label.width(atSize: Self.smallSize) + 8
      {
        drawing.text(
          label, x: start + length / 2, y: origin.y + height - 5.5, anchor: .middle,
          style: "small inside")
      }
    }
    drawing.text(
      sum.grouped, x: origin.x + scale.position(of: sum, along: plot) + 6,
      y: origin.y + height - 5, style: "strong")
  }

  // MARK: The legend

  private struct Entry {
    let name: String
    let colour: Int
    let x: Double
  }

  /// The parts that occur, broken into lines.
  private func legendLines(width: Double) -> [[Entry]] {
    var lines: [[Entry]] = [[]]
    var x = 4.0
    var seen: Set<String> = []
    for part in bars.flatMap(\.parts) where part.value > 0 && seen.insert(part.name).inserted {
      let needed = 18 + part.name.width(atSize: Self.nameSize) + 12
      if x > 4, x + needed > width {
        lines.append([])
        x = 4
      }
      lines[lines.count - 1].append(Entry(name: part.name, colour: part.colour, x: x))
      x += needed
    }
    return lines
  }

  private func draw(_ lines: [[Entry]], in drawing: inout Drawing) {
    for (index, line) in lines.enumerated() {
      let y = Double(index) * 20 + 4
      for entry in line {
        drawing.rectangle(
          x: entry.x, y: y, width: 12, height: 12, style: ChartStyle.area(entry.colour))
        drawing.text(entry.name, x: entry.x + 18, y: y + 11)
      }
    }
  }
}
