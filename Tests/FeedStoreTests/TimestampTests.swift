import FeedStore
import TestSupport
import Testing

@Suite struct TimestampTests {
  @Test func `a date made of a timestamp makes the same timestamp again`() {
    for number in Randomised.cases(2_000) {
      var generator = Randomised.generator(case: number)
      let microseconds = Int64.random(
        in: -2_000_000_000_000_000...4_000_000_000_000_000, using: &generator)
      let timestamp = Timestamp(microseconds: microseconds)
      #expect(Timestamp(date: timestamp.dateValue()) == timestamp)
      #expect(timestamp.microseconds == microseconds)
    }
  }

  @Test(
    arguments: [
      (-1, -1, 999_999_000), (0, 0, 0), (1, 0, 1_000), (-1_000_000, -1, 0),
      (-1_000_001, -2, 999_999_000),
    ] as [(Int64, Int64, Int32)])
  func `nanoseconds count forward, also before 1970`(
    microseconds: Int64, seconds: Int64, nanoseconds: Int32
  ) {
    let timestamp = Timestamp(microseconds: microseconds)
    #expect(timestamp == Timestamp(seconds: seconds, nanoseconds: nanoseconds))
  }

  @Test func `what is stored is cut toward the past to microseconds`() {
    #expect(Timestamp(seconds: 1, nanoseconds: 1_999).microseconds == 1_000_001)
    #expect(Timestamp(seconds: -1, nanoseconds: 1_999).microseconds == -999_999)
  }

  @Test func `a date is rounded to the nearest microsecond`() {
    let date = Date(timeIntervalSinceReferenceDate: 0.999_999_7)
    #expect(Timestamp(date: date) == Timestamp(seconds: 978_307_201, nanoseconds: 0))
  }

  @Test func `timestamps are ordered by instant`() {
    let early = Timestamp(seconds: 1, nanoseconds: 5)
    let late = Timestamp(seconds: 2, nanoseconds: 0)
    #expect(early < late && early.compare(late) == .orderedAscending)
    #expect(late.compare(early) == .orderedDescending)
    #expect(late.compare(Timestamp(seconds: 2, nanoseconds: 0)) == .orderedSame)
  }

  @Test func `value types survive JSON`() throws {
    let encoder = JSONEncoder()
    let decoder = JSONDecoder()
    let time = Timestamp(seconds: -5, nanoseconds: 7)
    #expect(try decoder.decode(Timestamp.self, from: encoder.encode(time)) == time)
    let point = GeoPoint(latitude: 1.5, longitude: -2)
    #expect(try decoder.decode(GeoPoint.self, from: encoder.encode(point)) == point)
    let vector = VectorValue([1, 2.5])
    #expect(try decoder.decode(VectorValue.self, from: encoder.encode(vector)) == vector)
  }
}
