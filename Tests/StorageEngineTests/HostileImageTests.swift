import StorageEngine
import TestSupport
import Testing

/// Images that were made to do harm: every checksum is right, and what they say is not.
@Suite struct HostileImageTests {
  /// Where the objects of an image are, found as the format says.
  private struct Anatomy {
    enum Part: UInt32 {
      case record = 0x5243_4F52
      case page = 0x4547_4150
      case node = 0x4544_4F4E
    }

    var bytes: [UInt8]
    var objects: [(part: Part, offset: Int, count: Int)] = []

    init(_ bytes: [UInt8]) {
      self.bytes = bytes
      let (pages, nodes) = (Int(bytes.word(at: 48)), Int(bytes.word(at: 56)))
      var offset = 112
      while offset < pages {
        let count = 8 + Int(half(at: offset))
        objects.append((.record, offset, count))
        offset = (offset + count + 7) & ~7
      }
      while offset < nodes {
        objects.append((.page, offset, 528))
        offset += 528
      }
      while offset < bytes.count {
        let count = Int(half(at: offset + 28))
        objects.append((.node, offset, count))
        offset += count
      }
    }

    func half(at offset: Int) -> UInt32 {
      (0..<4).reduce(0) { $0 | UInt32(bytes[offset + $1]) << UInt32(8 * $1) }
    }

    mutating func set(_ value: UInt64, size: Int, at offset: Int) {
      for index in 0..<size where offset + index < bytes.count {
        bytes[offset + index] = UInt8(truncatingIfNeeded: value >> UInt64(8 * index))
      }
    }

    /// Puts right checksums wherever there are some.
    mutating func seal() {
      set(UInt64(FileVersions.checksum(bytes[0..<36])), size: 4, at: 36)
      let salt = FileVersions.checksum(bytes[24..<32])
      for (part, offset, count) in objects {
        let place = (0..<8).map { UInt8(truncatingIfNeeded: UInt64(offset) >> UInt64(8 * $0)) }
        let seed = FileVersions.checksum(place, after: salt ^ part.rawValue)
        let hole = offset + (part == .record ? 4 : part == .page ? 0 : 24)
        // The length that the object says, if it has so many bytes.
        let said =
          switch part {
          case .record: 8 + Int(half(at: offset))
          case .page: count
          case .node: Int(half(at: offset + 28))
          }
        guard said >= 32 || part == .record, said <= bytes.count - offset else { continue }
        let head = FileVersions.checksum(bytes[offset..<hole], after: seed)
        let sum = FileVersions.checksum(bytes[(hole + 4)..<(offset + said)], after: head)
        set(UInt64(sum), size: 4, at: hole)
      }
      set(UInt64(FileVersions.checksum(bytes[0..<108], after: salt)), size: 4, at: 108)
    }
  }

  /// Does everything with a store that can be done; what it answers does not matter.
  private func use(_ files: [String: [UInt8]]) {
    let disk = SimulatedFileSystem(files: files)
    if let store = try? DerivingStore(disk, capacity: 4) {
      let version = store.store.version
      var model: Model = [:]
      for isReversed in [false, true] {
        for (lower, upper) in [([UInt8](), [UInt8(0x80)]), ([1], [2, 100]), ([0x80], [0xFF])] {
          var values: [UInt64] = []
          var taker = TreeCursor(version, from: lower, to: upper, isReversed: isReversed)
          taker.take(50, into: &values)
          var cursor = TreeCursor(version, from: lower, to: upper, isReversed: isReversed)
          _ = cursor.remaining
          _ = cursor.skip(3)
          while let number = cursor.next() {
            var key = ByteWriter()
            cursor.appendKey(dropping: 0, to: &key)
            model[key.bytes] = version.record(number).map { $0.array(0, $0.count) }
          }
        }
      }
      _ = version.page(of: (0..<70).map { $0 })
      _ = version.violations(nodeCapacity: 4)
      for key in model.keys.sorted(by: { $0.lexicographicallyPrecedes($1) }) {
        guard let first = key.first, first < 0x80 else { continue }
        try? store.commit([key: key.count.isMultiple(of: 2) ? nil : [1, 2, 3], key + [7]: [9]])
      }
      try? store.store.compact()
      try? store.store.close()
    }
    var keeper = DerivingKeeper()
    _ = try? OrderedStore.read("store", in: SimulatedFileSystem(files: files), keeper: &keeper)
    _ = try? OrderedStore.salvage("store", in: SimulatedFileSystem(files: files))
  }

  private static let numbers: [UInt64] = [
    0, 1, 2, 3, 4, 7, 8, 63, 64, 65, 127, 128, 255, 256, 0x7FFF, 0x8000, 0xFFFF, 0x1_0000,
    0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFFF, 1 << 40, 1 << 62, 1 << 63, .max - 7, .max,
  ]

  @Test(arguments: 0..<4)
  func `whatever an image with right checksums says, nothing traps`(seed: Int) throws {
    var random = Randomised.generator(case: seed)
    let sample = try DerivingStore.sample(records: [3, 20, 60, 200][seed], capacity: 4)
    let name = try #require(sample.files.keys.first { $0.contains("checkpoint") })
    let anatomy = Anatomy(try #require(sample.files[name]))
    var sealed = anatomy
    sealed.seal()
    #expect(sealed.bytes == anatomy.bytes, "this test knows the format")
    for _ in Randomised.cases(600) {
      var forged = anatomy
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        attack(&forged, using: &random)
      }
      forged.seal()
      var files = sample.files
      files[name] = forged.bytes
      use(files)
    }
  }

  private func attack(_ image: inout Anatomy, using random: inout SeededGenerator) {
    guard let object = image.objects.randomElement(using: &random),
      let other = image.objects.randomElement(using: &random)
    else { return }
    let size = [1, 2, 4, 8].randomElement(using: &random) ?? 4
    let place = Int.random(in: 0..<(min(object.count, 200) / size), using: &random) * size
    let number = HostileImageTests.numbers.randomElement(using: &random) ?? 0
    switch Int.random(in: 0..<8, using: &random) {
    case 0: image.set(number, size: 8, at: 40 + 8 * Int.random(in: 0..<8, using: &random))
    case 1: image.set(number, size: 4, at: 96 + 4 * Int.random(in: 0..<2, using: &random))
    // Another object's place: cycles, and objects of another kind or level.
    case 2: image.set(UInt64(other.offset) << 1 | 1, size: 8, at: object.offset + place & ~7)
    case 3: image.set(UInt64(other.offset), size: 8, at: object.offset + 8)
    case 4:
      for index in 0..<object.count { image.bytes[object.offset + index] = 0 }
    case 5:
      // An object in the place of another one.
      for index in 0..<min(object.count, other.count) {
        image.bytes[object.offset + index] = image.bytes[other.offset + index]
      }
    default: image.set(number, size: size, at: object.offset + place)
    }
  }
}
