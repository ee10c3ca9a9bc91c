// Each of the ten operators, for a dotted field name and for a `FieldPath`. Filters of one query must
// all hold. How many values and which combinations are allowed is checked when the query runs.

extension Query {
  /// Keeps the documents in which the field with this dotted name equals `value`.
  public func whereField(_ field: String, isEqualTo value: Any) -> Query {
    whereFilter(Filter.whereField(field, isEqualTo: value))
  }

  /// Keeps the documents in which the field equals `value`.
  public func whereField(_ path: FieldPath, isEqualTo value: Any) -> Query {
    whereFilter(Filter.whereField(path, isEqualTo: value))
  }

  /// Keeps the documents in which the field with this dotted name exists and does not equal `value`.
  public func whereField(_ field: String, isNotEqualTo value: Any) -> Query {
    whereFilter(Filter.whereField(field, isNotEqualTo: value))
  }

  /// Keeps the documents in which the field exists and does not equal `value`.
  public func whereField(_ path: FieldPath, isNotEqualTo value: Any) -> Query {
    whereFilter(Filter.whereField(path, isNotEqualTo: value))
  }

  /// Keeps the documents in which the field with this dotted name is less than `value`.
  public func whereField(_ field: String, isLessThan value: Any) -> Query {
    whereFilter(Filter.whereField(field, isLessThan: value))
  }

  /// Keeps the documents in which the field is less than `value`.
  public func whereField(_ path: FieldPath, isLessThan value: Any) -> Query {
    whereFilter(Filter.whereField(path, isLessThan: value))
  }

  /// Keeps the documents in which the field with this dotted name is at most `value`.
  public func whereField(_ field: String, isLessThanOrEqualTo value: Any) -> Query {
    whereFilter(Filter.whereField(field, isLessThanOrEqualTo: value))
  }

  /// Keeps the documents in which the field is at most `value`.
  public func whereField(_ path: FieldPath, isLessThanOrEqualTo value: Any) -> Query {
    whereFilter(Filter.whereField(path, isLessThanOrEqualTo: value))
  }

  /// Keeps the documents in which the field with this dotted name is greater than `value`.
  public func whereField(_ field: String, isGreaterThan value: Any) -> Query {
    whereFilter(Filter.whereField(field, isGreaterThan: value))
  }

  /// Keeps the documents in which the field is greater than `value`.
  public func whereField(_ path: FieldPath, isGreaterThan value: Any) -> Query {
    whereFilter(Filter.whereField(path, isGreaterThan: value))
  }

  /// Keeps the documents in which the field with this dotted name is at least `value`.
  public func whereField(_ field: String, isGreaterThanOrEqualTo value: Any) -> Query {
    whereFilter(Filter.whereField(field, isGreaterThanOrEqualTo: value))
  }

  /// Keeps the documents in which the field is at least `value`.
  public func whereField(_ path: FieldPath, isGreaterThanOrEqualTo value: Any) -> Query {
    whereFilter(Filter.whereField(path, isGreaterThanOrEqualTo: value))
  }

  /// Keeps the documents in which the field with this dotted name is an array that contains `value`.
  public func whereField(_ field: String, arrayContains value: Any) -> Query {
    whereFilter(Filter.whereField(field, arrayContains: value))
  }

  /// Keeps the documents in which the field is an array that contains `value`.
  public func whereField(_ path: FieldPath, arrayContains value: Any) -> Query {
    whereFilter(Filter.whereField(path, arrayContains: value))
  }

  /// Keeps the documents in which the field with this dotted name is an array that contains at least one of `values`.
  public func whereField(_ field: String, arrayContainsAny values: [Any]) -> Query {
    whereFilter(Filter.whereField(field, arrayContainsAny: values))
  }

  /// Keeps the documents in which the field is an array that contains at least one of `values`.
  public func whereField(_ path: FieldPath, arrayContainsAny values: [Any]) -> Query {
    whereFilter(Filter.whereField(path, arrayContainsAny: values))
  }

  /// Keeps the documents in which the field with this dotted name equals one of `values`.
  public func whereField(_ field: String, in values: [Any]) -> Query {
    whereFilter(Filter.whereField(field, in: values))
  }

  /// Keeps the documents in which the field equals one of `values`.
  public func whereField(_ path: FieldPath, in values: [Any]) -> Query {
    whereFilter(Filter.whereField(path, in: values))
  }

  /// Keeps the documents in which the field with this dotted name exists and equals none of `values`.
  public func whereField(_ field: String, notIn values: [Any]) -> Query {
    whereFilter(Filter.whereField(field, notIn: values))
  }

  /// Keeps the documents in which the field exists and equals none of `values`.
  public func whereField(_ path: FieldPath, notIn values: [Any]) -> Query {
    whereFilter(Filter.whereField(path, notIn: values))
  }
}
