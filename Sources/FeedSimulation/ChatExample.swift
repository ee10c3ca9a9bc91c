package import FeedStore
import Foundation

/// The chat app whose costs Google publishes, computed from its stated habits.
///
/// Source: https://docs.cloud.google.com/firestore/native/docs/billing-example
package struct ChatExample: Hashable, Sendable {
  /// One of the three sizes of the example, and what the page says it costs.
  package struct Size: Hashable, Sendable {
    package let name: String
    package let dailyUsers: Int
    package let published: Published
  }

  /// The figures of the page, as they stand there, in cents of a US dollar.
  package struct Published: Hashable, Sendable {
    package let readsADay: Int
    package let readCents: Int
    package let writeCents: Int
    package let deleteCents: Int
    package let storageCents: Int
    package let networkCents: Int
    package let totalCents: Int
    package let countedReadsADay: Int
  }

  package static let sizes = [
    Size(
      name: "small", dailyUsers: 5_000,
      published: Published(
        readsADay: 400_000, readCents: 630, writeCents: 420, deleteCents: 60, storageCents: 104,
        networkCents: 0, totalCents: 1_214, countedReadsADay: 50)),
    Size(
      name: "medium", dailyUsers: 100_000,
      published: Published(
        readsADay: 8_000_000, readCents: 14_310, writeCents: 10_680, deleteCents: 1_200,
        storageCents: 2_412, networkCents: 600, totalCents: 29_202, countedReadsADay: 1_000)),
    Size(
      name: "large", dailyUsers: 1_000_000,
      published: Published(
        readsADay: 80_000_000, readCents: 143_910, writeCents: 107_880, deleteCents: 12_000,
        storageCents: 24_282, networkCents: 7_080, totalCents: 295_152, countedReadsADay: 10_000)),
  ]

  package let size: Size

  package init(_ size: Size) { self.size = size }

  /// A user opens the list of chats five times a day, each time with ten chats that changed, and
  /// reads thirty new messages a day, six each time.
  package static let screens = [
    OtherScreen(name: "chats", opensADay: 5, documents: 10),
    OtherScreen(name: "messages", opensADay: 5, documents: 6),
  ]

  /// A message is one document and one update of its chat; a user sends ten a day, and for each
  /// write the example deletes a document of three months ago.
  package static let writesAUser = 20

  package var usage: TypicalDay {
    let users = Decimal(size.dailyUsers)
    let writes = users * Decimal(ChatExample.writesAUser)
    // 15 KB of messages a day and, for ten installations a user, 3 KB each; the page multiplies
    // both by thirty days. 20 KB a day leave the data centre.
    return TypicalDay(
      reads: ChatExample.screens.reduce(0) { $0 + $1.readsADay(users: size.dailyUsers) },
      writes: writes, deletes: writes, gigabytesStored: users * 45 * 30 / 1_000_000,
      gigabytesSentAMonth: users * 20 * 30 / 1_000_000)
  }

  package var bill: MonthlyBill { MonthlyBill(usage, at: .nam5) }

  /// The reads of counting a day's new messages once a day, which the page lists beside its total.
  package var countedReadsADay: Int {
    BillingRules.reads(for: .aggregation(indexEntries: size.dailyUsers * 10)).total
  }
}

/// A screen that everybody opens so often, and the documents its query returns.
package struct OtherScreen: Hashable, Sendable {
  package let name: String
  package let opensADay: Decimal
  package let documents: Int

  package init(name: String, opensADay: Decimal, documents: Int) {
    self.name = name
    self.opensADay = opensADay
    self.documents = documents
  }

  package func readsADay(users: Int) -> Decimal {
    let query = BillableOperation.query(
      returned: documents, skipped: 0, indexEntries: 0, rangeFields: 0)
    return Decimal(users) * opensADay * Decimal(BillingRules.reads(for: query).total)
  }
}
