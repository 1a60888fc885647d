/** Rules of tracked tables, checked before the objects that they own. */

import type { TableConfig } from "../../catalog/model.ts";
import { isGraphqlName } from "../../catalog/schema/scalars.ts";
import type { Dialect } from "../../dialects/dialect.ts";
import type { TableShape, TypeRef } from "../../shape/shape.ts";
import type { AnalyzedColumn } from "../analyzed-table.ts";
import { customRootField } from "../naming.ts";
import { reject, rejectUnknown } from "../rejection.ts";

/** @throws Rejection for an invalid GraphQL name */
export function checkGraphqlName(name: string): void {
  if (isGraphqlName(name)) return;
  reject(`cannot include "${name}" in the GraphQL schema because  it is not a valid GraphQL identifier`);
}

/** @throws Rejection if the configuration contains an unknown column or an invalid GraphQL name */
export function checkConfiguration(
  { columns }: TableShape,
  configuration: TableConfig,
  dialect: Pick<Dialect, "kind" | "jsonColumnType">,
): void {
  const names = new Set(columns.map(({ name }) => name));
  const configured = configuration.column_config ?? {};
  for (const column of Object.keys(configured)) {
    if (names.has(column)) continue;
    rejectUnknown(`configuration was given for the column "${column}", but no such column exists`, column, names);
  }
  for (const { name, type } of columns) if (configured[name]?.json === true) checkJsonColumn(name, type, dialect);
  const chosen = [
    configuration.custom_name,
    ...Object.values(configuration.custom_root_fields ?? {}).map((field) => customRootField(field).name),
    ...Object.values(configured).map(({ custom_name }) => custom_name),
  ];
  for (const name of chosen) if (name != null) checkGraphqlName(name);
}

function checkJsonColumn(
  column: string,
  type: TypeRef,
  { kind, jsonColumnType }: Pick<Dialect, "kind" | "jsonColumnType">,
): void {
  if (jsonColumnType === undefined) {
    reject(
      `the column "${column}" is declared as JSON, which ${kind} does not support: use a column of type jsonb or json`,
    );
  }
  if (jsonColumnType(type) !== undefined) return;
  reject(`the column "${column}" is declared as JSON, but its type ${type.sql} is not a text type`);
}

/** @throws Rejection for a table or view without a primary key, whose rows Apollo Federation could not identify */
export function checkEntity({ primaryKey }: TableShape, displayName: string): void {
  if (primaryKey !== null) return;
  reject(`"${displayName}" cannot be an entity of Apollo Federation: it has no primary key`);
}

/** @throws Rejection if two columns have the same field, or if no column has a valid GraphQL name */
export function checkColumnFields(columns: readonly AnalyzedColumn[]): void {
  if (columns.length > 0 && columns.every(({ field }) => field === null)) {
    const names = columns.map(({ name }) => JSON.stringify(name)).join(", ");
    reject(`no column has a valid GraphQL name: set "custom_name" in column_config for one of ${names}`);
  }
  const byField = new Map<string, string>();
  for (const { name, field } of columns) {
    if (field === null) continue;
    const other = byField.get(field);
    if (other !== undefined) {
      const [first, second] = [other, name].sort();
      reject(
        `the definitions of columns "${first}" and "${second}" are in conflict: they are mapped to the same field name, "${field}"`,
      );
    }
    byField.set(field, name);
  }
}
