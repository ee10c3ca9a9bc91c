// The command line speaks of seeds by their index, and knows this module only.
@_exported public import Seeds
