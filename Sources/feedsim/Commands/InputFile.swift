import FeedSimulation
import FeedStore
import Foundation

/// Where documents come from: a file, standard input, or the shipped posts.
enum InputFile {
  case shipped
  case standardInput
  case file(String)

  init(_ path: String?) {
    self =
      switch path {
      case nil: .shipped
      case "-": .standardInput
      case let path?: .file(path)
      }
  }

  /// How messages name it.
  var name: String {
    switch self {
    case .shipped: "the shipped posts"
    case .standardInput: "standard input"
    case .file(let path): path
    }
  }

  /// A name for the collection that holds the documents.
  var collection: String {
    guard case .file(let path) = self else {
      if case .shipped = self { return Seed.posts.name }
      return "documents"
    }
    let name = URL(filePath: path).deletingPathExtension().lastPathComponent
    let isPlain = name.wholeMatch(of: /[A-Za-z][A-Za-z0-9_-]{0,63}/) != nil
    return isPlain ? name : "documents"
  }

  /// - Throws: `FileError`, or `StandardInputError` where standard input breaks off.
  func documents(timestampFields: [String]) throws -> DocumentImport {
    let bytes = try bytes()
    do throws(InputError) {
      return try DocumentImport(bytes, timestampFields: timestampFields)
    } catch {
      if case .badFieldPath = error { throw error }
      throw FileError.refused(name, error)
    }
  }

  /// - Throws: `FileError`, or `StandardInputError` where standard input breaks off.
  func bytes() throws -> [UInt8] {
    switch self {
    case .shipped:
      return Array(SeedGenerator(.posts).text.utf8)
    case .standardInput:
      do {
        return [UInt8](try FileHandle.standardInput.readToEnd() ?? Data())
      } catch { throw StandardInputError(reason: Terminal.reason(error)) }
    case .file(let path):
      guard FileManager.default.fileExists(atPath: path) else { throw FileError.missing(path) }
      do {
        let handle = try FileHandle(forReadingFrom: URL(filePath: path))
        return [UInt8](try handle.readToEnd() ?? Data())
      } catch { throw FileError.unreadable(path, reason: Terminal.reason(error)) }
    }
  }
}

/// An input file that cannot be used.
enum FileError: Error, Hashable, Sendable {
  case missing(String)
  case unreadable(String, reason: String)
  case refused(String, InputError)
}

extension FileError: CustomStringConvertible {
  var description: String {
    switch self {
    case .missing(let path): "there is no file '\(path)'"
    case .unreadable(let path, let reason): "cannot read '\(path)': \(reason)"
    case .refused(let name, let error): "\(name): \(error)"
    }
  }
}

/// Standard input that broke off.
struct StandardInputError: Error, Hashable, Sendable, CustomStringConvertible {
  let reason: String

  var description: String { "cannot read standard input: \(reason)" }
}
