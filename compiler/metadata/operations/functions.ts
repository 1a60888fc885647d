/** Operations on tracked functions. */

import type { z } from "zod";
import type { ObjectId } from "../../2-analyze/object-id.ts";
import type { FunctionConfig, QualifiedName, SourceKind, TrackedFunction } from "../../catalog/model.ts";
import { choose, has, object } from "../../catalog/schema/combinators.ts";
import { functionConfiguration } from "../../catalog/schema/functions.ts";
import { functionName, sourceKinds } from "../../catalog/schema/names.ts";
import { text } from "../../catalog/schema/scalars.ts";
import { fail, ok, type Result } from "../../diagnostics/diagnostic.ts";
import { inSource, ofFunction } from "../arguments.ts";
import { dropObjects } from "../drop-objects.ts";
import { changeSource, mapWhere, put, sameName, set } from "../edit.ts";
import { findFunction, findSource, hintFor, isInconsistent, print, trackedTable } from "../lookups.ts";
import { type Change, operation, type Request } from "../operation.ts";

interface FunctionTarget {
  readonly function: QualifiedName;
  readonly source: string;
}

function functionId({ source, function: name }: FunctionTarget): ObjectId {
  return { kind: "function", source, function: name };
}

// ---------------------------------------------------------------- track

interface TrackFunction extends FunctionTarget {
  readonly configuration?: FunctionConfig;
  readonly comment?: string;
}

const trackArguments = (kind: SourceKind): z.ZodType<TrackFunction> =>
  object({
    about: {
      configuration: "Names, session argument and root type.",
      comment: "Description of the root field in the GraphQL schema.",
    },
    required: ofFunction(kind),
    defaulted: inSource,
    optional: { configuration: functionConfiguration, comment: text },
  });

/** Accepts the name of a function of the source `default`. */
const nameArguments = (kind: SourceKind): z.ZodType<FunctionTarget> =>
  functionName(sourceKinds[kind].defaultSchema).transform((name) => ({ function: name, source: "default" }));

/** Tracks a function, or replaces an inconsistent one. Introspects the source again, since the function may be new. */
function trackFunction(request: Request<TrackFunction>): Result<Change> {
  const { catalog, analysis, kind, path, input } = request;
  const source = catalog.sources.find(({ name }) => name === input.source);
  if (source === undefined || source.kind !== kind) {
    const hint = hintFor(
      input.source,
      catalog.sources.map(({ name }) => name),
    );
    return fail("not-exists", path, `"${input.source}" is not a known "${kind}" source`, hint);
  }
  if (!analysis.sources.has(input.source)) {
    return fail("unexpected", path, `source with name "${input.source}" is inconsistent`);
  }
  const name = print(kind, input.function);
  const isTracked = source.functions.some((each) => sameName(each.function, input.function));
  if (isTracked && !isInconsistent(request, functionId(input))) {
    return fail("already-tracked", path, `function already tracked: "${name}"`);
  }
  const tableId = { kind: "table" as const, source: input.source, table: input.function };
  if (trackedTable(source, input.function) !== undefined && !isInconsistent(request, tableId)) {
    return fail("not-supported", path, `table with name "${name}" already exists`);
  }
  const { source: _source, ...described } = input;
  const tracked: TrackedFunction = { ...described, permissions: [] };
  return ok({
    catalog: changeSource(catalog, input.source, (owner) =>
      set(
        owner,
        "functions",
        put(owner.functions, tracked, (each) => sameName(each.function, input.function)),
      ),
    ),
    targets: [functionId(input)],
    effects: [{ kind: "introspect", sources: [input.source] }],
  });
}

// ---------------------------------------------------------------- untrack, customize

/** Accepts the name alone, or an object with the key `function`. */
function untrackArguments(kind: SourceKind): z.ZodType<FunctionTarget> {
  const long: z.ZodType<FunctionTarget> = object({ required: ofFunction(kind), defaulted: inSource });
  const name = nameArguments(kind);
  return choose<FunctionTarget>(
    () => [name, long],
    (input) => {
      const isName = typeof input === "string" || (has(input, "name") && !has(input, "function"));
      return isName ? name : long;
    },
  );
}

/** Untracks a function and drops its permissions. */
function untrackFunction(request: Request<FunctionTarget>): Result<Change> {
  const found = findTrackedFunction(request);
  return found.ok ? ok({ catalog: dropObjects(request.catalog, [functionId(request.input)]) }) : found;
}

function findTrackedFunction(request: Request<FunctionTarget>): Result<TrackedFunction> {
  const source = findSource(request, request.input.source);
  return source.ok ? findFunction(request, source.value, request.input.function) : source;
}

interface CustomizeFunction extends FunctionTarget {
  readonly configuration: FunctionConfig;
}

const customizeArguments = (kind: SourceKind): z.ZodType<CustomizeFunction> =>
  object({
    about: { configuration: "The new configuration, which replaces the old one as a whole." },
    required: { ...ofFunction(kind), configuration: functionConfiguration },
    defaulted: inSource,
  });

/** Replaces the whole configuration. */
function setCustomization(request: Request<CustomizeFunction>): Result<Change> {
  const { catalog, input } = request;
  const found = findTrackedFunction(request);
  if (!found.ok) return found;
  const matches = (each: TrackedFunction) => sameName(each.function, input.function);
  return ok({
    catalog: changeSource(catalog, input.source, (source) =>
      set(
        source,
        "functions",
        mapWhere(source.functions, matches, (each) => ({ ...each, configuration: input.configuration })),
      ),
    ),
    targets: [functionId(input)],
  });
}

export const functionOperations = [
  operation("track_function", {
    about: "Adds a root field that calls a function of the database.",
    effect: "change",
    endpoints: { metadata: "prefixed", query: [2] },
    input: trackArguments,
    check: "target",
    apply: trackFunction,
  }),
  operation("track_function", {
    about: "Adds a root field that calls a function of the database.",
    effect: "change",
    endpoints: { query: [1] },
    input: nameArguments,
    check: "target",
    apply: trackFunction,
  }),
  operation("untrack_function", {
    about: "Removes a function from the API, with its permissions.",
    effect: "change",
    endpoints: { metadata: "prefixed", query: [1] },
    input: untrackArguments,
    check: "new-entries",
    apply: untrackFunction,
  }),
  operation("set_function_customization", {
    about: "Sets names, session argument and root type of a tracked function.",
    effect: "change",
    endpoints: { metadata: "prefixed" },
    input: customizeArguments,
    check: "target",
    apply: setCustomization,
  }),
];
