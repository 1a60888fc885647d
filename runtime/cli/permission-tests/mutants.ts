/**
 * Changes of permissions that tests should notice: of each filter and check, column list, preset and limit. Their order
 * is that of the metadata.
 */

import type { Catalog } from "../../../compiler/catalog/catalog.ts";
import type { Json, Table } from "../../../compiler/catalog/model.ts";
import { isObject } from "../../values/is-object.ts";
import { stringifyJson } from "../../values/json-number.ts";
import { conditionChanges } from "./condition-mutants.ts";

export interface Mutant {
  /** Path of the changed member in the metadata. */
  readonly path: string;
  readonly role: string;
  /** Name of the table, without its schema. */
  readonly table: string;
  /** Such as `select permission visitor of list: filter widened to {}`. */
  readonly description: string;
  readonly catalog: Catalog;
  /** The reason why no test can notice the change; absent if none is known. */
  readonly equivalence: string | undefined;
}

const lists = ["select_permissions", "insert_permissions", "update_permissions", "delete_permissions"] as const;
type List = (typeof lists)[number];
type Members = Readonly<Record<string, Json | undefined>>;

/**
 * Yields all mutants of the permissions of tables.
 * @param columnsOf returns the columns of a table of a source
 */
export function* mutantsOf(
  catalog: Catalog,
  columnsOf: (source: string, table: Table["table"]) => readonly string[],
): Iterable<Mutant> {
  for (const [s, source] of catalog.sources.entries()) {
    for (const [t, table] of source.tables.entries()) {
      for (const list of lists) {
        for (const [p, { role, permission }] of table[list].entries()) {
          const path = `$.sources[${s}].tables[${t}].${list}[${p}].permission`;
          const subject = `${list.replace("_permissions", "")} permission ${role} of ${table.table.name}`;
          const columns = columnsOf(source.name, table.table);
          for (const change of changesOf(permission as unknown as Members, list, columns)) {
            yield {
              path: `${path}.${change.key}`,
              role,
              table: table.table.name,
              description: `${subject}: ${change.description}`,
              catalog: replaced(catalog, [s, t], { list, index: p, key: change.key, value: change.value }),
              equivalence: change.equivalence,
            };
          }
        }
      }
    }
  }
}

interface Change {
  readonly key: string;
  /** `undefined` removes the member. */
  readonly value: Json | undefined;
  readonly description: string;
  readonly equivalence?: string | undefined;
}

function* changesOf(permission: Members, list: List, all: readonly string[]): Iterable<Change> {
  for (const key of ["filter", "check"]) yield* changesOfCondition(permission, key);
  if (list !== "delete_permissions") yield* changesOfColumns(permission, all);
  const { set: presets, limit } = permission;
  if (isObject<Json>(presets)) {
    for (const [column, value] of Object.entries(presets)) {
      const others = Object.fromEntries(Object.entries(presets).filter(([other]) => other !== column));
      yield { key: "set", value: others, description: `without the preset ${stringifyJson({ [column]: value })}` };
    }
  }
  const rows = limit === undefined || limit === null ? Number.NaN : Number(stringifyJson(limit));
  if (Number.isNaN(rows)) return;
  yield { key: "limit", value: rows + 1, description: `limit raised to ${rows + 1}` };
  yield { key: "limit", value: undefined, description: "without limit" };
}

function* changesOfCondition(permission: Members, key: string): Iterable<Change> {
  const condition = permission[key];
  if (!isObject<Json>(condition)) return;
  for (const { value, description, removed } of conditionChanges(condition)) {
    const equivalence = key === "check" && removed ? presetReason(removed, permission.set) : undefined;
    yield { key, value, description: `${key} ${description}`, equivalence };
  }
}

/** Yields the list of columns with each further column, and without each of its columns. */
function* changesOfColumns({ columns = "*" }: Members, all: readonly string[]): Iterable<Change> {
  const listed = Array.isArray(columns) ? (columns as readonly string[]) : all;
  for (const column of all) {
    if (listed.includes(column)) {
      const value = listed.filter((other) => other !== column);
      yield { key: "columns", value, description: `without column ${column}` };
    } else yield { key: "columns", value: [...listed, column], description: `with column ${column}` };
  }
}

/** Returns the reason why presets imply the removed part of a check: each column must equal its own preset. */
function presetReason(removed: Json, presets: Json | undefined): string | undefined {
  if (!isObject<Json>(removed) || !isObject<Json>(presets)) return undefined;
  const columns = Object.keys(removed);
  const isImplied = columns.every((column) => {
    const value = removed[column];
    const isEquality = isObject<Json>(value) && Object.keys(value).join() === "_eq";
    return isEquality && presets[column] !== undefined && presets[column] === value._eq;
  });
  return isImplied ? `the preset of ${columns.join(", ")} has the value that the check requires` : undefined;
}

interface Place {
  readonly list: List;
  readonly index: number;
  readonly key: string;
  readonly value: Json | undefined;
}

function replaced(catalog: Catalog, [s, t]: readonly [number, number], place: Place): Catalog {
  const { list, index, key, value } = place;
  const tables = catalog.sources[s]?.tables.map((table, i): Table => {
    if (i !== t) return table;
    const changed = (table[list] as readonly { readonly permission: object }[]).map((each, j) =>
      j === index ? { ...each, permission: withMember(each.permission, key, value) } : each,
    );
    return { ...table, [list]: changed };
  });
  const sources = catalog.sources.map((source, i) => (i === s ? { ...source, tables: tables ?? [] } : source));
  return { ...catalog, sources };
}

function withMember(permission: object, key: string, value: Json | undefined): object {
  const others = Object.fromEntries(Object.entries(permission).filter(([other]) => other !== key));
  return value === undefined ? others : { ...permission, [key]: value };
}
