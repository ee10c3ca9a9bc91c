package import DocumentDatabase
public import Foundation
import StorageEngine

/// The domain of Firestore's errors seen as `NSError`.
public let FirestoreErrorDomain = "FIRFirestoreErrorDomain"

/// An error of Firestore: a code of gRPC's list and a message that says what to do.
///
/// The three idioms of Firebase code work: `catch FirestoreErrorCode.notFound`,
/// `FirestoreErrorCode.Code(rawValue: nsError.code)`, and `nsError.domain == FirestoreErrorDomain`
/// with `nsError.code == FirestoreErrorCode.notFound.rawValue`.
///
/// Source: https://firebase.google.com/docs/reference/swift/firebasefirestore/api/reference/Enums/FirestoreErrorCode
public struct FirestoreErrorCode: CustomNSError, Hashable, Sendable {
  /// The codes, with gRPC's numbers.
  public enum Code: Int, Sendable {
    /// Not an error; never thrown.
    case OK = 0
    /// The caller cancelled the operation.
    case cancelled
    /// An error of no other code.
    case unknown
    /// The request is wrong whatever the state of the database.
    case invalidArgument
    /// The operation took longer than its caller wanted to wait.
    case deadlineExceeded
    /// A document that must exist does not.
    case notFound
    /// A document that must not exist does.
    case alreadyExists
    /// The caller may not do this.
    case permissionDenied
    /// A quota or the space is used up.
    case resourceExhausted
    /// The database is not in the state that the operation needs.
    case failedPrecondition
    /// Another writer came between.
    case aborted
    /// The operation went past the valid range.
    case outOfRange
    /// The operation is not offered.
    case unimplemented
    /// An invariant is broken.
    case `internal`
    /// The service cannot be reached now.
    case unavailable
    /// Stored data is lost or damaged.
    case dataLoss
    /// The caller did not say who they are.
    case unauthenticated

    /// Whether `error` is a Firestore error with the code `pattern`, so that a `catch` can name one.
    public static func ~= (pattern: Code, error: any Error) -> Bool {
      (error as? FirestoreErrorCode)?.code == pattern
    }
  }

  /// What kind of error it is.
  public let code: Code
  /// What is wrong, where, and what to do.
  public let message: String

  /// Makes an error of a kind with its words.
  public init(_ code: Code, message: String = "") {
    self.code = code
    self.message = message
  }

  /// `FirestoreErrorDomain`.
  public static var errorDomain: String { FirestoreErrorDomain }
  /// The number of the code.
  public var errorCode: Int { code.rawValue }
  /// The message under `NSLocalizedDescriptionKey`.
  public var errorUserInfo: [String: Any] { [NSLocalizedDescriptionKey: message] }
}

extension FirestoreErrorCode: CustomStringConvertible {
  /// The code's name and the message.
  public var description: String { message.isEmpty ? "\(code)" : "\(code): \(message)" }
}

/// The codes as Firebase code spells them in patterns and comparisons.
extension FirestoreErrorCode {
  /// `Code.OK`.
  public static var OK: Code { .OK }
  /// `Code.cancelled`.
  public static var cancelled: Code { .cancelled }
  /// `Code.unknown`.
  public static var unknown: Code { .unknown }
  /// `Code.invalidArgument`.
  public static var invalidArgument: Code { .invalidArgument }
  /// `Code.deadlineExceeded`.
  public static var deadlineExceeded: Code { .deadlineExceeded }
  /// `Code.notFound`.
  public static var notFound: Code { .notFound }
  /// `Code.alreadyExists`.
  public static var alreadyExists: Code { .alreadyExists }
  /// `Code.permissionDenied`.
  public static var permissionDenied: Code { .permissionDenied }
  /// `Code.resourceExhausted`.
  public static var resourceExhausted: Code { .resourceExhausted }
  /// `Code.failedPrecondition`.
  public static var failedPrecondition: Code { .failedPrecondition }
  /// `Code.aborted`.
  public static var aborted: Code { .aborted }
  /// `Code.outOfRange`.
  public static var outOfRange: Code { .outOfRange }
  /// `Code.unimplemented`.
  public static var unimplemented: Code { .unimplemented }
  /// `Code.internal`.
  public static var `internal`: Code { .internal }
  /// `Code.unavailable`.
  public static var unavailable: Code { .unavailable }
  /// `Code.dataLoss`.
  public static var dataLoss: Code { .dataLoss }
  /// `Code.unauthenticated`.
  public static var unauthenticated: Code { .unauthenticated }
}

extension FirestoreErrorCode {
  /// A mistake in what the caller asked for.
  static func invalid(_ message: String) -> FirestoreErrorCode {
    FirestoreErrorCode(.invalidArgument, message: message)
  }

  /// Something that only the server can do while the network is disabled.
  static func offline(_ what: String) -> FirestoreErrorCode {
    FirestoreErrorCode(
      .unavailable, message: "\(what): the client is offline. Call enableNetwork() and try again.")
  }

  /// The one mapping from the database's errors to Firebase's codes.
  package init(_ error: DatabaseError) {
    let code: Code =
      switch error {
      case .query, .write: .invalidArgument
      case .notFound: .notFound
      case .alreadyExists: .alreadyExists
      case .failedPrecondition: .failedPrecondition
      case .contention: .aborted
      case .storage(let error): FirestoreErrorCode.code(of: error)
      }
    self.init(code, message: error.description)
  }

  private static func code(of error: StorageError) -> Code {
    switch error {
    case .corrupt, .missing: .dataLoss
    case .newerFormat, .olderFormat, .closed: .failedPrecondition
    case .locked, .failed, .syncFailed: .unavailable
    case .diskFull: .resourceExhausted
    }
  }

  init(_ error: NameError) { self = .invalid(error.description) }

  init(_ error: FieldReferenceError) { self = .invalid(error.description) }
}
