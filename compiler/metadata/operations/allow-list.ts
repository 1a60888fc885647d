/** Operations on the allow-list: query collections that roles may run. */

import type { z } from "zod";
import { pathTo } from "../../../runtime/values/errors.ts";
import type { Catalog } from "../../catalog/catalog.ts";
import type { AllowlistEntry } from "../../catalog/outside-sources.ts";
import { allowlistEntry, allowlistScope } from "../../catalog/schema/collections.ts";
import { object } from "../../catalog/schema/combinators.ts";
import { nonEmptyText } from "../../catalog/schema/scalars.ts";
import { fail, ok, type Result } from "../../diagnostics/diagnostic.ts";
import { mapWhere, set, without } from "../edit.ts";
import { hintFor } from "../lookups.ts";
import { type Change, operation, type Request } from "../operation.ts";
import { findCollection } from "./query-collections.ts";

/** Adds an entry. An existing one is left unchanged, with a message in the response. */
function addCollection(request: Request<AllowlistEntry>): Result<Change> {
  const { catalog, input, path } = request;
  const found = findCollection(request, input.collection, pathTo(path, "collection"));
  if (!found.ok) return found;
  if (catalog.allowlist.some(({ collection }) => collection === input.collection)) {
    const message =
      `collection "${input.collection}" already exists in the allowlist, scope ignored; ` +
      "to change scope, use update_scope_of_collection_in_allowlist";
    return ok({ catalog, answer: () => ({ message }) });
  }
  return ok({ catalog: { ...catalog, allowlist: [...catalog.allowlist, input] } });
}

function checkAllowed({ catalog, path }: Request<unknown>, name: string): Result<Catalog> {
  const names = catalog.allowlist.map(({ collection }) => collection);
  if (names.includes(name)) return ok(catalog);
  const message = `collection "${name}" doesn't exist in the allowlist`;
  return fail("not-found", path, message, hintFor(name, names));
}

const scopeArguments = object({
  about: { collection: "Query collection in the allow-list.", scope: "Roles that may run its operations." },
  required: { collection: nonEmptyText, scope: allowlistScope },
});

function updateScope(request: Request<z.output<typeof scopeArguments>>): Result<Change> {
  const { collection, scope } = request.input;
  const found = checkAllowed(request, collection);
  if (!found.ok) return found;
  const matches = (entry: AllowlistEntry) => entry.collection === collection;
  const entries = mapWhere(found.value.allowlist, matches, (entry) => set(entry, "scope", scope));
  return ok({ catalog: set(found.value, "allowlist", entries) });
}

const dropArguments = object({
  about: { collection: "Query collection in the allow-list." },
  required: { collection: nonEmptyText },
});

function dropCollection(request: Request<z.output<typeof dropArguments>>): Result<Change> {
  const { collection } = request.input;
  const found = checkAllowed(request, collection);
  if (!found.ok) return found;
  const entries = without(found.value.allowlist, (entry) => entry.collection === collection);
  return ok({ catalog: set(found.value, "allowlist", entries) });
}

export const allowListOperations = [
  operation("add_collection_to_allowlist", {
    about: "Adds the operations of a query collection to the allow-list.",
    effect: "change",
    endpoints: { metadata: "plain", query: [1] },
    input: allowlistEntry,
    check: "new-entries",
    apply: addCollection,
  }),
  operation("update_scope_of_collection_in_allowlist", {
    about: "Changes the roles that may run the operations of a query collection.",
    effect: "change",
    endpoints: { metadata: "plain" },
    input: scopeArguments,
    check: "new-entries",
    apply: updateScope,
  }),
  operation("drop_collection_from_allowlist", {
    about: "Removes the operations of a query collection from the allow-list.",
    effect: "change",
    endpoints: { metadata: "plain", query: [1] },
    input: dropArguments,
    check: "new-entries",
    apply: dropCollection,
  }),
];
