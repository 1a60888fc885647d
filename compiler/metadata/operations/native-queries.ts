/** Operations on native queries. */

import type { z } from "zod";
import type { ObjectId } from "../../2-analyze/object-id.ts";
import { nativeQuery as writeNativeQuery } from "../../catalog/canonical/table.ts";
import type { Json, NativeQuery, SourceKind } from "../../catalog/model.ts";
import { object } from "../../catalog/schema/combinators.ts";
import { sourceKinds } from "../../catalog/schema/names.ts";
import { nativeQuery } from "../../catalog/schema/native.ts";
import { graphqlName, sourceName } from "../../catalog/schema/scalars.ts";
import { fail, ok, type Result } from "../../diagnostics/diagnostic.ts";
import { withSource } from "../arguments.ts";
import { dropObjects } from "../drop-objects.ts";
import { changeSource, put, set } from "../edit.ts";
import { findSourceOfKind, hintFor, isInconsistent } from "../lookups.ts";
import { type Change, operation, type Request } from "../operation.ts";

function queryId(source: string, name: string): ObjectId {
  return { kind: "native_query", source, name };
}

const trackArguments = (kind: SourceKind) => withSource(nativeQuery(sourceKinds[kind].defaultSchema));

/** Tracks a native query, or replaces an inconsistent one. */
function trackQuery(request: Request<z.output<ReturnType<typeof trackArguments>>>): Result<Change> {
  const { catalog, path, input } = request;
  const { source: name, object: query } = input;
  const source = findSourceOfKind(request, name);
  if (!source.ok) return source;
  const matches = ({ root_field_name }: NativeQuery) => root_field_name === query.root_field_name;
  const id = queryId(name, query.root_field_name);
  if (source.value.native_queries.some(matches) && !isInconsistent(request, id)) {
    return fail("already-tracked", path, `Native query '${query.root_field_name}' is already tracked.`);
  }
  return ok({
    catalog: changeSource(catalog, name, (owner) =>
      set(owner, "native_queries", put(owner.native_queries, query, matches)),
    ),
    targets: [id],
  });
}

const untrackArguments = object({
  about: { root_field_name: "Root field name of the native query." },
  required: { source: sourceName, root_field_name: graphqlName },
});

function untrackQuery(request: Request<z.output<typeof untrackArguments>>): Result<Change> {
  const { catalog, path, input } = request;
  const source = findSourceOfKind(request, input.source);
  if (!source.ok) return source;
  const { root_field_name: name } = input;
  const names = source.value.native_queries.map(({ root_field_name }) => root_field_name);
  if (!names.includes(name)) {
    const message = `Native query "${name}" not found in source "${input.source}".`;
    return fail("not-found", path, message, hintFor(name, names));
  }
  return ok({ catalog: dropObjects(catalog, [queryId(input.source, name)]) });
}

const getArguments = object({ required: { source: sourceName } });

function getQueries(request: Request<z.output<typeof getArguments>>): Result<Json> {
  const source = findSourceOfKind(request, request.input.source);
  if (!source.ok) return source;
  const queries = [...source.value.native_queries];
  queries.sort((a, b) => (a.root_field_name < b.root_field_name ? -1 : 1));
  return ok(queries.map(writeNativeQuery));
}

export const nativeQueryOperations = [
  operation("get_native_query", {
    about: "Returns the native queries of a source.",
    effect: "read",
    endpoints: { metadata: "prefixed" },
    input: getArguments,
    read: getQueries,
  }),
  operation("track_native_query", {
    about: "Adds a root field whose rows a SQL query of yours returns.",
    effect: "change",
    endpoints: { metadata: "prefixed" },
    input: trackArguments,
    check: "target",
    atomic: true,
    apply: trackQuery,
  }),
  operation("untrack_native_query", {
    about: "Removes a native query.",
    effect: "change",
    endpoints: { metadata: "prefixed" },
    input: untrackArguments,
    check: "new-entries",
    atomic: true,
    apply: untrackQuery,
  }),
];
