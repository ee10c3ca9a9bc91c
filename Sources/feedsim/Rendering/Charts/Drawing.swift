/// A picture in SVG that is filled element by element; y grows downwards.
///
/// Colours are classes, so that the page or the file around it decides how they look in the light
/// and in the dark.
struct Drawing {
  enum Anchor: String {
    case start, middle, end
  }

  let width: Double
  var height: Double
  private var content = ""

  init(width: Double, height: Double) {
    self.width = width
    self.height = height
  }

  /// A rectangle; `title` is what a pointer resting on it shows.
  mutating func rectangle(
    x: Double, y: Double, width: Double, height: Double, style: String, title: String = ""
  ) {
    content +=
      "<rect x=\"\(x.coordinate)\" y=\"\(y.coordinate)\" width=\"\(width.coordinate)\" "
      + "height=\"\(height.coordinate)\" class=\"\(style)\"\(Drawing.closing("rect", title))\n"
  }

  mutating func line(from: (Double, Double), to: (Double, Double), style: String) {
    content +=
      "<line x1=\"\(from.0.coordinate)\" y1=\"\(from.1.coordinate)\" x2=\"\(to.0.coordinate)\" "
      + "y2=\"\(to.1.coordinate)\" class=\"\(style)\"/>\n"
  }

  mutating func path(through points: [(Double, Double)], style: String, title: String = "") {
    let text = points.map { "\($0.0.coordinate),\($0.1.coordinate)" }.joined(separator: " ")
    content +=
      "<polyline points=\"\(text)\" class=\"\(style)\"\(Drawing.closing("polyline", title))\n"
  }

  mutating func text(
    _ text: String, x: Double, y: Double, anchor: Anchor = .start, style: String = ""
  ) {
    let styles = style.isEmpty ? "" : " class=\"\(style)\""
    content +=
      "<text x=\"\(x.coordinate)\" y=\"\(y.coordinate)\" text-anchor=\"\(anchor.rawValue)\"\(styles)"
      + ">\(text.markedUp)</text>\n"
  }

  /// The picture as an element; `id` names it and must be unique in a page.
  func element(id: String, title: String, description: String, style: String = "") -> String {
    """
    <svg xmlns="http://www.w3.org/2000/svg" id="\(id)" width="\(width.coordinate)" \
    height="\(height.coordinate)" viewBox="0 0 \(width.coordinate) \(height.coordinate)" \
    role="img" aria-labelledby="\(id)-title" aria-describedby="\(id)-description">
    <title id="\(id)-title">\(title.markedUp)</title>
    <desc id="\(id)-description">\(description.markedUp)</desc>
    \(style.isEmpty ? "" : "<style>\n\(style)</style>\n")\(content)</svg>

    """
  }

  private static func closing(_ name: String, _ title: String) -> String {
    title.isEmpty ? "/>" : "><title>\(title.markedUp)</title></\(name)>"
  }
}

extension Double {
  /// To a tenth of a pixel.
  fileprivate var coordinate: String {
    let tenths = Int((self * 10).rounded())
    return tenths.isMultiple(of: 10) ? "\(tenths / 10)" : "\(Double(tenths) / 10)"
  }
}

extension String {
  /// With what means something in HTML and SVG replaced.
  var markedUp: String {
    var text = ""
    for character in self {
      switch character {
      case "&": text += "&amp;"
      case "<": text += "&lt;"
      case ">": text += "&gt;"
      case "\"": text += "&quot;"
      default: text.append(character)
      }
    }
    return text
  }

  /// About as wide as it will be drawn; fonts differ, so it is an upper estimate.
  func width(atSize size: Double) -> Double { Double(count) * size * 0.58 }
}
