import FeedSimulation
import FeedStore
import Foundation

/// Google's published example beside what is computed from its habits, line by line.
struct ChatExampleReport {
  private struct Line {
    let size: String
    let name: String
    let published: Decimal
    let computed: Decimal
    let isMoney: Bool

    func words(_ amount: Decimal) -> String {
      isMoney ? "$\(amount.grouped(places: 2))" : amount.grouped(places: 0)
    }
  }

  private var lines: [Line] {
    ChatExample.sizes.flatMap { size in
      let (example, published) = (ChatExample(size), size.published)
      let bill = example.bill
      func money(_ name: String, _ cents: Int, _ computed: Decimal) -> Line {
        Line(
          size: size.name, name: name, published: Decimal(cents) / 100, computed: computed,
          isMoney: true)
      }
      return [
        Line(
          size: size.name, name: "reads a day", published: Decimal(published.readsADay),
          computed: example.usage.reads, isMoney: false),
        money("reads a month", published.readCents, bill.reads),
        money("writes", published.writeCents, bill.writes),
        money("deletes", published.deleteCents, bill.deletes),
        money("storage", published.storageCents, bill.storage),
        money("network", published.networkCents, bill.network),
        money("in all", published.totalCents, bill.total),
        Line(
          size: size.name, name: "reads of a daily count",
          published: Decimal(published.countedReadsADay),
          computed: Decimal(example.countedReadsADay), isMoney: false),
      ]
    }
  }

  func table(on terminal: Terminal) -> String {
    var text = terminal.styled("Google's chat app, published and computed", .bold) + "\n"
    text += introduction.wrapped() + "\n\n"
    var table = Table(columns: [
      .init(title: ["size"], alignment: .left), .init(title: ["figure"], alignment: .left),
      .init(title: ["published"]), .init(title: ["computed"]), .init(title: ["difference"]),
    ])
    for line in lines {
      let difference = line.computed - line.published
      table.rows.append([
        .init(line.name == "reads a day" ? line.size : ""), .init(line.name),
        .init(line.words(line.published)),
        .init(line.isMoney ? "$\(line.computed.grouped(places: 3))" : line.words(line.computed)),
        difference == 0 ? .init("–") : .init(difference.grouped(places: 3), .dim),
      ])
    }
    text += table.text(on: terminal)
    return text + "\n" + ChatExampleReport.explanations.map { $0.wrapped() + "\n" }.joined()
  }

  private var introduction: String {
    let habits = ChatExample.screens.map {
      "opens \($0.name) \($0.opensADay) times a day and reads \($0.documents) documents each time"
    }.joined(separator: "; ")
    return "A user \(habits); \(ChatExample.writesAUser) writes and as many deletes a user; nam5."
  }

  /// Why the computed figures are not the published ones, where they are not.
  static let explanations = [
    "Reads agree to the cent: 80 a user a day, beyond 50,000 free ones.",
    "Writes and deletes differ by up to 0.12: the page rounds a day's dollars to whole cents before "
      + "it multiplies by 30; nothing is rounded here. Its totals agree nevertheless, to the cent.",
    "Storage follows the page, which also multiplies the 3 KB of each installation by 30 days, and "
      + "which counts one month of the three it keeps.",
    "Network follows the page's 20 KB a user a day; its own tasks add up to 32.5 KB (50 chats of "
      + "0.5 KB, 30 messages of 0.25 KB).",
    "The daily count of new messages stands beside the page's totals, not in them.",
  ]

  var json: JSONText {
    .object([
      ("source", .text("https://docs.cloud.google.com/firestore/native/docs/billing-example")),
      (
        "figures",
        .array(
          lines.map {
            .object([
              ("size", .text($0.size)), ("figure", .text($0.name)),
              ("published", .decimal($0.published)), ("computed", .decimal($0.computed)),
            ])
          })
      ),
      ("explanations", .array(ChatExampleReport.explanations.map { .text($0) })),
    ])
  }

  var csv: CSV {
    CSV(
      header: ["size", "figure", "published", "computed"],
      rows: lines.map {
        [$0.size, $0.name, $0.published.description, $0.computed.description]
      })
  }
}
