/**
 * Metadata objects that define the same name in the schema. A metadata change that would cause a collision is rejected.
 * If a change in a database or an upgrade causes a collision, the server continues: one of the objects becomes
 * inconsistent, with a reason that names both objects.
 */
import type { Catalog } from "../catalog/catalog.ts";
import type { Source } from "../catalog/model.ts";
import type { Action } from "../catalog/outside-sources.ts";
import { printName } from "../catalog/schema/names.ts";
import { dialectOf } from "../dialects/index.ts";
import { type Analysis, type AnalyzedFunction, type AnalyzedSource, qualifiedKey } from "./analysis.ts";
import type { AnalyzedTable } from "./analyzed-table.ts";
import type { Inconsistency, MetadataObject } from "./inconsistency.ts";
import {
  actionObject,
  functionObject,
  logicalModelObject,
  nativeQueryObject,
  sourceObject,
  storedProcedureObject,
  tableObject,
} from "./metadata-objects.ts";
import { objectKey } from "./object-id.ts";

/** An object that defines a name in the schema. */
export type Owner =
  | { readonly kind: "table"; readonly source: AnalyzedSource; readonly table: AnalyzedTable }
  | { readonly kind: "function"; readonly source: AnalyzedSource; readonly function: AnalyzedFunction }
  | {
      readonly kind: "native query" | "stored procedure" | "logical model";
      readonly source: AnalyzedSource;
      readonly name: string;
    }
  /** Owner of the source's namespace field and its types. */
  | { readonly kind: "source"; readonly source: AnalyzedSource }
  | { readonly kind: "action"; readonly action: Action };

export interface Collision {
  /** The message, which names the objects. */
  readonly message: string;
  /** The objects behind each name, in the order of the analysis. The same object may occur twice. */
  readonly owners: readonly (readonly Owner[])[];
}

/** Returns the name of an owner in messages: `table author in source default`. */
export function ownerText(owner: Owner): string {
  switch (owner.kind) {
    case "action":
      return `action ${owner.action.name}`;
    case "source":
      return `source ${owner.source.name}`;
    case "table":
      return `table ${owner.table.displayName} in source ${owner.source.name}`;
    case "function":
      return `function ${functionName(owner)} in source ${owner.source.name}`;
    default:
      return `${owner.kind} ${owner.name} in source ${owner.source.name}`;
  }
}

function functionName({
  source,
  function: { function: tracked },
}: Extract<Owner, { readonly kind: "function" }>): string {
  return printName(tracked.function, dialectOf(source.source.kind).defaultSchema);
}

/** Returns the objects to exclude: the last owner of each name. A source is excluded only if all owners are sources. */
export function leftOut({ owners }: Collision): readonly Owner[] {
  return owners.flatMap((each) => each.findLast(({ kind }) => kind !== "source") ?? each.at(-1) ?? []);
}

/**
 * Returns true for a collision that the metadata change did not cause: the collision existed in the previous analysis,
 * or its objects are unchanged and a database changed.
 * @param previous `undefined` at start-up
 */
export function isOlder(collision: Collision, previous: Analysis | undefined): boolean {
  if (previous === undefined) return true;
  const known = new Set(previous.inconsistencies.map(({ id }) => objectKey(id)));
  if (leftOut(collision).every((owner) => known.has(objectKey(objectOf(owner).id)))) return true;
  return collision.owners.flat().every((owner) => isIn(owner, previous.catalog));
}

/** Returns the inconsistencies of the objects that a collision excludes. */
export function entriesOf(collision: Collision): readonly Inconsistency[] {
  const objects = new Map(leftOut(collision).map((owner) => [ownerText(owner), objectOf(owner)]));
  return [...objects.values()].map((object) => ({ ...object, reason: `Inconsistent object: ${collision.message}` }));
}

export function without(catalog: Catalog, owner: Owner): Catalog {
  if (owner.kind === "action") return { ...catalog, actions: catalog.actions.filter((each) => each !== owner.action) };
  const { name } = owner.source;
  if (owner.kind === "source") return { ...catalog, sources: catalog.sources.filter((each) => each.name !== name) };
  const sources = catalog.sources.map((each) => (each.name === name ? { ...each, ...remaining(each, owner) } : each));
  return { ...catalog, sources };
}

type InSource = Exclude<Owner, { readonly kind: "action" | "source" }>;

function remaining(source: Source, owner: InSource): Partial<Source> {
  switch (owner.kind) {
    case "table":
      return { tables: source.tables.filter(({ table }) => qualifiedKey(table) !== owner.table.key) };
    case "function":
      return { functions: source.functions.filter((each) => qualifiedKey(each.function) !== owner.function.key) };
    case "native query":
      return { native_queries: source.native_queries.filter((each) => each.root_field_name !== owner.name) };
    case "stored procedure": {
      const procedure = owner.source.storedProcedures.get(owner.name)?.procedure;
      return { stored_procedures: source.stored_procedures.filter((each) => each !== procedure) };
    }
    case "logical model":
      return { logical_models: source.logical_models.filter((each) => each.name !== owner.name) };
  }
}

function objectOf(owner: Owner): MetadataObject {
  switch (owner.kind) {
    case "action":
      return actionObject(owner.action);
    case "source":
      return sourceObject(owner.source.source);
    case "table":
      return tableObject({ ...owner.table, table: owner.table.table.table });
    case "function": {
      return functionObject(owner.source.name, owner.function.function, functionName(owner));
    }
    default:
      return nativeObject(owner);
  }
}

function nativeObject({ kind, source, name }: Extract<Owner, { readonly name: string }>): MetadataObject {
  const query = source.nativeQueries.get(name);
  const procedure = source.storedProcedures.get(name);
  const model = source.source.logical_models.find((each) => each.name === name);
  if (kind === "native query" && query) return nativeQueryObject(source.name, query.query);
  if (kind === "stored procedure" && procedure) return storedProcedureObject(source.name, procedure.procedure, name);
  return model ? logicalModelObject(source.name, model) : sourceObject(source.source);
}

/** Returns true if the catalog has the object with its current names. */
function isIn(owner: Owner, catalog: Catalog): boolean {
  if (owner.kind === "action") return catalog.actions.includes(owner.action);
  const before = catalog.sources.find(({ name }) => name === owner.source.name);
  if (before === undefined || before.customization !== owner.source.source.customization) return false;
  switch (owner.kind) {
    case "source":
      return true;
    case "table": {
      const { key, table } = owner.table;
      return before.tables.some(
        (each) => each.configuration === table.configuration && qualifiedKey(each.table) === key,
      );
    }
    case "function":
      return before.functions.includes(owner.function.function);
    case "native query":
      return before.native_queries.some((each) => each === owner.source.nativeQueries.get(owner.name)?.query);
    case "stored procedure":
      return before.stored_procedures.some((each) => each === owner.source.storedProcedures.get(owner.name)?.procedure);
    case "logical model":
      return before.logical_models.some(
        (each) => each === owner.source.source.logical_models.find(({ name }) => name === owner.name),
      );
  }
}
