/**
 * `get_metadata_history`, `get_metadata_version`, `compare_metadata_versions`, `get_environment_variables`. The history
 * stores the previous value of each changed part (`store.ts`): a part of an older version is the value before its first
 * later change, or its current value.
 */
import { exportMetadata, storeMetadata } from "../../compiler/catalog/canonical.ts";
import { type Catalog, emptyCatalog } from "../../compiler/catalog/catalog.ts";
import { environmentVariablesOf } from "../../compiler/catalog/environment-variables.ts";
import type { Json, JsonObject } from "../../compiler/catalog/model.ts";
import { partPosition } from "../../compiler/catalog/parts.ts";
import { readMetadataDocument } from "../../compiler/catalog/upgrade.ts";
import { EngineError, pathTo } from "../values/errors.ts";
import { unknownRole } from "./access.ts";
import { compileChange } from "./apply-change.ts";
import type { Compiled } from "./compile-analysis.ts";
import { valueOrThrow } from "./diagnostic-errors.ts";
import type { IoCallOf, IoContext, IoHandlers } from "./io-handlers.ts";
import type { MetadataStore } from "./store.ts";

type Names =
  | "get_metadata_history"
  | "get_metadata_version"
  | "compare_metadata_versions"
  | "get_environment_variables";

export const metadataHistoryHandlers: IoHandlers<Names> = {
  get_metadata_history: (call, { store }) => getHistory(call, store),
  get_metadata_version: (call, { store }) => getVersion(call, store),
  compare_metadata_versions: compareVersions,
  get_environment_variables: (_, { draft, environmentVariables }) =>
    [...environmentVariablesOf(storeMetadata(draft.catalog))]
      .map(([name, paths]) => ({ name, is_set: environmentVariables[name] !== undefined, used_by: [...paths] }))
      .sort((one, other) => (one.name < other.name ? -1 : 1)),
};

/** Number of changed parts that an entry of the list names. */
const maxNamedParts = 20;

async function getHistory({ input }: IoCallOf<"get_metadata_history">, store: MetadataStore): Promise<Json> {
  const rows = await store.query(
    `select version.resource_version as current, (${oldestVersion}) as oldest, entry.resource_version,
       to_char(entry.changed_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as changed_at,
       entry.role, entry.user_name, to_json(entry.operations) as operations,
       (select count(*)::integer from engine_catalog.engine_metadata_history_part as part
         where part.resource_version = entry.resource_version) as change_count,
       (select coalesce(json_agg(named), '[]') from (
           select part.source, part.table_schema, part.table_name
           from engine_catalog.engine_metadata_history_part as part
           where part.resource_version = entry.resource_version
           order by part.source, part.table_schema, part.table_name limit ${maxNamedParts}
         ) as named) as changes
     from engine_catalog.engine_metadata_version as version
       left join lateral (
         select * from engine_catalog.engine_metadata_history
         where $2::integer is null or resource_version < $2
         order by resource_version desc limit $1
       ) as entry on true
     order by entry.resource_version desc`,
    [input.limit, input.before ?? null],
  );
  const [first] = rows;
  return {
    resource_version: Number(first?.current ?? 0),
    oldest_version: Number(first?.oldest ?? 0),
    changes: rows
      .filter((row) => row.resource_version !== null)
      .map((row) => ({
        resource_version: Number(row.resource_version),
        changed_at: String(row.changed_at),
        role: row.role as string | null,
        user: row.user_name as string | null,
        operations: row.operations as Json,
        part_count: Number(row.change_count),
        parts: (row.changes as readonly StoredKey[]).map(positionOf),
      })),
  };
}

async function getVersion({ input, path }: IoCallOf<"get_metadata_version">, store: MetadataStore): Promise<Json> {
  const { resource_version: version } = input;
  const catalog = await catalogOf(version, store, pathTo(path, "resource_version"));
  return { resource_version: version, metadata: exportMetadata(catalog) };
}

/** @throws EngineError `not-exists` if the history does not contain the version */
async function catalogOf(version: number, store: MetadataStore, path: string): Promise<Catalog> {
  const [row] = await store.query(
    `with later as (${firstChanges("change.resource_version > $1")})
     select version.resource_version as current, (${oldestVersion}) as oldest, (
         select json_agg(json_build_object('source', source, 'table_name', table_name,
             'value', case when later.is_changed then later.value else part.value end)
           order by source, table_schema, table_name)
         from engine_catalog.engine_metadata_part as part
           full join later using (source, table_schema, table_name)
         where case when later.is_changed then later.value is not null else true end
       ) as parts
     from engine_catalog.engine_metadata_version as version`,
    [version],
  );
  checkAvailable(version, row, path);
  const document = documentOf((row?.parts ?? []) as readonly StoredPart[]);
  return valueOrThrow(readMetadataDocument(document, emptyCatalog));
}

