import StorageEngine
import TestSupport
import Testing

/// Every call to the disk fails once, in every way, and the store that is found afterwards is compared
/// with what had been acknowledged.
@Suite struct CrashTests {
  /// Runs one history with `fault` at the `call`-th change of the disk, loses power at the end, and goes
  /// on with what is found. Answers whether the fault happened.
  private func run(
    history: Int, call: Int, fault: SimulatedFileSystem.Fault, loss: SimulatedFileSystem.Loss
  ) throws -> Bool {
    var random = Randomised.generator(case: history)
    var driver = StoreDriver(disk: SimulatedFileSystem())
    driver.disk.fail(call, with: fault)
    do throws(StorageError) {
      try driver.open()
      for _ in 0..<25 {
        do throws(StorageError) { try driver.step(using: &random) } catch {
          if case .syncFailed = error {
            #expect(throws: StorageError.self) { try driver.store?.commit([[1]: [1]]) }
          }
          if driver.store == nil { throw error }
        }
      }
    } catch {
      // The store could not be opened with this fault; without it, it can.
    }
    let wasReached = driver.disk.calls >= call
    let found = driver.disk.afterPowerLoss(loss, using: &random)
    driver.store = nil
    driver.disk = found
    try driver.open()
    for _ in 0..<5 { try driver.step(using: &random) }
    driver.disk = driver.disk.afterPowerLoss(.everything, using: &random)
    driver.store = nil
    try driver.open()
    return wasReached
  }

  @Test(arguments: SimulatedFileSystem.Fault.allCases, SimulatedFileSystem.Loss.allCases)
  func `after a fault at any call the store holds what was acknowledged`(
    fault: SimulatedFileSystem.Fault, loss: SimulatedFileSystem.Loss
  ) throws {
    var survived = 0
    for history in Randomised.cases(1) {
      var call = 1
      while try run(history: history, call: call, fault: fault, loss: loss) {
        survived += 1
        call += 1
      }
    }
    #expect(survived > 50)
    print("survived \(survived) faults: \(fault), then losing \(loss)")
  }
}
