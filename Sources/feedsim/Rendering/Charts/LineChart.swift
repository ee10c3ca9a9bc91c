/// Lines over a whole number, each with its name where it ends.
struct LineChart {
  struct Line: Sendable {
    let name: String
    /// The values at 1, 2, 3, …
    let values: [Int]
    let colour: Int
  }

  let lines: [Line]
  let xUnit: String
  let yUnit: String

  func drawing(width: Double) -> Drawing {
    let isNarrow = width < 500
    let size = isNarrow ? 11.0 : 13.0
    let longest = lines.map { label($0).width(atSize: size) }.max() ?? 0
    let right = longest * (isNarrow ? 0.92 : 0.95) + 24
    let yScale = AxisScale(upTo: lines.compactMap { $0.values.max() }.max() ?? 0, ticks: 5)
    let xScale = AxisScale(
      upTo: lines.map(\.values.count).max() ?? 0, ticks: isNarrow ? 4 : 7)
    let left = Double(yScale.maximum.grouped.count) * 6.8 + 10
    let frame = Frame(
      left: left, top: 28, width: width - left - right, height: isNarrow ? 250 : 300)
    var drawing = Drawing(width: width, height: frame.bottom + 42)
    drawAxes(xScale, yScale, frame, in: &drawing)
    let ends = lines.map { line -> (Double, Double) in
      let points = points(line, xScale, yScale, frame)
      drawing.path(
        through: points, style: ChartStyle.line(line.colour), title: label(line))
      return points.last ?? (frame.left, frame.bottom)
    }
    let places = spread(
      ends.map(\.1), by: size + 4, within: frame.top...frame.bottom)
    for (line, (end, y)) in zip(lines, zip(ends, places)) {
      let x = frame.right + 6
      drawing.line(from: end, to: (x + 2, y), style: "grid")
      drawing.rectangle(
        x: x + 2, y: y - 4, width: 8, height: 8, style: ChartStyle.area(line.colour))
      drawing.text(
        label(line), x: x + 14, y: y + size / 2 - 2, style: isNarrow ? "small" : "")
    }
    return drawing
  }

  private struct Frame {
    let left, top, width, height: Double
    var right: Double { left + width }
    var bottom: Double { top + height }
  }

  private func label(_ line: Line) -> String {
    "\(line.name) \(line.values.last.map(\.grouped) ?? "")"
  }

  private func points(
    _ line: Line, _ xScale: AxisScale, _ yScale: AxisScale, _ frame: Frame
  ) -> [(Double, Double)] {
    ([0] + line.values).enumerated().map { index, value in
      (
        frame.left + xScale.position(of: index, along: frame.width),
        frame.bottom - yScale.position(of: value, along: frame.height)
      )
    }
  }

  private func drawAxes(
    _ xScale: AxisScale, _ yScale: AxisScale, _ frame: Frame, in drawing: inout Drawing
  ) {
    for tick in yScale.ticks {
      let y = frame.bottom - yScale.position(of: tick, along: frame.height)
      drawing.line(
        from: (frame.left, y), to: (frame.right, y), style: tick == 0 ? "axis" : "grid")
      drawing.text(
        tick.grouped, x: frame.left - 6, y: y + 4, anchor: .end, style: "small quiet")
    }
    for tick in xScale.ticks {
      let x = frame.left + xScale.position(of: tick, along: frame.width)
      drawing.line(from: (x, frame.bottom), to: (x, frame.bottom + 4), style: "axis")
      drawing.text(
        tick.grouped, x: x, y: frame.bottom + 18, anchor: .middle, style: "small quiet")
    }
    drawing.text(yUnit, x: 2, y: 14, style: "small quiet")
    drawing.text(
      xUnit, x: frame.left + frame.width / 2, y: frame.bottom + 36, anchor: .middle,
      style: "small quiet")
  }

  /// Moves labels apart until `gap` lies between any two, and none leaves `range`.
  private func spread(
    _ wanted: [Double], by gap: Double, within range: ClosedRange<Double>
  ) -> [Double] {
    let order = wanted.indices.sorted { wanted[$0] > wanted[$1] }
    var places = wanted
    var lowest = range.upperBound
    for index in order {
      places[index] = min(wanted[index], lowest)
      lowest = places[index] - gap
    }
    var highest = range.lowerBound
    for index in order.reversed() {
      places[index] = max(places[index], highest)
      highest = places[index] + gap
    }
    return places
  }
}
