/** Operations on query collections. */

import * as z from "zod";
import { pathTo } from "../../../runtime/values/errors.ts";
import { messageOf } from "../../../runtime/values/message-of.ts";
import { parseSavedQuery } from "../../2-analyze/queries-by-name.ts";
import type { QueryCollection } from "../../catalog/outside-sources.ts";
import { duplicates, list, object } from "../../catalog/schema/combinators.ts";
import { bool, nonEmptyText, text } from "../../catalog/schema/scalars.ts";
import { fail, ok, type Result } from "../../diagnostics/diagnostic.ts";
import { mapWhere, set, without } from "../edit.ts";
import { hintFor } from "../lookups.ts";
import { type Change, operation, type Request } from "../operation.ts";

/** Accepts a GraphQL document. It is validated against the schema when the metadata is analysed. */
const graphqlText = z.string().superRefine((value, context) => {
  try {
    parseSavedQuery(value);
  } catch (error) {
    context.addIssue({ code: "custom", message: messageOf(error) });
  }
});

/** Returns a collection by name. Fails if it does not exist. */
export function findCollection(request: Request<unknown>, name: string, path: string): Result<QueryCollection> {
  const collections = request.catalog.query_collections;
  const found = collections.find((collection) => collection.name === name);
  if (found !== undefined) return ok(found);
  const hint = hintFor(
    name,
    collections.map((collection) => collection.name),
  );
  return fail("not-exists", path, `query collection with name "${name}" does not exist`, hint);
}

function refuseTaken(request: Request<unknown>, name: string, path: string): Result<undefined> {
  if (!request.catalog.query_collections.some((collection) => collection.name === name)) return ok(undefined);
  return fail("already-exists", path, `query collection with name "${name}" already exists`);
}

function changeCollection(
  { catalog }: Request<unknown>,
  name: string,
  to: (collection: QueryCollection) => QueryCollection,
): Result<Change> {
  const matches = (collection: QueryCollection) => collection.name === name;
  return ok({ catalog: set(catalog, "query_collections", mapWhere(catalog.query_collections, matches, to)) });
}

// ---------------------------------------------------------------- collections

const createArguments = object({
  about: {
    name: "Name of the collection.",
    definition: "Contents of the collection.",
    comment: "Note for readers of the metadata, without effect.",
  },
  required: {
    name: nonEmptyText,
    definition: object({
      about: { queries: "The operations, whose names differ." },
      required: {
        queries: list(
          object({
            about: { name: "Name of the operation in the collection.", query: "GraphQL document with one operation." },
            required: { name: nonEmptyText, query: graphqlText },
          }),
        ),
      },
    }),
  },
  optional: { comment: text },
});

function createCollection(request: Request<QueryCollection>): Result<Change> {
  const { catalog, input, path } = request;
  const free = refuseTaken(request, input.name, pathTo(path, "name"));
  if (!free.ok) return free;
  const repeated = duplicates(input.definition.queries.map(({ name }) => name));
  if (repeated.length > 0) {
    const names = repeated.map((name) => `"${name}"`).join(", ");
    return fail("not-supported", pathTo(path, "definition", "queries"), `found duplicate query names ${names}`);
  }
  return ok({ catalog: { ...catalog, query_collections: [...catalog.query_collections, input] } });
}

const renameArguments = object({
  about: {
    name: "Name of the collection.",
    new_name: "New name. References in the allow-list and in REST endpoints keep the old one.",
  },
  required: { name: nonEmptyText, new_name: nonEmptyText },
});

/** Renames a collection. References of the allow-list and of REST endpoints are not changed. */
function renameCollection(request: Request<z.output<typeof renameArguments>>): Result<Change> {
  const { name, new_name } = request.input;
  const found = findCollection(request, name, pathTo(request.path, "name"));
  if (!found.ok) return found;
  const free = refuseTaken(request, new_name, pathTo(request.path, "new_name"));
  if (!free.ok) return free;
  return changeCollection(request, name, (collection) => ({ ...collection, name: new_name }));
}

const dropArguments = object({
  about: {
    collection: "Name of the collection.",
    cascade: "Also removes the collection from the allow-list; without it, an entry there makes the operation fail.",
  },
  required: { collection: nonEmptyText, cascade: bool },
});

