import DocumentDatabase
import Foundation
import StorageEngine
import TestSupport

/// Writes to a database in a directory until it is killed, and says what was acknowledged.
///
/// Three threads write. Commit n of writer w sets the document `w/slot n mod 20` and the document
/// `w/last` to n; once it is acknowledged, the line `w n` is printed. Whoever reads the lines knows what
/// the directory must hold.
@main
struct CrashWriter {
  static func main() throws {
    let directory = CommandLine.arguments[1]
    let (database, _) = try Database.open(
      directory, options: StoreOptions(compactionFloor: 40_000),
      now: { Int64(Date().timeIntervalSince1970 * 1_000_000) })
    let group = DispatchGroup()
    for writer in 0..<CrashHistory.writers {
      DispatchQueue.global().async(group: group) {
        do { try write(writer, to: database) } catch {
          FileHandle.standardError.write(Data("\(error)\n".utf8))
          exit(1)
        }
      }
    }
    group.wait()
  }

  private static func write(_ writer: Int, to database: Database) throws {
    var number = try CrashHistory.last(of: writer, in: database)
    while true {
      number += 1
      try database.commit(CrashHistory.commit(number, of: writer))
      // One call, so that lines of different writers do not mix.
      FileHandle.standardOutput.write(Data("\(writer) \(number)\n".utf8))
    }
  }
}
