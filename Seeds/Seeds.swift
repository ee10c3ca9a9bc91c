public import Foundation

/// A collection made for examples and comparisons: invented data, the same bytes everywhere.
///
/// The files are JSON lines, one document a line, with its id in the field `id`. Timestamps are
/// ISO 8601 text in the fields `timestampFields` names.
public struct Seed: Hashable, Sendable {
  /// The name the command line knows it by, and of the collection it fills.
  public let name: String
  /// The file's name in the folder `Collections`.
  public let file: String
  /// What the documents are, in one sentence.
  public let summary: String
  /// The field the feed is usually ordered by.
  public let orderField: String
  /// Whether the feed usually starts with the highest value of `orderField`.
  public let isDescending: Bool
  /// The fields whose ISO 8601 text stands for a timestamp.
  public let timestampFields: [String]
  /// The number of documents in the file.
  public let count: Int

  /// The bytes of the file.
  ///
  /// - Throws: Foundation's error where the file cannot be read.
  public func contents() throws -> Data {
    try Data(contentsOf: Bundle.module.bundleURL.appending(path: "Collections/\(file)"))
  }
}

extension Seed {
  /// 1,000 posts of a social feed: bursts of posts share one `createdAt`, 12 drafts have none, and
  /// one has a null.
  public static let posts = Seed(
    name: "posts", file: "posts.jsonl",
    summary: "a social feed: bursts of posts share one createdAt, drafts have none, one has a null",
    orderField: "createdAt", isDescending: true, timestampFields: ["createdAt"], count: 1000)

  /// 120 articles of a magazine, published a few a day at the same minute.
  public static let articles = Seed(
    name: "articles", file: "articles.jsonl",
    summary: "a magazine's articles, a few a day published at the same minute",
    orderField: "publishedAt", isDescending: true, timestampFields: ["publishedAt"], count: 120)

  /// 250 invented series by rank, as lists with page numbers show them.
  public static let anime = Seed(
    name: "anime", file: "anime.jsonl",
    summary: "a ranking of invented series: rank, score (with ties), episodes",
    orderField: "rank", isDescending: false, timestampFields: [], count: 250)

  /// 60 invented banks by name.
  public static let banks = Seed(
    name: "banks", file: "banks.jsonl",
    summary: "invented banks: name, code with leading zeros, city, branches",
    orderField: "name", isDescending: false, timestampFields: [], count: 60)

  /// Every shipped seed.
  public static let all = [posts, articles, anime, banks]
}
