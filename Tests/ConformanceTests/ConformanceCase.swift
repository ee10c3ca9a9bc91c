import Foundation
import Testing

/// One vector, still in its own words.
struct ConformanceCase: Sendable, CustomTestStringConvertible {
  enum Dialect: Sendable {
    /// Cases written as calls of the client SDK.
    case groundTruth
    /// Cases written as REST queries.
    case reference
  }

  var dialect: Dialect
  var kind: String
  var name: String
  var json: JSON

  var testDescription: String { "\(kind): \(name)" }

  /// Whether the sources themselves disagree about what is right.
  var isContested: Bool {
    json["contested"] != nil || json["certainty"] != nil
  }
}

/// The vectors of this run.
enum Vectors {
  /// Whether other vectors than the shipped ones are judged.
  static let areForeign = paths != nil

  static let cases: Result<[ConformanceCase], any Error> = Result {
    try files().flatMap { try cases(of: $0) }
  }

  private static let paths = ProcessInfo.processInfo.environment["FEEDSTORE_VECTORS"]

  private static func files() throws -> [URL] {
    if let paths {
      return paths.split(separator: ":").map { URL(fileURLWithPath: String($0)) }
    }
    return ["ground-truth", "vectors"].compactMap { name in
      Bundle.module.url(forResource: name, withExtension: "json", subdirectory: "Vectors")
    }
  }

  /// Tells the two forms apart: an array of reference vectors, an object around client cases.
  private static func cases(of file: URL) throws -> [ConformanceCase] {
    let json = try JSON(parsing: [UInt8](try Data(contentsOf: file)))
    if case .array(let vectors) = json {
      return try vectors.map { vector in
        ConformanceCase(
          dialect: .reference, kind: kind(ofVector: vector),
          name: try vector.required("name").text(), json: vector)
      }
    }
    guard try json.required("format").text() == "firestore-ground-truth/1" else {
      throw NotUnderstood("the format of \(file.lastPathComponent)")
    }
    return try json.required("cases").elements().map { json in
      ConformanceCase(
        dialect: .groundTruth, kind: try json.required("kind").text(),
        name: try json.required("name").text(), json: json)
    }
  }

  private static func kind(ofVector json: JSON) -> String {
    if json["steps"] != nil { return "listen" }
    if json["query"]?["meter"] != nil { return "meter" }
    return json["query"]?["aggregations"] != nil ? "aggregate" : "query"
  }
}
