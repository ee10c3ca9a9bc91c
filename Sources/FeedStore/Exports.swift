// One import replaces `import FirebaseFirestore`, which brings Foundation along as well.
@_exported public import FeedPaging
@_exported public import Foundation
@_exported public import ReadBilling
