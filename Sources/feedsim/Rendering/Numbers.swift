import Foundation

extension Int {
  /// The digits in groups of three: 98,322.
  var grouped: String { (self < 0 ? "-" : "") + String(magnitude).inGroupsOfThree }
}

extension StringProtocol {
  /// A whole number's digits in groups of three.
  fileprivate var inGroupsOfThree: String {
    var text = ""
    for (index, digit) in enumerated() {
      if index > 0, (count - index).isMultiple(of: 3) { text += "," }
      text.append(digit)
    }
    return text
  }
}

extension Decimal {
  /// Rounded half up to `places`, all of them shown, the whole part in groups of three.
  func grouped(places: Int) -> String {
    let rule = NSDecimalNumberHandler(
      roundingMode: .plain, scale: Int16(places), raiseOnExactness: false,
      raiseOnOverflow: false, raiseOnUnderflow: false, raiseOnDivideByZero: false)
    let rounded = NSDecimalNumber(decimal: self).rounding(accordingToBehavior: rule).decimalValue
    let parts = rounded.magnitude.description.split(separator: ".")
    let sign = rounded < 0 ? "-" : ""
    let whole = sign + parts[0].inGroupsOfThree
    guard places > 0 else { return whole }
    let fraction = parts.count > 1 ? String(parts[1]) : ""
    return "\(whole)." + fraction + String(repeating: "0", count: max(0, places - fraction.count))
  }
}

extension Duration {
  /// Whole microseconds, in groups of three.
  var microseconds: String {
    Int(components.seconds * 1_000_000 + components.attoseconds / 1_000_000_000_000).grouped
  }

  /// Milliseconds with `places` digits after the point.
  func milliseconds(places: Int) -> String {
    let microseconds = components.seconds * 1_000_000 + components.attoseconds / 1_000_000_000_000
    return (Decimal(microseconds) / 1000).grouped(places: places)
  }
}
