public import FeedPaging

extension Query: PageableQuery {}
