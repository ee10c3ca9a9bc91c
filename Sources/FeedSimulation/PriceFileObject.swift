import Foundation

/// An object of a price file, which knows where it is for the sake of errors.
struct PriceFileObject {
  let file: String
  /// Where the object is: `standard[0].`, or nothing for the whole file.
  private let place: String
  private let members: [String: PriceFileValue]

  init(json: Data, file: String) throws(PriceListError) {
    let value: PriceFileValue
    do { value = try JSONDecoder().decode(PriceFileValue.self, from: json) } catch {
      throw .notJSON(file: file, reason: PriceFileObject.reason(of: error))
    }
    guard case .object(let members) = value else {
      throw .wrongType(file: file, member: "the file", expected: "an object")
    }
    self.init(file: file, place: "", members: members)
  }

  private init(file: String, place: String, members: [String: PriceFileValue]) {
    self.file = file
    self.place = place
    self.members = members
  }

  private static func reason(of error: any Error) -> String {
    guard case DecodingError.dataCorrupted(let context) = error else { return "\(error)." }
    let underlying = (context.underlyingError as NSError?)?.userInfo[NSDebugDescriptionErrorKey]
    return (underlying as? String) ?? context.debugDescription
  }

  /// Refuses members that nobody would look at.
  func only(_ known: [String]) throws(PriceListError) {
    for member in members.keys.sorted() where !known.contains(member) {
      throw .unknownMember(file: file, member: place + member, known: known)
    }
  }

  func text(_ member: String) throws(PriceListError) -> String {
    guard let text = try optionalText(member) else {
      throw .missing(file: file, member: place + member)
    }
    return text
  }

  func optionalText(_ member: String) throws(PriceListError) -> String? {
    switch members[member] {
    case nil: return nil
    case .text(let text)? where !text.isEmpty: return text
    default: throw wrongType(member, "a text that is not empty")
    }
  }

  func flag(_ member: String) throws(PriceListError) -> Bool {
    switch members[member] {
    case nil: return false
    case .flag(let flag)?: return flag
    default: throw wrongType(member, "true or false")
    }
  }

  func price(_ member: String) throws(PriceListError) -> Decimal {
    guard let price = try optionalPrice(member) else {
      throw .missing(file: file, member: place + member)
    }
    return price
  }

  func optionalPrice(_ member: String) throws(PriceListError) -> Decimal? {
    let price: Decimal?
    switch members[member] {
    case nil: return nil
    case .number(let number)?: price = number
    case .text(let text)?: price = PriceFileObject.decimal(text)
    default: price = nil
    }
    guard let price, price.isFinite else { throw wrongType(member, "a number of US dollars") }
    guard price >= 0 else { throw .negative(file: file, member: place + member) }
    return price
  }

  /// A decimal number that takes up the whole text; `Decimal(string:)` would read a prefix.
  private static func decimal(_ text: String) -> Decimal? {
    guard text.wholeMatch(of: /-?[0-9]+(\.[0-9]+)?/) != nil else { return nil }
    return Decimal(string: text, locale: Locale(identifier: "en_US_POSIX"))
  }

  func count(_ member: String) throws(PriceListError) -> Int {
    guard let value = members[member] else {
      throw .missing(file: file, member: place + member)
    }
    guard case .number(let number) = value, let count = Int("\(number)") else {
      throw wrongType(member, "a whole number")
    }
    guard count >= 0 else { throw .negative(file: file, member: place + member) }
    return count
  }

  func object(_ member: String) throws(PriceListError) -> PriceFileObject? {
    switch members[member] {
    case nil: return nil
    case .object(let members)?:
      return PriceFileObject(file: file, place: place + member + ".", members: members)
    default: throw wrongType(member, "an object")
    }
  }

  func objects(_ member: String) throws(PriceListError) -> [PriceFileObject] {
    guard let value = members[member] else { return [] }
    guard case .list(let values) = value else { throw wrongType(member, "a list of objects") }
    var objects: [PriceFileObject] = []
    for (index, value) in values.enumerated() {
      guard case .object(let members) = value else {
        throw wrongType("\(member)[\(index)]", "an object")
      }
      objects.append(
        PriceFileObject(file: file, place: "\(place)\(member)[\(index)].", members: members))
    }
    return objects
  }

  private func wrongType(_ member: String, _ expected: String) -> PriceListError {
    .wrongType(file: file, member: place + member, expected: expected)
  }
}

/// JSON whose numbers stay decimal.
private enum PriceFileValue: Decodable {
  case null
  case flag(Bool)
  case number(Decimal)
  case text(String)
  case list([PriceFileValue])
  case object([String: PriceFileValue])

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let flag = try? container.decode(Bool.self) {
      self = .flag(flag)
    } else if let text = try? container.decode(String.self) {
      self = .text(text)
    } else if let number = try? container.decode(Decimal.self) {
      self = .number(number)
    } else if let list = try? container.decode([PriceFileValue].self) {
      self = .list(list)
    } else {
      self = .object(try container.decode([String: PriceFileValue].self))
    }
  }
}
