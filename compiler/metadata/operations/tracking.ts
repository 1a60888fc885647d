/** Operations that track or untrack one table. */

import type { z } from "zod";
import type { ObjectId } from "../../2-analyze/object-id.ts";
import type { Catalog } from "../../catalog/catalog.ts";
import type { QualifiedName, SourceKind, Table, TableConfig } from "../../catalog/model.ts";
import { emptyTable } from "../../catalog/model.ts";
import { choose, has, object } from "../../catalog/schema/combinators.ts";
import { sourceKinds, tableName } from "../../catalog/schema/names.ts";
import { bool, nonEmptyText } from "../../catalog/schema/scalars.ts";
import { apolloFederationConfig, tableConfiguration } from "../../catalog/schema/tables.ts";
import { fail, ok, type Result } from "../../diagnostics/diagnostic.ts";
import { flag, inSource, ofTable } from "../arguments.ts";
import { dropWithDependents } from "../drop-objects.ts";
import { changeSource, put, sameName, set } from "../edit.ts";
import { findSource, hintFor, isInconsistent, print, trackedTable } from "../lookups.ts";
import { type Change, operation, type Request } from "../operation.ts";
import { isQueryRootField } from "../root-fields.ts";

// ---------------------------------------------------------------- track

export interface TrackTable {
  readonly table: QualifiedName;
  readonly source: string;
  readonly configuration?: TableConfig;
  readonly is_enum?: boolean;
  readonly apollo_federation_config?: { readonly enable: "v1" };
  readonly logical_model?: string;
}

/** Accepts the name of a table alone, or an object with the key `table`. */
export function trackArguments(kind: SourceKind): z.ZodType<TrackTable> {
  const name = tableName(sourceKinds[kind].defaultSchema).transform(
    (table): TrackTable => ({ table, source: "default" }),
  );
  const long: z.ZodType<TrackTable> = object({
    about: {
      table: "A table or view of the database: its name, or `schema` and `name`.",
      configuration: "Names and descriptions in the API. Default: those of the database.",
      is_enum: "Treats the rows as values of a GraphQL enum. Default: `false`.",
      apollo_federation_config: "Makes the type of the table an entity of an Apollo Federation graph.",
      logical_model: "For databases without table schemas; refused for PostgreSQL and SQL Server.",
    },
    required: ofTable(kind),
    defaulted: inSource,
    optional: {
      configuration: tableConfiguration,
      is_enum: bool,
      apollo_federation_config: apolloFederationConfig,
      logical_model: nonEmptyText,
    },
  });
  return choose<TrackTable>(
    () => [name, long],
    (input) => {
      const isName = typeof input === "string" || (has(input, "name") && !has(input, "table"));
      return isName ? name : long;
    },
  );
}

/** Ignores the configuration, which version 1 of `/v1/query` does not support. */
function trackArgumentsV1(kind: SourceKind): z.ZodType<TrackTable> {
  return trackArguments(kind).transform(({ configuration: _unknown, ...others }) => others);
}

export function tableId({ source, table }: { readonly source: string; readonly table: QualifiedName }) {
  return { kind: "table" as const, source, table };
}

/** Returns the catalog with the table, which replaces an inconsistent one. */
export function withTable(request: Request<TrackTable>): Result<Catalog> {
  const { catalog, path, kind, input } = request;
  const source = findSource(request, input.source);
  if (!source.ok) return source;
  const text = print(kind, input.table);
  if (trackedTable(source.value, input.table) !== undefined && !isInconsistent(request, tableId(input))) {
    return fail("already-tracked", path, `view/table already tracked: "${text}"`);
  }
  const functionId = { kind: "function" as const, source: input.source, function: input.table };
  const hasFunction = source.value.functions.some((each) => sameName(each.function, input.table));
  if (hasFunction && !isInconsistent(request, functionId)) {
    return fail("not-supported", path, `function with name "${text}" already exists`);
  }
  const field = defaultRootField(kind, input.table);
  if (isQueryRootField(request.analysis, field)) {
    return fail("remote-schema-conflicts", path, `node ${field} already exists in current graphql schema`);
  }
  if (input.logical_model !== undefined) {
    return fail("invalid-configuration", path, `The source "${input.source}" does not support schemaless tables`);
  }
  const table = newTable(input);
  return ok(
    changeSource(catalog, input.source, (owner) =>
      set(
        owner,
        "tables",
        put(owner.tables, table, (each) => sameName(each.table, table.table)),
      ),
    ),
  );
}