async function compareVersions(call: IoCallOf<"compare_metadata_versions">, context: IoContext): Promise<Json> {
  const { from, to = null, effects, roles } = call.input;
  const { store } = context;
  const [row] = await store.query(
    `with version as (
       select resource_version as current, coalesce($2::integer, resource_version) as last
       from engine_catalog.engine_metadata_version
     ), changed as (${firstChanges("change.resource_version > $1 and change.resource_version <= (select last from version)")}
     ), later as (${firstChanges("change.resource_version > (select last from version)")}
     )
     select version.current, version.last, (${oldestVersion}) as oldest, (
         select coalesce(json_agg(json_build_object('source', source, 'table_schema', table_schema,
             'table_name', table_name, 'before', changed.value,
             'after', case when later.is_changed then later.value else part.value end)
           order by source, table_schema, table_name), '[]')
         from changed left join later using (source, table_schema, table_name)
           left join engine_catalog.engine_metadata_part as part using (source, table_schema, table_name)
         where changed.value::text is distinct from
           case when later.is_changed then later.value else part.value end::text
       ) as changes
     from version`,
    [from, to],
  );
  const last = Number(row?.last);
  checkAvailable(from, row, pathTo(call.path, "from"));
  if (last < from) checkAvailable(last, { ...row, oldest: from }, pathTo(call.path, "to"));
  checkAvailable(last, row, pathTo(call.path, "to"));
  const changes = ((row?.changes ?? []) as readonly ComparedPart[]).map(({ before, after, ...key }) => {
    return { ...positionOf(key), before, after };
  });
  return { from, to: last, changes, ...(effects && (await versionEffects([from, last], roles, call.path, context))) };
}

/** Compares the access and the generated modules of two versions, both compiled for the current databases. */
async function versionEffects(
  [from, to]: readonly [number, number],
  roles: readonly string[] | undefined,
  path: string,
  { store, draft, environment }: IoContext,
): Promise<JsonObject> {
  const compiled = async (version: number, key: string): Promise<Compiled> =>
    compileChange({ catalog: await catalogOf(version, store, pathTo(path, key)) }, draft, environment, path);
  const before = await compiled(from, "from");
  const after = await compiled(to, "to");
  const known = new Set([...before.program.roles(), ...after.program.roles()]);
  for (const [index, role] of (roles ?? []).entries()) {
    if (!known.has(role)) throw unknownRole(role, known, pathTo(pathTo(path, "roles"), index));
  }
  const { comparedEffects } = await import("./plan-changes.ts");
  return {
    ...(await comparedEffects(before, after, roles)),
    inconsistent: { from: before.analysis.inconsistencies.length, to: after.analysis.inconsistencies.length },
  };
}

/**
 * Returns the SQL of the first change of each part among those that satisfy a condition: the part before them.
 * @param condition on the row `change`
 */
const firstChanges = (condition: string): string => `
  select distinct on (source, table_schema, table_name) source, table_schema, table_name, value, true as is_changed
  from engine_catalog.engine_metadata_history_part as change where ${condition}
  order by source, table_schema, table_name, resource_version`;

/**
 * SQL of the oldest version with known content, after which all changes are in the history. A server without a history
 * leaves a gap.
 */
const oldestVersion = `
  select coalesce(min(entry.resource_version) - 1, max(numbered.current))
  from (
    select resource_version, row_number() over (order by resource_version desc) as place
    from engine_catalog.engine_metadata_history
  ) as entry
    right join (select resource_version as current from engine_catalog.engine_metadata_version) as numbered
      on entry.resource_version = numbered.current - entry.place + 1`;

interface StoredKey {
  readonly source: string;
  readonly table_schema: string;
  readonly table_name: string;
}

interface ComparedPart extends StoredKey {
  /** `null` if the version does not have the part. */
  readonly before: Json;
  readonly after: Json;
}

interface StoredPart extends Pick<StoredKey, "source" | "table_name"> {
  readonly value: JsonObject;
}

const positionOf = ({ source, table_schema: schema, table_name: name }: StoredKey): JsonObject =>
  partPosition({ source, schema, name });

/** @throws EngineError `not-exists` if the history does not reach back to a version, or there is no such version */
function checkAvailable(version: number, row: Readonly<Record<string, unknown>> | undefined, path: string): void {
  const [current, oldest] = [Number(row?.current ?? 0), Number(row?.oldest ?? 0)];
  if (version >= oldest && version <= current) return;
  const range = oldest < current ? `versions ${oldest} to ${current} are` : `only version ${current} is`;
  throw new EngineError("not-exists", path, `version ${version} of the metadata is not available; ${range}`);
}

/** Assembles parts in the order of their keys; the part outside sources comes first. */
function documentOf(parts: readonly StoredPart[]): JsonObject {
  const sources = new Map<string, { readonly own: JsonObject; readonly tables: JsonObject[] }>();
  let document: JsonObject = {};
  for (const { source, table_name, value } of parts) {
    if (source === "") document = value;
    else if (table_name === "") sources.set(source, { own: value, tables: [] });
    else sources.get(source)?.tables.push(value);
  }
  return { ...document, sources: [...sources.values()].map(({ own, tables }) => ({ ...own, tables })) };
}
