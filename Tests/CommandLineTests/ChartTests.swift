import Foundation
import Testing

@testable import feedsim

@Suite struct ChartTests {
  @Test(arguments: [0, 1, 7, 988, 1000, 1001, 33_164, 2_000_000_000])
  func `an axis starts at zero, holds the largest value and wastes less than half`(largest: Int) {
    for ticks in [3, 5, 7] {
      let scale = AxisScale(upTo: largest, ticks: ticks)
      #expect(scale.ticks.first == 0)
      #expect(scale.ticks.last == scale.maximum)
      #expect(scale.maximum >= largest)
      #expect(scale.maximum - largest < max(2, scale.step + 1))
      #expect((2...ticks + 1).contains(scale.ticks.count))
      #expect(scale.position(of: 0, along: 100) == 0)
      #expect(scale.position(of: scale.maximum, along: 100) == 100)
    }
  }

  @Test func `what a document is called cannot become markup`() {
    let chart = Chart(
      id: "x", title: "<b>", description: "\"&\"",
      table: FigureTable(header: ["a", "<i>"], rows: [["</td>x", "1"]])
    ) { BarChart(bars: [.init(name: "<s>", parts: [])], unit: "&").drawing(width: $0) }
    for piece in ["<b>", "\"&\"", "<i>", "</td>x", "<s>"] {
      #expect(!chart.figure.contains(piece), "\(piece)")
    }
  }

  @Test func `a bar's parts are drawn to scale, one after the other`() {
    let bar = BarChart.Bar(
      name: "x",
      parts: [
        .init(name: "a", value: 25, colour: 0), .init(name: "b", value: 75, colour: 1),
      ])
    let svg = BarChart(bars: [bar], unit: "reads").drawing(width: 720)
      .element(id: "x", title: "x", description: "x")
    // After the two squares of the legend.
    let bars = svg.matches(of: /<rect x="([0-9.]+)" y="[0-9.]+" width="([0-9.]+)"/).suffix(2)
      .compactMap { match in
        Double(match.output.1).flatMap { x in Double(match.output.2).map { (x, $0) } }
      }
    #expect(bars.count == 2)
    #expect(abs(bars[0].0 + bars[0].1 - bars[1].0) <= 0.15)
    #expect(abs(bars[0].1 * 3 - bars[1].1) <= 0.3)
  }
}
