import DocumentDatabase

// Each of the ten operators, for a dotted field name and for a `FieldPath`.

extension Filter {
  /// The field with this dotted name equals `value`.
  public static func whereField(_ field: String, isEqualTo value: Any) -> Filter {
    Filter(FieldPath(dotted: field), .equal, value)
  }

  /// The field equals `value`.
  public static func whereField(_ path: FieldPath, isEqualTo value: Any) -> Filter {
    Filter(path, .equal, value)
  }

  /// The field with this dotted name exists and does not equal `value`.
  public static func whereField(_ field: String, isNotEqualTo value: Any) -> Filter {
    Filter(FieldPath(dotted: field), .notEqual, value)
  }

  /// The field exists and does not equal `value`.
  public static func whereField(_ path: FieldPath, isNotEqualTo value: Any) -> Filter {
    Filter(path, .notEqual, value)
  }

  /// The field with this dotted name is less than `value`.
  public static func whereField(_ field: String, isLessThan value: Any) -> Filter {
    Filter(FieldPath(dotted: field), .lessThan, value)
  }

  /// The field is less than `value`.
  public static func whereField(_ path: FieldPath, isLessThan value: Any) -> Filter {
    Filter(path, .lessThan, value)
  }

  /// The field with this dotted name is at most `value`.
  public static func whereField(_ field: String, isLessThanOrEqualTo value: Any) -> Filter {
    Filter(FieldPath(dotted: field), .lessThanOrEqual, value)
  }

  /// The field is at most `value`.
  public static func whereField(_ path: FieldPath, isLessThanOrEqualTo value: Any) -> Filter {
    Filter(path, .lessThanOrEqual, value)
  }

  /// The field with this dotted name is greater than `value`.
  public static func whereField(_ field: String, isGreaterThan value: Any) -> Filter {
    Filter(FieldPath(dotted: field), .greaterThan, value)
  }

  /// The field is greater than `value`.
  public static func whereField(_ path: FieldPath, isGreaterThan value: Any) -> Filter {
    Filter(path, .greaterThan, value)
  }

  /// The field with this dotted name is at least `value`. The spelling of `Query`.
  public static func whereField(_ field: String, isGreaterThanOrEqualTo value: Any) -> Filter {
    Filter(FieldPath(dotted: field), .greaterThanOrEqual, value)
  }

  /// The field is at least `value`. The spelling of `Query`.
  public static func whereField(_ path: FieldPath, isGreaterThanOrEqualTo value: Any) -> Filter {
    Filter(path, .greaterThanOrEqual, value)
  }

  /// The field with this dotted name is at least `value`. Firebase's spelling.
  public static func whereField(_ field: String, isGreaterOrEqualTo value: Any) -> Filter {
    Filter(FieldPath(dotted: field), .greaterThanOrEqual, value)
  }

  /// The field is at least `value`. Firebase's spelling.
  public static func whereField(_ path: FieldPath, isGreaterOrEqualTo value: Any) -> Filter {
    Filter(path, .greaterThanOrEqual, value)
  }

  /// The field with this dotted name is an array that contains `value`.
  public static func whereField(_ field: String, arrayContains value: Any) -> Filter {
    Filter(FieldPath(dotted: field), .arrayContains, value)
  }

  /// The field is an array that contains `value`.
  public static func whereField(_ path: FieldPath, arrayContains value: Any) -> Filter {
    Filter(path, .arrayContains, value)
  }

  /// The field with this dotted name is an array that contains at least one of `values`.
  public static func whereField(_ field: String, arrayContainsAny values: [Any]) -> Filter {
    Filter(FieldPath(dotted: field), .arrayContainsAny, values)
  }

  /// The field is an array that contains at least one of `values`.
  public static func whereField(_ path: FieldPath, arrayContainsAny values: [Any]) -> Filter {
    Filter(path, .arrayContainsAny, values)
  }

  /// The field with this dotted name equals one of `values`.
  public static func whereField(_ field: String, in values: [Any]) -> Filter {
    Filter(FieldPath(dotted: field), .in, values)
  }

  /// The field equals one of `values`.
  public static func whereField(_ path: FieldPath, in values: [Any]) -> Filter {
    Filter(path, .in, values)
  }

  /// The field with this dotted name exists and equals none of `values`.
  public static func whereField(_ field: String, notIn values: [Any]) -> Filter {
    Filter(FieldPath(dotted: field), .notIn, values)
  }

  /// The field exists and equals none of `values`.
  public static func whereField(_ path: FieldPath, notIn values: [Any]) -> Filter {
    Filter(path, .notIn, values)
  }
}
