public import Foundation

#if canImport(ObjectiveC)

  /// The error that a transaction's block put behind the pointer it was given.
  final class BlockFailure {
    private(set) var error: NSError?

    /// Runs a block with a pointer for its error.
    func run<Output>(_ block: (NSErrorPointer) -> sending Output) -> sending Output {
      unsafe block(&error)
    }
  }

#else

  /// Where a transaction's block puts its error: `errorPointer?.pointee = error as NSError`. Where there
  /// is Objective-C, Foundation gives this name to a raw pointer; this one is used alike and is safe.
  public typealias NSErrorPointer = ErrorPointer?

  /// A place for an error.
  public final class ErrorPointer {
    /// The error; nil while there is none.
    public var pointee: NSError?

    init() {}
  }

  /// The error that a transaction's block put into the place it was given.
  final class BlockFailure {
    private let pointer = ErrorPointer()
    var error: NSError? { pointer.pointee }

    /// Runs a block with a place for its error.
    func run<Output>(_ block: (NSErrorPointer) -> sending Output) -> sending Output {
      block(pointer)
    }
  }

#endif
