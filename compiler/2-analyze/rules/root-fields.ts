/**
 * Refuses root fields that several objects define. Every role sees a subset of the schema of `admin`, so only that
 * schema is checked.
 */
import type { RootFieldKey } from "../../catalog/model.ts";
import type { Action } from "../../catalog/outside-sources.ts";
import type { Analysis, AnalysisOptions, AnalyzedFunction, AnalyzedSource } from "../analysis.ts";
import type { AnalyzedTable } from "../analyzed-table.ts";
import { type Collision, type Owner, ownerText } from "../collisions.ts";
import { ofGroup } from "../table-map.ts";

type Root = "mutation" | "subscription" | "query";

/** Field → the objects that define it, by name of the type that contains the field. */
type Definitions = Map<string, Map<string, Owner[]>>;

/** Returns the collisions in the first root type that has any. */
export function rootFieldCollision(
  sources: ReadonlyMap<string, AnalyzedSource>,
  actions: ReadonlyMap<string, Action>,
  options: AnalysisOptions,
  previous: Analysis | undefined,
): Collision | undefined {
  if (previous?.actions === actions && haveDistinctFields(sources, previous.sources, actions)) return undefined;
  const definitions: Definitions = new Map();
  for (const root of ["mutation", "query", "subscription"] as const) {
    for (const source of sources.values()) addSource(definitions, root, source, options);
    for (const action of actions.values()) {
      if (actionRoots(action).has(root)) add(definitions, `${root}_root`, action.name, { kind: "action", action });
    }
  }
  for (const [type, fields] of definitions) {
    const conflicts = [...fields].filter(([, owners]) => owners.length > 1);
    if (conflicts.length === 0) continue;
    return { message: conflictMessage(type, conflicts), owners: conflicts.map(([, owners]) => owners) };
  }
  return undefined;
}

/** Returns true if no field was added. */
export function haveSameFields(
  sources: ReadonlyMap<string, AnalyzedSource>,
  previous: ReadonlyMap<string, AnalyzedSource>,
): boolean {
  return tablesWithOtherFields(sources, previous)?.length === 0;
}

/** Returns the tables whose fields may have changed; `undefined` if fields of other objects may have changed. */
function tablesWithOtherFields(
  sources: ReadonlyMap<string, AnalyzedSource>,
  previous: ReadonlyMap<string, AnalyzedSource>,
): readonly AnalyzedTable[] | undefined {
  const changed: AnalyzedTable[] = [];
  for (const [name, source] of sources) {
    const earlier = previous.get(name);
    if (earlier === undefined || !definesTheSame(source, earlier)) return undefined;
    for (const [table, before] of source.tables.changesSince(earlier.tables)) {
      if (before?.rootFields !== table.rootFields || before.shape !== table.shape) changed.push(table);
    }
  }
  return changed;
}

/**
 * Returns true if no fields clash, including group fields: each field either existed before, when there were no clashes, or has a unique name.
 * Removed fields cannot clash.
 */
export function haveDistinctFields(
  sources: ReadonlyMap<string, AnalyzedSource>,
  previous: ReadonlyMap<string, AnalyzedSource>,
  actions: ReadonlyMap<string, Action>,
): boolean {
  const names = tablesWithOtherFields(sources, previous)?.flatMap(fieldsOfTable);
  if (names === undefined) return false;
  return names.length === 0 || (names.length <= maxNames && names.every((name) => isUnique(name, sources, actions)));
}

/** Returns true if the root fields of objects other than tables are unchanged. */
export function definesTheSame(source: AnalyzedSource, earlier: AnalyzedSource): boolean {
  return (
    earlier.source.customization === source.source.customization &&
    earlier.functions === source.functions &&
    earlier.nativeQueries === source.nativeQueries &&
    earlier.storedProcedures === source.storedProcedures
  );
}

/** Above this number of names all fields are collected instead. */
const maxNames = 500;

/** Returns all possible root field names of a table, including those that the database does not support. */
const fieldsOfTable = ({ rootFields }: AnalyzedTable): readonly string[] =>
  Object.values(rootFields ?? {}).map(({ name }) => name);

/** Number of fields with each name in a group of tables. */
const namesOfGroup = ofGroup((group): ReadonlyMap<string, number> => {
  const names = new Map<string, number>();
  for (const name of group.flatMap(fieldsOfTable)) names.set(name, (names.get(name) ?? 0) + 1);
  return names;
});

