/** Operations that return earlier versions of the metadata, and the environment variables that it uses. */
import { list, object } from "../../catalog/schema/combinators.ts";
import { bool, nonNegativeInt, text } from "../../catalog/schema/scalars.ts";
import { noArguments } from "../arguments.ts";
import { ioOperation } from "../operation.ts";

const limit = nonNegativeInt().refine((value) => value >= 1 && value <= 1000, "expected a number from 1 to 1000");
const version = nonNegativeInt();

export const metadataHistoryOperations = [
  ioOperation("get_metadata_history", {
    about: "Returns the last changes of the metadata, newest first: time, caller, operations and changed objects.",
    endpoints: { metadata: "plain" },
    input: object({
      about: {
        limit: "Number of changes, from 1 to 1000. Default: 100.",
        before: "Returns only changes to versions below this one. Default: all.",
      },
      defaulted: { limit: limit.default(100) },
      optional: { before: version },
    }),
  }),
  ioOperation("get_metadata_version", {
    about: "Returns the metadata of an earlier version, in the form of `export_metadata`.",
    endpoints: { metadata: "plain" },
    input: object({
      about: { resource_version: "Version of the metadata." },
      required: { resource_version: version },
    }),
  }),
  ioOperation("compare_metadata_versions", {
    about:
      "Returns the parts of the metadata that differ between two versions, each before and after, and on request the access and the generated modules that differ.",
    endpoints: { metadata: "plain" },
    input: object({
      about: {
        from: "Earlier version.",
        to: "Later version. Default: the current one.",
        effects:
          "Also returns `summary`, `access` and `modules`, in the form of `plan_metadata`, of both versions on the current databases. Default: `false`.",
        roles: "Roles to compare with `effects`; roles that inherit from them are included. Default: all roles.",
      },
      required: { from: version },
      defaulted: { effects: bool.default(false) },
      optional: { to: version, roles: list(text) },
    }),
  }),
  ioOperation("get_environment_variables", {
    about:
      "Returns the names of the environment variables that the metadata uses, where it uses them, and whether they are set. Values are not returned.",
    endpoints: { metadata: "plain" },
    input: noArguments,
  }),
];
