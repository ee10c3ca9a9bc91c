import DocumentDatabase
import ReferenceModel
import TestSupport
import Testing

@Suite struct ValueOrderTests {
  /// How many values are compared with each other: some hundred thousand pairs a run.
  private static let poolSize = 150

  @Test func `the model's order is a total order`() {
    for number in Randomised.cases(4) {
      var generator = Randomised.generator(case: number)
      let values = pool(&generator).shuffled(using: &generator)
      for first in values.prefix(60) {
        #expect(ModelOrder.compare(first, first) == 0, "\(describe(first))")
        for second in values.prefix(60) {
          let order = ModelOrder.compare(first, second)
          #expect(
            order == -ModelOrder.compare(second, first),
            "\(describe(first)) against \(describe(second))")
          for third in values.prefix(60) where order <= 0 {
            if ModelOrder.compare(second, third) <= 0 && ModelOrder.compare(first, third) > 0 {
              Issue.record("\(describe(first)), \(describe(second)), \(describe(third))")
            }
          }
        }
      }
    }
  }

  @Test func `the bytes of a value's key sort as the values do`() throws {
    for number in Randomised.cases(8) {
      var generator = Randomised.generator(case: number)
      let values = pool(&generator)
      let keys = try values.map { try key(of: $0) }
      for (first, firstKey) in zip(values, keys) {
        for (second, secondKey) in zip(values, keys) {
          let order = ModelOrder.compare(first, second)
          // In a key values stand one after another, so none may be the start of another.
          if sign(firstKey, secondKey) != order || (order != 0 && secondKey.starts(with: firstKey))
          {
            Issue.record(
              """
              FEEDSTORE_SEED=\(Randomised.seed) case \(number): \(describe(first)) and \
              \(describe(second)) should compare as \(order), their keys are \(firstKey) and \
              \(secondKey)
              """)
            return
          }
        }
      }
    }
  }

  @Test func `a stored document gives back every value unchanged`() throws {
    for number in Randomised.cases(2000) {
      var generator = Randomised.generator(case: number)
      let model = RandomValues.fields(&generator, depth: 4)
      let encoded = EncodedMap(encoding: try Fields(model))
      #expect(encoded.count == model.count)
      for (name, value) in model {
        let found = encoded[String(decoding: name, as: UTF8.self)]?.decoded
        #expect(
          found.map { ModelValue($0).isIdentical(to: value) } ?? false,
          "\(describe(value)) came back as \(found.map { "\($0)" } ?? "nothing")")
      }
    }
  }

  /// Values of all types, each with neighbours that differ from it in the smallest way.
  private func pool(_ generator: inout SeededGenerator) -> [ModelValue] {
    var values = RandomValues.common + ValueOrderTests.equals
    for _ in 0..<ValueOrderTests.poolSize {
      let value = RandomValues.any(&generator)
      values.append(value)
      if let neighbour = neighbour(of: value, &generator) { values.append(neighbour) }
    }
    return values
  }

  /// Different values that are level with each other, alone and within others.
  private static let equals: [ModelValue] = {
    let numbers: [ModelValue] = [
      .double(.nan), .double(-.nan), .double(-0.0), .double(0), .integer(0), .integer(1 << 53),
      .double(0x1p53), .integer(.min), .double(-0x1p63),
    ]
    return numbers + numbers.map { .array([$0]) } + numbers.map { .map([[0x61]: $0]) } + [
      .vector([.nan]), .vector([-.nan]), .vector([0, -0.0]), .vector([-0.0, 0]),
      .geoPoint(latitude: 0, longitude: -0.0), .geoPoint(latitude: -0.0, longitude: 0),
    ]
  }()

  private func neighbour(
    of value: ModelValue, _ generator: inout SeededGenerator
  ) -> ModelValue? {
    switch value {
    case .integer(let integer): return .double(Double(integer))
    case .double(let double): return .double(generator.chance(0.5) ? double.nextUp : -double)
    case .string(let text): return .string(text + generator.pick([[0], [1], [0x7f]]))
    case .bytes(let bytes): return .bytes(bytes + generator.pick([[0], [1], [255]]))
    case .array(let elements): return .array(elements + [generator.pick(RandomValues.scalars)])
    case .map(var fields):
      fields[generator.pick([[0x61], [0x61, 0], [0x7a]])] = generator.pick(RandomValues.common)
      return .map(fields)
    case .vector(let numbers): return .vector(numbers + [0])
    case .timestamp(let microseconds): return .timestamp(microseconds: microseconds / 2)
    case .reference(var name):
      name.path += [Bytes("a".utf8), Bytes("a".utf8)]
      return .reference(name)
    case .null, .boolean, .geoPoint: return nil
    }
  }

  private func sign(_ a: [UInt8], _ b: [UInt8]) -> Int {
    a.lexicographicallyPrecedes(b) ? -1 : b.lexicographicallyPrecedes(a) ? 1 : 0
  }

  private func key(of value: ModelValue) throws -> [UInt8] {
    KeyEncoding.bytes(of: try Value(value))
  }
}
