import ReadBilling
import Synchronization

/// Where a snapshot comes from.
public final class SnapshotMetadata: Hashable, Sendable {
  /// Whether it shows writes that the server has not seen.
  public let hasPendingWrites: Bool
  /// Whether it comes from the client's cache and may be behind the server.
  public let isFromCache: Bool

  /// What the documents that share this were booked as, and by whom; nil where nobody asks whether
  /// they are looked at.
  private let booking: (meter: ReadMeter, receipt: ReadMeter.Receipt)?
  /// Whether the meter would like to hear of the next look.
  private let awaitsLook: Atomic<Bool>

  init(
    hasPendingWrites: Bool, isFromCache: Bool,
    booking: (meter: ReadMeter, receipt: ReadMeter.Receipt)? = nil
  ) {
    self.hasPendingWrites = hasPendingWrites
    self.isFromCache = isFromCache
    self.booking = booking
    awaitsLook = Atomic(booking != nil)
  }

  /// Tells the meter, once, that somebody looked at one of the documents.
  @inline(__always)
  func noteLook() {
    if awaitsLook.load(ordering: .relaxed) { noteFirstLook() }
  }

  @inline(never)
  private func noteFirstLook() {
    awaitsLook.store(false, ordering: .relaxed)
    if let booking { booking.meter.markAsLookedAt(booking.receipt) }
  }

  static let fromServer = SnapshotMetadata(hasPendingWrites: false, isFromCache: false)
  static let fromCache = SnapshotMetadata(hasPendingWrites: false, isFromCache: true)

  /// The metadata that the documents of one answer share.
  static func fromServer(
    _ receipt: ReadMeter.Receipt, of meter: ReadMeter
  ) -> SnapshotMetadata {
    guard meter.keepsEntries else { return .fromServer }
    return SnapshotMetadata(
      hasPendingWrites: false, isFromCache: false, booking: (meter, receipt))
  }

  /// Whether both say the same.
  public static func == (left: SnapshotMetadata, right: SnapshotMetadata) -> Bool {
    left.hasPendingWrites == right.hasPendingWrites && left.isFromCache == right.isFromCache
  }

  /// Feeds the metadata to `hasher`.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(hasPendingWrites)
    hasher.combine(isFromCache)
  }
}
