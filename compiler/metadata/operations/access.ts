/** Operation that returns the effective permissions of roles. */
import { list, object } from "../../catalog/schema/combinators.ts";
import { text } from "../../catalog/schema/scalars.ts";
import { ioOperation } from "../operation.ts";

export const accessOperations = [
  ioOperation("export_access", {
    about:
      "Returns the effective permissions of roles: with inherited permissions, and row filters as in the generated code.",
    endpoints: { metadata: "plain" },
    input: object({
      about: { roles: "Roles to return. Default: all roles except `admin`." },
      optional: { roles: list(text) },
    }),
  }),
];