/** Returns true if only one field, of any root type, has this name. */
function isUnique(
  name: string,
  sources: ReadonlyMap<string, AnalyzedSource>,
  actions: ReadonlyMap<string, Action>,
): boolean {
  if (actions.has(name)) return false;
  let owners = 0;
  for (const { source, tables, functions, nativeQueries, storedProcedures } of sources.values()) {
    if (source.customization?.root_fields?.namespace === name) return false;
    if (nativeQueries.has(name) || storedProcedures.has(name)) return false;
    for (const { rootFields } of functions.values()) if (Object.values(rootFields).includes(name)) return false;
    for (const group of tables.groups) owners += namesOfGroup(group).get(name) ?? 0;
  }
  return owners === 1;
}

/** Returns the fields of a root type that sources and actions define. */
export function rootFieldNames(
  root: Root,
  sources: ReadonlyMap<string, AnalyzedSource>,
  actions: readonly Action[],
  options: AnalysisOptions,
): ReadonlySet<string> {
  const definitions: Definitions = new Map();
  for (const source of sources.values()) addSource(definitions, root, source, options);
  const fields = new Set(definitions.get(`${root}_root`)?.keys());
  for (const action of actions) if (actionRoots(action).has(root)) fields.add(action.name);
  return fields;
}

function add(definitions: Definitions, type: string, field: string, owner: Owner): void {
  let fields = definitions.get(type);
  if (fields === undefined) {
    fields = new Map();
    definitions.set(type, fields);
  }
  const owners = fields.get(field);
  if (owners === undefined) fields.set(field, [owner]);
  else owners.push(owner);
}

function addSource(definitions: Definitions, root: Root, source: AnalyzedSource, options: AnalysisOptions): void {
  const { root_fields, type_names } = source.source.customization ?? {};
  const namespace = root_fields?.namespace;
  const nested = `${type_names?.prefix ?? ""}${namespace}_${root}${type_names?.suffix ?? ""}`;
  const type = namespace === undefined ? `${root}_root` : nested;
  let isEmpty = true;
  const define = (field: string, owner: Owner) => {
    isEmpty = false;
    add(definitions, type, field, owner);
  };
  for (const table of source.tables.values()) {
    const owner = { kind: "table", source, table } as const;
    for (const key of tableRoots(table, root, options)) {
      const field = table.rootFields?.[key].name;
      if (field !== undefined) define(field, owner);
    }
  }
  for (const each of source.functions.values()) {
    for (const field of functionRoots(each, root)) define(field, { kind: "function", source, function: each });
  }
  if (root !== "mutation") {
    for (const name of source.nativeQueries.keys()) define(name, { kind: "native query", source, name });
  }
  if (root === "query") {
    for (const name of source.storedProcedures.keys()) define(name, { kind: "stored procedure", source, name });
  }
  if (namespace !== undefined && !isEmpty) add(definitions, `${root}_root`, namespace, { kind: "source", source });
}

/** Yields the root fields of a table that the database supports. */
function* tableRoots(
  { shape, primaryKey }: AnalyzedTable,
  root: Root,
  { experimentalFeatures }: AnalysisOptions,
): Generator<RootFieldKey> {
  const hasKey = primaryKey.length > 0;
  if (root !== "mutation") {
    yield* hasKey
      ? (["select", "select_by_pk", "select_aggregate"] as const)
      : (["select", "select_aggregate"] as const);
    if (root === "subscription" && !experimentalFeatures.has("hide_stream_fields")) yield "select_stream";
    return;
  }
  if (shape.insertable) yield* ["insert", "insert_one"] as const;
  if (shape.updatable) {
    yield "update";
    if (hasKey) yield "update_by_pk";
    if (!experimentalFeatures.has("hide_update_many_fields")) yield "update_many";
  }
  if (shape.deletable) yield* hasKey ? (["delete", "delete_by_pk"] as const) : (["delete"] as const);
}

function functionRoots({ exposedAs, rootFields }: AnalyzedFunction, root: Root): readonly string[] {
  if (exposedAs === "mutation") return root === "mutation" ? [rootFields.function] : [];
  return root === "mutation" ? [] : [rootFields.function, rootFields.aggregate];
}

/**
 * Returns the root types with a field for an action. The result of an asynchronous action is a query and subscription
 * field of the same name.
 */
export function actionRoots({ definition }: Action): ReadonlySet<Root> {
  if (definition.type === "query") return new Set(["query"]);
  return new Set<Root>(definition.kind === "asynchronous" ? ["mutation", "query", "subscription"] : ["mutation"]);
}

function conflictMessage(type: string, conflicts: readonly (readonly [string, readonly Owner[]])[]): string {
  const lines = conflicts
    .map(([field, owners]) => `'${field}' defined in [${owners.map(ownerText).sort().join(", ")}]`)
    .reverse();
  const [only] = lines;
  const what = lines.length === 1 ? `field ${only}` : `fields: [\n${lines.map((line) => `  ${line}`).join(",\n")}\n]`;
  return `Encountered conflicting definitions in the selection set for '${type}' for ${what}. Fields must not be defined more than once across all sources.`;
}
