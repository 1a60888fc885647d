/**
 * Objects of the metadata that give the schema two things of one name. A change of the metadata that would add such a
 * pair is refused (`metadata-api.md` 6.3). Where a database or an earlier version brought it about, the server goes on:
 * one of the two is left out, with an entry that names both.
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

/** An object that gives the schema a name. */
export type Owner =
  | { readonly kind: "table"; readonly source: AnalyzedSource; readonly table: AnalyzedTable }
  | { readonly kind: "function"; readonly source: AnalyzedSource; readonly function: AnalyzedFunction }
  | {
      readonly kind: "native query" | "stored procedure" | "logical model";
      readonly source: AnalyzedSource;
      readonly name: string;
    }
  /** By its namespace. */
  | { readonly kind: "source"; readonly source: AnalyzedSource }
  | { readonly kind: "action"; readonly action: Action };

export interface Collision {
  /** Names the objects. */
  readonly message: string;
  /** The objects of each name, in the order of the analysis; the same object may occur twice. */
  readonly owners: readonly (readonly Owner[])[];
}

/** `table author in source default` */
export function ownerText(owner: Owner): string {
  switch (owner.kind) {
    case "action":
      return `action ${owner.action.name}`;
    case "source":
      return `source ${owner.source.name}`;
    case "table":
      return `table ${owner.table.displayName} in source ${owner.source.name}`;
    case "function":
      return `function ${owner.function.function.function.name} in source ${owner.source.name}`;
    default:
      return `${owner.kind} ${owner.name} in source ${owner.source.name}`;
  }
}

/** Returns the last object of each name: a source gives way to none but another source. */
export function leftOut({ owners }: Collision): readonly Owner[] {
  return owners.flatMap((each) => each.findLast(({ kind }) => kind !== "source") ?? each.at(-1) ?? []);
}

/**
 * Returns true for a collision that existed in the previous analysis, and for one between unchanged objects, which a
 * changed database causes. Such a collision refuses no change of the metadata.
 * @param previous absent: the server starts
 */
export function isOlder(collision: Collision, previous: Analysis | undefined): boolean {
  if (previous === undefined) return true;
  const known = new Set(previous.inconsistencies.map(({ id }) => objectKey(id)));
  if (leftOut(collision).every((owner) => known.has(objectKey(objectOf(owner).id)))) return true;
  return collision.owners.flat().every((owner) => isIn(owner, previous.catalog));
}

/** The entries of the objects that a collision leaves out. */
export function entriesOf(collision: Collision): readonly Inconsistency[] {
  const objects = new Map(leftOut(collision).map((owner) => [ownerText(owner), objectOf(owner)]));
  return [...objects.values()].map((object) => ({ ...object, reason: `Inconsistent object: ${collision.message}` }));
}

/** The catalog without an object. */
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
      const { function: tracked } = owner.function;
      const { defaultSchema } = dialectOf(owner.source.source.kind);
      return functionObject(owner.source.name, tracked, printName(tracked.function, defaultSchema));
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
