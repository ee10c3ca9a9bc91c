/// A rule that Google's pages leave open or on which they contradict each other.
public enum OpenRule: String, CaseIterable, Codable, Hashable, Sendable {
  /// Whether a look-up that finds nothing is one read.
  case missingDocumentIsBilled
  /// Whether a listener whose first result is empty costs the minimum of a query.
  case emptyListenerIsBilled
  /// Whether names alone cost as much as whole documents.
  case namesAreBilledAsDocuments
  /// Whether a document that takes the place of another in a limited result is one read.
  case refillIsBilled
  /// Whether a document that another one pushes out of a limited result is free.
  case pushedOutIsFree
  /// Whether a listener is charged for the changes that its own client wrote.
  case ownWriteIsBilled
  /// Whether a listener that resumes in time to no change at all is free.
  case unchangedResumeIsFree
  /// Whether a transaction that is run again pays its reads again.
  case retryIsBilled
  /// Whether a document that a mobile transaction read and did not write is one more read.
  case verificationIsBilled
  /// Whether a list of collection ids is one read per request, however many ids it has.
  case listingIsBilledPerRequest
  /// Whether a document that exists only as a parent is listed for nothing.
  case listedParentIsFree
  /// Whether the order by name at the end of every query is no range field.
  case trailingNameOrderIsNoRange
}

extension OpenRule {
  var bit: UInt32 {
    switch self {
    case .missingDocumentIsBilled: 1 << 0
    case .emptyListenerIsBilled: 1 << 1
    case .namesAreBilledAsDocuments: 1 << 2
    case .refillIsBilled: 1 << 3
    case .pushedOutIsFree: 1 << 4
    case .ownWriteIsBilled: 1 << 5
    case .unchangedResumeIsFree: 1 << 6
    case .retryIsBilled: 1 << 7
    case .verificationIsBilled: 1 << 8
    case .listingIsBilledPerRequest: 1 << 9
    case .listedParentIsFree: 1 << 10
    case .trailingNameOrderIsNoRange: 1 << 11
    }
  }

  /// What is assumed, what would be otherwise, and where it is left open.
  var words: (assumed: String, otherwise: String, source: String) {
    let pricing = "https://firebase.google.com/docs/firestore/pricing"
    let questions = "https://docs.cloud.google.com/firestore/native/docs/billing-questions"
    return switch self {
    case .missingDocumentIsBilled:
      (
        "a look-up that finds nothing is one read", "a look-up that finds nothing is free",
        "https://cloud.google.com/datastore/docs/concepts/entities"
      )
    case .emptyListenerIsBilled:
      (
        "a listener whose first result is empty is one read",
        "a listener whose first result is empty is free", questions
      )
    case .namesAreBilledAsDocuments:
      (
        "a query for names alone is billed as one for whole documents",
        "a query for names alone is one read",
        "https://cloud.google.com/datastore/docs/concepts/queries"
      )
    case .refillIsBilled:
      (
        "an unchanged document that refills a limited listener is one read",
        "an unchanged document that refills a limited listener is free", questions
      )
    case .pushedOutIsFree:
      (
        "an unchanged document pushed out of a limited listener is free",
        "an unchanged document pushed out of a limited listener is one read", questions
      )
    case .ownWriteIsBilled:
      (
        "a listener pays for its own client's writes as for anybody's",
        "a listener hears of its own client's writes for nothing", questions
      )
    case .unchangedResumeIsFree:
      (
        "a listener that resumes within 30 minutes to no change is free",
        "a listener that resumes within 30 minutes to no change is one read", pricing
      )
    case .retryIsBilled:
      (
        "a transaction that is run again pays its reads again",
        "a transaction pays for its first run only",
        "https://firebase.google.com/docs/firestore/manage-data/transactions"
      )
    case .verificationIsBilled:
      (
        "a document that a mobile transaction read and did not write is one more read",
        "the check of a document that a transaction read and did not write is free", questions
      )
    case .listingIsBilledPerRequest:
      (
        "a list of collection ids is one read per request",
        "a list of collection ids is one read per id, as the console's usage page shows",
        questions
      )
    case .listedParentIsFree:
      (
        "a document that exists only as a parent is listed for nothing",
        "a document that exists only as a parent is one read in a list",
        "https://firebase.google.com/docs/firestore/reference/rest/v1/projects.databases.documents/list"
      )
    case .trailingNameOrderIsNoRange:
      (
        "the order by name that ends every query is no range field",
        "the order by name that ends every query is a range field beside another one", pricing
      )
    }
  }

  /// The page that leaves the rule open.
  public var source: String { words.source }
}

/// How the open rules are taken: each as its name says, except those that are overturned.
public struct BillingAssumptions: Hashable, Sendable {
  private var overturned: UInt32 = 0

  /// Every open rule as its name says.
  public static let documented = BillingAssumptions()

  /// Every open rule as its name says, except some.
  ///
  /// - Parameter rules: those that are taken the other way.
  public init(overturning rules: Set<OpenRule> = []) {
    for rule in rules { overturned |= rule.bit }
  }

  /// Whether a rule is taken as its name says.
  public func holds(_ rule: OpenRule) -> Bool { overturned & rule.bit == 0 }

  /// What is assumed, one sentence for each open rule, in the order in which ``OpenRule`` declares
  /// them.
  public var statements: [String] { OpenRule.allCases.map(statement(of:)) }

  /// What is assumed of one rule, in words.
  public func statement(of rule: OpenRule) -> String {
    holds(rule) ? rule.words.assumed : rule.words.otherwise
  }
}
