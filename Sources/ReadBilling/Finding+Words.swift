extension Finding {
  /// What happened and what it cost.
  public var problem: String {
    let subject = label.map { "“\(query)”, under “\($0)”," } ?? "“\(query)”"
    let times = entries.count == 1 ? "once" : "\(entries.count.grouped) times"
    let cost = BilledReads.text(of: reads)
    return switch kind {
    case .offsetPaging:
      "\(subject) ran \(times) with an offset for \(cost), "
        + "of which \(readsSaved.grouped) paid for documents that were skipped."
    case .growingLimit:
      "\(subject) ran \(times) with a growing limit for \(cost), "
        + "and \(readsSaved.grouped) of them paid for documents that had been read before."
    case .wholeList:
      "\(subject) read a whole long list \(times) for \(cost)."
    case .unchangedRepeat:
      "\(subject) ran \(times) for \(cost), "
        + "and \(readsSaved.grouped) of them paid for answers that had not changed."
    case .reattachedListener:
      "\(subject) was listened to anew \(times) for \(cost)."
    case .countingByDownloading:
      "\(subject) downloaded documents \(times) for \(cost), and nothing looked at them."
    case .extraRow:
      "\(subject) read one document more than each page showed, and read it again on the next: "
        + "\(BilledReads.text(of: readsSaved)) of \(reads.grouped) paid twice for the same document."
    case .absentDocuments:
      "\(subject) looked for documents that are not there \(times) for \(cost)."
    case .cutTies:
      "\(subject) continued \(times) after a value that the next documents share: "
        + "\(documentsLost.grouped) \(documentsLost == 1 ? "document was" : "documents were") "
        + "never shown."
    case .wastedLoads:
      "\(subject) was loaded \(times) for \(cost), and the answer came too late or failed."
    }
  }

  /// What to do instead, and what that saves.
  public var advice: String {
    let saving = "that saves \(BilledReads.text(of: readsSaved))"
    return switch kind {
    case .offsetPaging: "Start after the last document shown: \(saving)."
    case .growingLimit:
      "Ask for the next page only, after the last document shown: \(saving)."
    case .wholeList: "Limit it to what a screen shows: \(saving) until somebody scrolls on."
    case .unchangedRepeat:
      "Keep the answer, or listen to the query where it must stay fresh: \(saving)."
    case .reattachedListener:
      "Keep the listener attached while the screen may come back: \(saving)."
    case .countingByDownloading: "Use count: \(saving)."
    case .extraRow:
      "Start the next page after the document that was read ahead and show it there, or let a short "
        + "page end the list: \(saving)."
    case .absentDocuments:
      "Remember what is not there, or ask only for what is known to exist: \(saving)."
    case .cutTies:
      "Start after the document instead of its value; the price is the same."
    case .wastedLoads:
      "Ask once, and wait for the answer before asking for something else: \(saving)."
    }
  }
}
