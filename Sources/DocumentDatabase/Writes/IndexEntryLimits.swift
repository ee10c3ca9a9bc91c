/// How many entries a document may have in the automatic indexes, and how large they may be.
///
/// Only documents that could break a limit are looked at closely. An exemption would allow more; those
/// of a `firestore.indexes.json` are not known here.
///
/// Source: https://firebase.google.com/docs/firestore/quotas#indexes
struct IndexEntryLimits {
  static let mostEntries = 40_000
  static let largestEntry = 7_680
  static let largestSum = 8_388_608

  /// The parts that all entries of the document have in common.
  private let base: Int
  private var count = 0
  private var sum = 0
  private var largest = 0

  /// Checks the entries of a document that has `size` bytes.
  ///
  /// - Throws: The first limit that the document breaks.
  static func check(_ fields: Fields, name: DocumentName, size: Int) throws(WriteError) {
    let nameSize = DocumentLimits.nameSize(name)
    // An entry takes at least a byte of the document, and has at most two cut values.
    if size < 4_000 && nameSize < 500 { return }
    let parent = name.parent.parent.map(DocumentLimits.nameSize) ?? 0
    var limits = IndexEntryLimits(base: nameSize + parent + 32)
    limits.add(fields, path: 0)
    if limits.largest > largestEntry { throw .indexEntryTooLarge(bytes: limits.largest) }
    if limits.count > mostEntries { throw .tooManyIndexEntries(limits.count) }
    if limits.sum > largestSum { throw .indexEntriesTooLarge(bytes: limits.sum) }
  }

  private init(base: Int) { self.base = base }

  private mutating func add(_ fields: Fields, path: Int) {
    for field in fields.sorted {
      let path = path + field.name.utf8.count + 1
      // One ascending and one descending, of a map or an array as a whole too.
      add(2, path: path, value: field.value)
      switch field.value {
      case .map(let inner): add(inner, path: path)
      case .array(let elements):
        var seen: Set<[UInt8]> = []
        for element in elements where seen.insert(KeyEncoding.bytes(of: element)).inserted {
          add(1, path: path, value: element)
        }
      default: break
      }
    }
  }

  private mutating func add(_ entries: Int, path: Int, value: Value) {
    let size = base + path + min(DocumentLimits.size(of: value), 1500)
    count += entries
    sum += entries * size
    largest = max(largest, size)
  }
}
