/// The colours of charts: told apart by people who do not see all colours, and by their labels.
///
/// The hues are those of Okabe and Ito, darkened for a light ground until each has a contrast of 3:1
/// with it. Source: https://jfly.uni-koeln.de/color/
enum ChartStyle {
  private static let light = [
    "#0072b2", "#c85200", "#00825f", "#a6477f", "#9a6a00", "#3d4a5c", "#2a8fc4", "#7a7a00",
  ]
  private static let dark = [
    "#4fb0ee", "#f5833d", "#2fc797", "#e08cbc", "#e3b341", "#b6c2d2", "#8fd3ff", "#d6d04a",
  ]
  private static let dashes = ["", "6 3", "2 3", "9 3 2 3"]

  /// The style of the n-th kind of thing, as a class for areas, lines and dashes.
  static func area(_ index: Int) -> String { "f\(index % light.count)" }
  static func line(_ index: Int) -> String {
    "s s\(index % light.count) d\(index % dashes.count)"
  }

  /// The values of the colours, for the light or for the dark.
  static func colours(isDark: Bool) -> String {
    let ground =
      isDark
      ? "--ground:#14181f;--ink:#eef1f5;--quiet:#aab4c2;--rule:#38414f;--card:#1c222c"
      : "--ground:#ffffff;--ink:#1b2330;--quiet:#546072;--rule:#d5dbe3;--card:#f4f6f9"
    return ground
      + (isDark ? dark : light).enumerated().map { ";--c\($0):\($1)" }.joined()
  }

  /// What the classes of a drawing mean.
  static let drawing: String = {
    var text = """
      svg{font:13px system-ui,-apple-system,"Segoe UI",Roboto,"DejaVu Sans",sans-serif}
      svg text{fill:var(--ink);font-variant-numeric:tabular-nums}
      svg .quiet{fill:var(--quiet)}
      svg .small{font-size:11px}
      svg .strong{font-weight:600}
      svg .inside{fill:var(--ground)}
      svg .grid{stroke:var(--rule);stroke-width:1}
      svg .axis{stroke:var(--quiet);stroke-width:1}
      svg .s{fill:none;stroke-width:2.25;stroke-linejoin:round;stroke-linecap:butt}

      """
    for index in light.indices {
      text += "svg .f\(index){fill:var(--c\(index))}\n"
      text += "svg .s\(index){stroke:var(--c\(index))}\n"
    }
    for (index, dash) in dashes.enumerated() where !dash.isEmpty {
      text += "svg .d\(index){stroke-dasharray:\(dash)}\n"
    }
    return text
  }()

  /// For a picture that stands alone.
  static let standalone = """
    svg{\(colours(isDark: false));background:var(--ground)}
    @media (prefers-color-scheme:dark){svg{\(colours(isDark: true))}}
    \(drawing)
    """
}
