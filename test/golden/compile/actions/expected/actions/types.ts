// Generated: change the metadata, not this file.
// From   custom types
// Slice  sha256:407719be

import { actionTypes } from "engine/support";

/** Types of action arguments and results. */
export const types = actionTypes(
  `
type Address {
  city: String
}

"""What is bought"""
input Item {
  book: Int!
  size: Size
  parts: [Item!]
}

"""Euros and cents. */ \`\${1}\`"""
scalar Money

"What was bought:\\nlines are kept.\\n"
type Order {
  id: uuid!
  """Who buys"""
  buyer: Int
  price: Money
  to: Address
  parts: [Order!]!
}

enum Size {
  """At most 20 cm"""
  SMALL
  LARGE @deprecated(reason: "No longer supported")
}
`,
);
