/// The words the seeds are made of. Names of people, series, studios and banks are invented.
enum Vocabulary {
  static let authors = [
    "mara", "ilse.k", "jonas", "teo_v", "quill", "rin", "bex", "amadou", "noor", "lev", "petra.s",
    "otis", "yuki_m", "sol", "ines", "dag", "wren", "kofi", "lumi", "pascal",
  ]
  static let kinds = ["text", "text", "text", "photo", "photo", "link", "video"]
  static let sections = ["City", "Food", "Science", "Work", "Travel", "Culture", "Garden"]
  static let fullNames = [
    "Mara Lindqvist", "Teo Varga", "Ines Okafor", "Jonas Albrecht", "Noor Haddad", "Wren Castell",
    "Yuki Morita", "Petra Sandoval", "Amadou Keita", "Lumi Aalto",
  ]
  static let studios = [
    "Studio Paper Lamp", "Northlight", "Hollow Reed Works", "Kite & Daughters", "Blue Furnace",
    "Seven Steps Animation", "Tin Moon",
  ]
  static let towns = [
    "Aldermoor", "Brackwater", "Corvane", "Dunhollow", "Eastmere", "Fallowby", "Grenwick",
    "Harrowgate", "Ilmenau Cross", "Jasper Bay", "Kestrel Point", "Lowmarsh", "Merrowdale",
    "Northfen", "Oakhaven",
  ]

  private static let openings = [
    "Finally fixed", "Still thinking about", "Just finished", "Can anybody recommend",
    "Day three with", "Slowly learning", "Nobody told me about", "Rewatching", "Proud of",
    "Selling", "Today's walk ended at", "Small update on",
  ]
  private static let qualities = [
    "the old", "a second-hand", "my first", "the neighbour's", "an overgrown", "the tiny",
    "a noisy", "the borrowed", "a very orange", "the last",
  ]
  private static let things = [
    "bicycle", "sourdough", "balcony garden", "film camera", "espresso machine", "pull request",
    "record player", "harbour wall", "train timetable", "winter coat", "chess opening", "kayak",
    "bookshelf", "telescope",
  ]
  private static let closings = [
    ".", ".", "!", " before breakfast.", ", again.", " and it shows.", ". Photos soon.",
    " (long story).",
  ]
  private static let subjects = [
    "The Quiet Return of", "What We Get Wrong About", "A Short History of", "Inside",
    "Twelve Hours With", "The Case Against", "How to Repair", "Letters About", "The Price of",
    "Learning From",
  ]
  private static let matters = [
    "Night Trains", "the Corner Bakery", "Tidal Power", "Open Offices", "Wild Swimming",
    "Paper Maps", "City Bees", "the Four-Day Week", "Slow Coffee", "Public Benches",
    "Allotment Gardens", "Lighthouses", "Old Keyboards", "Ferry Routes",
  ]
  private static let heroes = [
    "Clockwork", "Paper", "Salt", "Northern", "Hollow", "Starlit", "Borrowed", "Silent", "Amber",
    "Seventh", "Wandering", "Glass",
  ]
  private static let places = [
    "Courier", "Orchard", "Lighthouse", "Parade", "Kitchen", "Cartographer", "Meridian", "Garden",
    "Railway", "Alchemist", "Fox", "Harbour", "Archive", "Voyage",
  ]
  private static let sequels = [
    "", "", "", "", " II", ": Afterglow", " Second Season", ": Origins",
  ]
  private static let ownerships = [
    "First", "United", "Mutual", "Merchants", "Farmers", "People's", "Mariners", "Cooperative",
    "Old Mint", "Harbour",
  ]
  private static let houses = ["Bank", "Savings Bank", "Credit Union", "Trust"]

  static func sentence(_ random: inout SeededRandom) -> String {
    "\(random.element(of: openings)) \(random.element(of: qualities)) "
      + "\(random.element(of: things))\(random.element(of: closings))"
  }

  static func headline(_ random: inout SeededRandom) -> String {
    "\(random.element(of: subjects)) \(random.element(of: matters))"
  }

  static func series(_ random: inout SeededRandom) -> String {
    "\(random.element(of: heroes)) \(random.element(of: places))\(random.element(of: sequels))"
  }

  static func bank(_ random: inout SeededRandom) -> String {
    "\(random.element(of: ownerships)) \(random.element(of: houses))"
  }
}
