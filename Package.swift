// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "FeedStore",
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  products: [
    .library(name: "FeedStore", targets: ["FeedStore"]),
    .library(name: "FeedPaging", targets: ["FeedPaging"]),
    .executable(name: "feedsim", targets: ["feedsim"]),
  ],
  targets: [
    .target(name: "StorageEngine"),
    .target(name: "DocumentDatabase", dependencies: ["StorageEngine"]),
    .target(name: "ReadBilling"),
    .target(name: "FeedPaging", dependencies: ["ReadBilling"]),
    .target(
      name: "FeedStore",
      dependencies: ["DocumentDatabase", "FeedPaging", "ReadBilling", "StorageEngine"]),
    .target(
      name: "Seeds", path: "Seeds", sources: ["Seeds.swift"], resources: [.copy("Collections")]),
    .target(name: "FeedSimulation", dependencies: ["FeedStore", "Seeds"]),
    .executableTarget(name: "feedsim", dependencies: ["FeedSimulation", "FeedStore"]),
    .executableTarget(name: "feedbench", dependencies: ["FeedStore"], exclude: ["RESULTS.md"]),

    .target(name: "ReferenceModel", path: "Tests/ReferenceModel"),
    .target(
      name: "TestSupport", dependencies: ["DocumentDatabase", "StorageEngine"],
      path: "Tests/TestSupport"),
    .executableTarget(
      name: "CrashWriter", dependencies: ["DocumentDatabase", "StorageEngine", "TestSupport"],
      path: "Tests/CrashWriter"),
    .target(name: "SDKStandIn", path: "Tests/SDKStandIn"),
    .testTarget(name: "StorageEngineTests", dependencies: ["StorageEngine", "TestSupport"]),
    .testTarget(
      name: "DocumentDatabaseTests",
      dependencies: [
        "CrashWriter", "DocumentDatabase", "ReferenceModel", "StorageEngine", "TestSupport",
      ]),
    .testTarget(name: "ReadBillingTests", dependencies: ["ReadBilling", "TestSupport"]),
    .testTarget(
      name: "FeedPagingTests", dependencies: ["FeedPaging", "ReadBilling", "TestSupport"]),
    .testTarget(
      name: "FeedStoreTests",
      dependencies: [
        "DocumentDatabase", "FeedStore", "ReferenceModel", "TestSupport", "SDKStandIn",
      ]),
    .testTarget(
      name: "FeedSimulationTests",
      dependencies: ["FeedSimulation", "FeedStore", "Seeds", "TestSupport"]),
    .testTarget(
      name: "ConformanceTests", dependencies: ["DocumentDatabase", "FeedStore", "ReadBilling"],
      resources: [.copy("Vectors")]),
    .testTarget(
      name: "CommandLineTests", dependencies: ["TestSupport", "feedsim"],
      resources: [.copy("Golden")]),
    .testTarget(name: "TidyTests", dependencies: ["TestSupport"]),
  ],
  swiftLanguageModes: [.v6]
)

for target in package.targets {
  target.swiftSettings = [
    .strictMemorySafety(),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
  ]
}
