/** Schemas of query collections, the allow-list and REST endpoints. */

import * as z from "zod";
import { isObject } from "../../../runtime/values/is-object.ts";
import type { AllowlistEntry, QueryCollection, RestEndpoint } from "../outside-sources.ts";
import { choose, duplicates, has, list, namedList, nonEmptyList, object, oneOf } from "./combinators.ts";
import { bool, nonEmptyText, roleName, text } from "./scalars.ts";

/** The text of a query is parsed later, when the collection is checked against the GraphQL schema. */
const collectionDefinition: z.ZodType<QueryCollection["definition"]> = object({
  required: { queries: list(object({ required: { name: nonEmptyText, query: text } })) },
});

const queryCollection: z.ZodType<QueryCollection> = object({
  required: { name: nonEmptyText, definition: collectionDefinition },
  optional: { comment: text },
});
export const queryCollections = namedList("query collections", queryCollection, ({ name }) => name);

type Scope = AllowlistEntry["scope"];

const globalScope = object({ required: { global: z.literal(true) } });
const roleScope = object({ required: { global: z.literal(false), roles: nonEmptyList(roleName) } }).superRefine(
  ({ roles }, context) => {
    if (duplicates(roles).length === 0) return;
    context.addIssue({ code: "custom", message: "duplicate roles are not allowed" });
  },
);
const anyScope = object({ required: { global: bool } }) as z.ZodType<never>;

export const allowlistScope: z.ZodType<Scope> = choose<Scope>((input) => {
  if (!isObject(input) || typeof input.global !== "boolean") return anyScope;
  if (input.global && has(input, "roles")) return { refused: "roles are not allowed when global is true" };
  return input.global ? globalScope : roleScope;
});

export const allowlistEntry: z.ZodType<AllowlistEntry> = object({
  required: { collection: nonEmptyText },
  defaulted: { scope: allowlistScope.default({ global: true }) },
});
export const allowlist = namedList("allowlist entries", allowlistEntry, ({ collection }) => collection);

export const restEndpoint: z.ZodType<RestEndpoint> = object({
  required: {
    name: nonEmptyText,
    url: nonEmptyText,
    methods: nonEmptyList(oneOf(["GET", "POST", "PUT", "DELETE", "PATCH"])),
    definition: object({
      required: { query: object({ required: { collection_name: nonEmptyText, query_name: nonEmptyText } }) },
    }),
  },
  optional: { comment: text },
});
export const restEndpoints = namedList("rest endpoints", restEndpoint, ({ name }) => name);
