/// Reading all of an image, where it is to be known that nothing is damaged.
extension Version {
  /// Checks every object of the image that this version is, and every stored record by `keeper`.
  ///
  /// - Throws: the first damage found.
  /// - Complexity: O(n).
  func checkEverything(_ keeper: some RecordKeeper) throws(StorageError) {
    guard let image else { return }
    var cursor = TreeCursor(
      self, from: [], to: [OrderedStore.derivedKeys], isReversed: false)
    var key = ByteWriter()
    while let number = cursor.next() {
      key.removeAll()
      cursor.appendKey(dropping: 0, to: &key)
      guard let record = note(number) else {
        try checkUndamaged()
        throw image.contradiction("a key has no record")
      }
      if let reason = keeper.problem(with: record, under: ByteSlice(key)) {
        throw image.contradiction(reason)
      }
    }
    for number in 0..<UInt64(image.header.recordCount) {
      if note(number) == nil { try checkUndamaged() }
    }
    var rank = 0
    while rank < count, let (leaf, index) = unsafe tree?.seek(rank: rank, in: view) {
      try checkUndamaged()
      unsafe rank += leaf.count - index
    }
  }
}

extension Image {
  fileprivate func contradiction(_ reason: String) -> StorageError {
    .corrupt(file: path, offset: ImageHeader.size, reason: reason)
  }
}
