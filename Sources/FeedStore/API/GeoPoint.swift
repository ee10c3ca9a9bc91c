/// A point on the earth.
///
/// Latitudes outside -90...90, longitudes outside -180...180 and values that are not finite are
/// refused by the write or query that uses them.
public final class GeoPoint: Codable, Sendable {
  /// Degrees north of the equator, from -90 to 90.
  public let latitude: Double
  /// Degrees east of Greenwich, from -180 to 180.
  public let longitude: Double

  /// Makes the point at these coordinates, in degrees.
  public init(latitude: Double, longitude: Double) {
    self.latitude = latitude
    self.longitude = longitude
  }

  /// Whether Firestore accepts the coordinates.
  package var isValid: Bool {
    (-90...90).contains(latitude) && (-180...180).contains(longitude)
  }
}

extension GeoPoint: Hashable, CustomStringConvertible {
  /// Whether both have the same coordinates.
  public static func == (left: GeoPoint, right: GeoPoint) -> Bool {
    left.latitude == right.latitude && left.longitude == right.longitude
  }

  /// Feeds the coordinates to `hasher`.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(latitude)
    hasher.combine(longitude)
  }

  /// The coordinates, as Firebase prints them.
  public var description: String { "<FIRGeoPoint: (\(latitude), \(longitude))>" }
}
