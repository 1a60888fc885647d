/** The operation on findings about the metadata. */
import { object } from "../../catalog/schema/combinators.ts";
import { bool, roleName } from "../../catalog/schema/scalars.ts";
import { ioOperation } from "../operation.ts";

export const adviceOperations = [
  ioOperation("advise", {
    about:
      "Returns findings about permissions, API limits and indexes: readable secrets, missing row filters, unlimited lists, functions with the rights of their owner, missing indexes, unused roles. Each has a severity, its place in the metadata, the reason and a remedy. Reads the indexes and functions of all databases, and on PostgreSQL plans of row filters and joins, which are not run.",
    endpoints: { metadata: "plain" },
    input: object({
      about: {
        unauthorized_role: "Role of requests without credentials. Default: the role of the server.",
        counts:
          "Returns `counts` instead of `findings`: the number of errors, warnings and notes about each table and permission, by its path. Default: `false`.",
        authenticated_only: "True: reviews the metadata for a server that refuses requests without credentials.",
      },
      optional: { unauthorized_role: roleName },
      defaulted: { counts: bool.default(false), authenticated_only: bool.default(false) },
    }),
  }),
];