function defaultRootField(kind: SourceKind, { schema, name }: QualifiedName): string {
  return schema === sourceKinds[kind].defaultSchema ? name : `${schema}_${name}`;
}

function newTable({ table, configuration, is_enum, apollo_federation_config }: TrackTable): Table {
  const isConfigured = configuration !== undefined && Object.keys(configuration).length > 0;
  return {
    table,
    ...(is_enum === true && { is_enum }),
    ...(isConfigured && { configuration }),
    ...emptyTable,
    ...(apollo_federation_config !== undefined && { apollo_federation_config }),
  };
}

/** Tracks a table. Introspects the source again, since the table may be new or altered. */
function trackTable(request: Request<TrackTable>): Result<Change> {
  const catalog = withTable(request);
  if (!catalog.ok) return catalog;
  const { source } = request.input;
  return ok({
    catalog: catalog.value,
    targets: [tableId(request.input)],
    effects: [{ kind: "introspect", sources: [source] }],
  });
}

// ---------------------------------------------------------------- untrack

export interface UntrackTable {
  readonly table: QualifiedName;
  readonly source: string;
  readonly cascade: boolean;
}

export function untrackArguments(kind: SourceKind): z.ZodType<UntrackTable> {
  return object({ required: ofTable(kind), defaulted: { ...inSource, cascade: flag } });
}

/** Fails unless the table is tracked. */
export function checkTracked(request: Request<UntrackTable>): Result<undefined> {
  const { path, kind, input } = request;
  const source = findSource(request, input.source);
  if (!source.ok) return source;
  if (trackedTable(source.value, input.table) !== undefined) return ok(undefined);
  const text = print(kind, input.table);
  const tracked = source.value.tables.map((each) => print(kind, each.table));
  return fail("already-untracked", path, `view/table already untracked: "${text}"`, hintFor(text, tracked));
}

/** Returns true if the object is the table or is stored inside it. */
export function belongsTo(id: ObjectId, { source, table }: Pick<UntrackTable, "source" | "table">): boolean {
  return "table" in id && id.source === source && sameName(id.table, table);
}

function untrackTable(request: Request<UntrackTable>): Result<Change> {
  const { input } = request;
  const tracked = checkTracked(request);
  if (!tracked.ok) return tracked;
  const owned = (id: ObjectId) => belongsTo(id, input);
  const catalog = dropWithDependents(request, [tableId(input)], { cascade: input.cascade, owned });
  return catalog.ok ? ok({ catalog: catalog.value }) : catalog;
}

export const trackingOperations = [
  operation("track_table", {
    about: "Adds a table or view of the database to the API. Until roles have permissions, only `admin` can use it.",
    effect: "change",
    endpoints: { metadata: "prefixed", query: [2] },
    input: trackArguments,
    check: "target",
    apply: trackTable,
  }),
  operation("track_table", {
    about: "Adds a table or view of the database to the API. Until roles have permissions, only `admin` can use it.",
    effect: "change",
    endpoints: { query: [1] },
    input: trackArgumentsV1,
    check: "target",
    apply: trackTable,
  }),
  operation("add_existing_table_or_view", {
    about: "Adds a table or view to the API; older name of `track_table`.",
    effect: "change",
    endpoints: { query: [1] },
    input: trackArgumentsV1,
    check: "target",
    apply: trackTable,
  }),
  operation("untrack_table", {
    about:
      "Removes a table from the API, with its relationships, permissions and event triggers. The database keeps the table.",
    effect: "change",
    endpoints: { metadata: "prefixed", query: [1] },
    input: untrackArguments,
    check: "new-entries",
    apply: untrackTable,
  }),
];
