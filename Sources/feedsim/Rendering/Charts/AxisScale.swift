/// An axis that starts at zero and ends at a round number.
struct AxisScale {
  let maximum: Int
  let step: Int

  /// An axis for values up to `largest` with about `ticks` parts of 1, 2 or 5 times a power of ten.
  init(upTo largest: Int, ticks: Int) {
    let largest = max(1, largest)
    var step = 1
    var factors = [2, 5, 10].makeIterator()
    var decade = 1
    while step * ticks < largest {
      if let factor = factors.next() {
        step = decade * factor
      } else {
        decade *= 10
        factors = [2, 5, 10].makeIterator()
      }
    }
    self.step = step
    maximum = (largest + step - 1) / step * step
  }

  var ticks: [Int] { Array(stride(from: 0, through: maximum, by: step)) }

  /// Where `value` lies on a line of `length`.
  func position(of value: Int, along length: Double) -> Double {
    Double(value) / Double(maximum) * length
  }
}
