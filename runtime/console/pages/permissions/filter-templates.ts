/** Filters that a permission can start from: of other operations of the role, and of columns with usual names. */
import type { ColumnInfo } from "../../http/data-api.ts";
import type { JsonObject, Table } from "../../http/metadata-types.ts";
import { isObject } from "./conditions.ts";
import { type Action, actions, isEmptyFilter, permissionOf } from "./draft.ts";

export interface FilterTemplate {
  readonly label: string;
  readonly filter: JsonObject;
}

interface TemplateOptions {
  readonly table: Table;
  readonly role: string;
  readonly action: Action;
  readonly part: "filter" | "check";
  readonly columns: readonly ColumnInfo[];
}

export function filterTemplates({ table, role, action, part, columns }: TemplateOptions): readonly FilterTemplate[] {
  return [...fromOperations(table, role, action, part), ...fromColumns(columns)];
}

/** Returns the different filters and checks of the role on the table. */
function fromOperations(table: Table, role: string, own: Action, ownPart: string): readonly FilterTemplate[] {
  const found = new Map<string, FilterTemplate>();
  for (const action of actions) {
    for (const part of ["filter", "check"] as const) {
      const filter = permissionOf(table, action, role)?.permission[part];
      if ((action === own && part === ownPart) || !isObject(filter ?? null) || isEmptyFilter(filter)) continue;
      const key = JSON.stringify(filter);
      const words = part === "filter" ? "Row filter" : "Check";
      if (!found.has(key)) found.set(key, { label: `${words} of ${action}`, filter: filter as JsonObject });
    }
  }
  return [...found.values()];
}

const ownerColumn = /^(?:(?:owner|user|author|creator|member|account|customer)(?:_?id)?|created_?by)$/i;
const tenantColumn = /^(?:tenant|organization|organisation|org|company|team|workspace)_?id$/i;
const deletionColumn = /^(?:deleted|archived)_?at$/i;

function fromColumns(columns: readonly ColumnInfo[]): readonly FilterTemplate[] {
  return columns.flatMap(({ name, operators }): readonly FilterTemplate[] => {
    const has = (operator: string): boolean => operators.some((each) => each.name === operator);
    if (ownerColumn.test(name) && has("_eq")) {
      return [{ label: `Own rows by ${name}`, filter: { [name]: { _eq: "X-Engine-User-Id" } } }];
    }
    if (tenantColumn.test(name) && has("_eq")) {
      return [{ label: `Rows of the session's ${name}`, filter: { [name]: { _eq: variableOf(name) } } }];
    }
    if (deletionColumn.test(name) && has("_is_null")) {
      return [{ label: `Rows without ${name}`, filter: { [name]: { _is_null: true } } }];
    }
    return [];
  });
}

/** Returns the session variable with the name of a column: `org_id` → `X-Engine-Org-Id`. */
function variableOf(column: string): string {
  const words = column.split("_").map((word) => `${word.slice(0, 1).toUpperCase()}${word.slice(1).toLowerCase()}`);
  return `X-Engine-${words.join("-")}`;
}