function dropCollection(request: Request<z.output<typeof dropArguments>>): Result<Change> {
  const { catalog, input } = request;
  const path = pathTo(request.path, "collection");
  const found = findCollection(request, input.collection, path);
  if (!found.ok) return found;
  const isAllowed = catalog.allowlist.some(({ collection }) => collection === input.collection);
  if (isAllowed && !input.cascade) {
    const message =
      `query collection with name "${input.collection}" is present in the allowlist; cannot proceed to drop. ` +
      "please use cascade to confirm you wish to drop it from the allowlist as well";
    return fail("dependency-error", path, message);
  }
  return ok({
    catalog: {
      ...catalog,
      query_collections: without(catalog.query_collections, ({ name }) => name === input.collection),
      allowlist: without(catalog.allowlist, ({ collection }) => collection === input.collection),
    },
  });
}

// ---------------------------------------------------------------- queries

const addArguments = object({
  about: {
    collection_name: "Name of the collection.",
    query_name: "Name of the operation.",
    query: "GraphQL document with one operation.",
  },
  required: { collection_name: nonEmptyText, query_name: nonEmptyText, query: graphqlText },
});

function addQuery(request: Request<z.output<typeof addArguments>>): Result<Change> {
  const { path, input } = request;
  const { collection_name, query_name, query } = input;
  const found = findCollection(request, collection_name, path);
  if (!found.ok) return found;
  if (found.value.definition.queries.some(({ name }) => name === query_name)) {
    const message = `query with name "${query_name}" already exists in collection "${collection_name}"`;
    return fail("already-exists", path, message);
  }
  return changeQueries(request, collection_name, (queries) => [...queries, { name: query_name, query }]);
}

type Queries = QueryCollection["definition"]["queries"];

function changeQueries(request: Request<unknown>, collection: string, to: (queries: Queries) => Queries) {
  return changeCollection(request, collection, (owner) =>
    set(owner, "definition", { ...owner.definition, queries: to(owner.definition.queries) }),
  );
}

const dropQueryArguments = object({
  about: { collection_name: "Name of the collection.", query_name: "Name of the operation." },
  required: { collection_name: nonEmptyText, query_name: nonEmptyText },
});

function dropQuery(request: Request<z.output<typeof dropQueryArguments>>): Result<Change> {
  const { path, input } = request;
  const { collection_name, query_name } = input;
  const found = findCollection(request, collection_name, path);
  if (!found.ok) return found;
  const names = found.value.definition.queries.map(({ name }) => name);
  if (!names.includes(query_name)) {
    const message = `query with name "${query_name}" not found in collection "${collection_name}"`;
    return fail("not-found", path, message, hintFor(query_name, names));
  }
  return changeQueries(request, collection_name, (queries) => without(queries, ({ name }) => name === query_name));
}

export const queryCollectionOperations = [
  operation("create_query_collection", {
    about: "Saves operations under a name.",
    effect: "change",
    endpoints: { metadata: "plain", query: [1] },
    input: createArguments,
    check: "new-entries",
    apply: createCollection,
  }),
  operation("rename_query_collection", {
    about: "Changes the name of a query collection.",
    effect: "change",
    endpoints: { metadata: "plain", query: [1] },
    input: renameArguments,
    check: "new-entries",
    apply: renameCollection,
  }),
  operation("drop_query_collection", {
    about: "Removes a query collection with its operations.",
    effect: "change",
    endpoints: { metadata: "plain", query: [1] },
    input: dropArguments,
    check: "new-entries",
    apply: dropCollection,
  }),
  operation("add_query_to_collection", {
    about: "Saves an operation in a query collection.",
    effect: "change",
    endpoints: { metadata: "plain", query: [1] },
    input: addArguments,
    check: "new-entries",
    apply: addQuery,
  }),
  operation("drop_query_from_collection", {
    about: "Removes an operation from a query collection.",
    effect: "change",
    endpoints: { metadata: "plain", query: [1] },
    input: dropQueryArguments,
    check: "new-entries",
    apply: dropQuery,
  }),
];
