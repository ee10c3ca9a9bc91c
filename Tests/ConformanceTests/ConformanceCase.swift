import Foundation
import Testing

/// One vector, still in its own words.
struct ConformanceCase: Sendable, CustomTestStringConvertible {
  enum Dialect: Sendable {
    /// Cases written as calls of the client SDK.
    case groundTruth
    /// Cases written as REST queries.
    case reference
    /// Google's conformance tests of its clients: calls, and the requests they must become.
    case protocolTests
  }

  var dialect: Dialect
  var kind: String
  var name: String
  var json: JSON

  var testDescription: String { "\(kind): \(name)" }

  /// Whether the sources themselves disagree about what is right.
  var isContested: Bool {
    json["contested"] != nil || json["certainty"] != nil || isOutvoted
      || ContestedDecision.isDecided(self)
  }
}

extension ConformanceCase {
  /// A rule of Google's clients for servers that another official client contradicts or lacks.
  var isOutvoted: Bool {
    guard case .string(let verdict)? = json["verdict"] else { return false }
    return verdict == "contradicted" || verdict == "server-sdk-rule"
  }
}

/// The vectors of this run.
enum Vectors {
  /// Whether other vectors than the shipped ones are judged.
  static let areForeign = paths != nil

  static let cases: Result<[ConformanceCase], any Error> = Result {
    try files().flatMap { try cases(of: $0) }
  }

  /// Google's tests, which are found beside the package or where the environment says.
  static let googleapis: Result<[ConformanceCase], any Error> = Result {
    try contents(of: googleapisFolder).flatMap { try cases(of: $0) }
  }

  static let areGoogleapisPresent = FileManager.default.isReadableFile(
    atPath: googleapisFolder.appendingPathComponent("query-order.json").path)

  private static let googleapisFolder: URL = {
    if let path = ProcessInfo.processInfo.environment["FEEDSTORE_GOOGLEAPIS"] {
      return URL(fileURLWithPath: path)
    }
    return URL(fileURLWithPath: #filePath)
      .appendingPathComponent("../../../../shared/conformance/googleapis").standardizedFileURL
  }()

  private static let paths = ProcessInfo.processInfo.environment["FEEDSTORE_VECTORS"]

  private static func files() throws -> [URL] {
    if let paths {
      return try paths.split(separator: ":").map { URL(fileURLWithPath: String($0)) }
        .flatMap { try contents(of: $0) }
    }
    return ["ground-truth", "vectors"].compactMap { name in
      Bundle.module.url(forResource: name, withExtension: "json", subdirectory: "Vectors")
    }
  }

  /// The vectors of a folder, or the one file.
  private static func contents(of url: URL) throws -> [URL] {
    guard try url.resourceValues(forKeys: [.isDirectoryKey]).isDirectory ?? false else {
      return [url]
    }
    return try FileManager.default.contentsOfDirectory(at: url, includingPropertiesForKeys: nil)
      .filter { $0.pathExtension == "json" && $0.lastPathComponent != "manifest.json" }
      .sorted { $0.path < $1.path }
  }

  /// Tells the forms apart: an array of reference vectors, an object around client cases, or one of
  /// Google's tests in a file of its own.
  private static func cases(of file: URL) throws -> [ConformanceCase] {
    let json = try JSON(parsing: [UInt8](try Data(contentsOf: file)))
    if case .array(let vectors) = json {
      return try vectors.map { vector in
        ConformanceCase(
          dialect: .reference, kind: kind(ofVector: vector),
          name: try vector.required("name").text(), json: vector)
      }
    }
    if let tests = json["tests"] { return [try protocolTest(tests, in: file)] }
    guard try json.required("format").text() == "firestore-ground-truth/1" else {
      throw NotUnderstood("the format of \(file.lastPathComponent)")
    }
    return try json.required("cases").elements().map { json in
      ConformanceCase(
        dialect: .groundTruth, kind: try json.required("kind").text(),
        name: try json.required("name").text(), json: json)
    }
  }

  /// A manifest beside the file may say which tests do not hold for every client.
  private static func protocolTest(_ tests: JSON, in file: URL) throws -> ConformanceCase {
    let kinds = ["create", "set", "update", "updatePaths", "delete", "query", "listen", "get"]
    guard let test = try tests.elements().first, let kind = kinds.first(where: { test[$0] != nil })
    else { throw NotUnderstood("the test in \(file.lastPathComponent)") }
    let manifest = file.deletingLastPathComponent().appendingPathComponent("manifest.json")
    var members = try test.required(kind).members()
    if let text = try? Data(contentsOf: manifest) {
      let files = try JSON(parsing: [UInt8](text)).required("files")
      if let verdict = files[file.lastPathComponent]?["verdict"] {
        members.append(("verdict", verdict))
      }
    }
    return ConformanceCase(
      dialect: .protocolTests, kind: kind,
      name: file.deletingPathExtension().lastPathComponent, json: .object(members))
  }

  private static func kind(ofVector json: JSON) -> String {
    if json["steps"] != nil { return "listen" }
    if json["query"]?["meter"] != nil { return "meter" }
    return json["query"]?["aggregations"] != nil ? "aggregate" : "query"
  }
}
