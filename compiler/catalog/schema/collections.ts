/** Schemas of query collections, the allow-list and REST endpoints. */

import * as z from "zod";
import { isObject } from "../../../runtime/values/is-object.ts";
import type { AllowlistEntry, QueryCollection, RestEndpoint } from "../outside-sources.ts";
import { choose, duplicates, has, list, namedList, nonEmptyList, object, oneOf } from "./combinators.ts";
import { bool, nonEmptyText, roleName, text } from "./scalars.ts";

/** The text of a query is parsed later, when the collection is checked against the GraphQL schema. */
const collectionDefinition: z.ZodType<QueryCollection["definition"]> = object({
  about: { queries: "The operations." },
  required: {
    queries: list(
      object({
        about: {
          name: "Name of the operation in the collection.",
          query: "GraphQL document with one operation, and fragments if necessary.",
        },
        required: { name: nonEmptyText, query: text },
      }),
    ),
  },
});

const queryCollection: z.ZodType<QueryCollection> = object({
  about: {
    name: "Name of the collection.",
    definition: "Contents of the collection.",
    comment: "Note for readers of the metadata, without effect.",
  },
  required: { name: nonEmptyText, definition: collectionDefinition },
  optional: { comment: text },
});
export const queryCollections = namedList("query collections", queryCollection, ({ name }) => name);

type Scope = AllowlistEntry["scope"];

const globalScope = object({
  about: { global: "`true`: all roles may run the operations." },
  required: { global: z.literal(true) },
});
const roleScope = object({
  about: {
    global: "`false`: only the listed roles may run the operations.",
    roles: "Roles that may run the operations.",
  },
  required: { global: z.literal(false), roles: nonEmptyList(roleName) },
}).superRefine(({ roles }, context) => {
  if (duplicates(roles).length === 0) return;
  context.addIssue({ code: "custom", message: "duplicate roles are not allowed" });
});
const anyScope = object({ required: { global: bool } }) as z.ZodType<never>;

export const allowlistScope: z.ZodType<Scope> = choose<Scope>(
  () => [globalScope, roleScope],
  (input) => {
    if (!isObject(input) || typeof input.global !== "boolean") return anyScope;
    if (input.global && has(input, "roles")) return { refused: "roles are not allowed when global is true" };
    return input.global ? globalScope : roleScope;
  },
);

export const allowlistEntry: z.ZodType<AllowlistEntry> = object({
  about: { collection: "Query collection whose operations are allowed.", scope: "Roles that may run them." },
  required: { collection: nonEmptyText },
  defaulted: { scope: allowlistScope.default({ global: true }) },
});
export const allowlist = namedList("allowlist entries", allowlistEntry, ({ collection }) => collection);

/** The operation of a REST endpoint or of a tool for assistants. */
export const savedOperation: z.ZodType<RestEndpoint["definition"]> = object({
  about: { query: "The saved operation." },
  required: {
    query: object({
      about: { collection_name: "Query collection.", query_name: "Name of the operation in the collection." },
      required: { collection_name: nonEmptyText, query_name: nonEmptyText },
    }),
  },
});

export const restEndpoint: z.ZodType<RestEndpoint> = object({
  about: {
    name: "Name of the endpoint.",
    url: "Path below `/api/rest/`; a segment `:name` is the variable `name` of the operation.",
    methods: "HTTP methods of the endpoint.",
    definition: "The operation to run.",
    comment: "Description in the OpenAPI document.",
  },
  required: {
    name: nonEmptyText,
    url: nonEmptyText,
    methods: nonEmptyList(oneOf(["GET", "POST", "PUT", "DELETE", "PATCH"])),
    definition: savedOperation,
  },
  optional: { comment: text },
});
export const restEndpoints = namedList("rest endpoints", restEndpoint, ({ name }) => name);
