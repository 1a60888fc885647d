/** What a tracked table must meet before anything inside it is looked at (`metadata-api.md` 2.2, 5.3, 6.3). */

import type { TableConfig } from "../../catalog/model.ts";
import { isGraphqlName } from "../../catalog/schema/scalars.ts";
import type { Dialect } from "../../dialects/dialect.ts";
import type { TableShape, TypeRef } from "../../shape/shape.ts";
import type { AnalyzedColumn } from "../analyzed-table.ts";
import { customRootField } from "../naming.ts";
import { reject, rejectUnknown } from "../rejection.ts";

/** @throws Rejection for a name that cannot stand in a GraphQL schema */
export function checkGraphqlName(name: string): void {
  if (isGraphqlName(name)) return;
  reject(`cannot include "${name}" in the GraphQL schema because  it is not a valid GraphQL identifier`);
}

/** @throws Rejection when the configuration names a column that is not there, or gives a name that is none */
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
    reject(`the column "${column}" is declared as JSON, for which ${kind} has types of its own: jsonb and json`);
  }
  if (jsonColumnType(type) !== undefined) return;
  reject(`the column "${column}" is declared as JSON, but its type ${type.sql} holds no texts`);
}

/** @throws Rejection for a table or view that gateways of Apollo Federation could not tell rows of apart */
export function checkEntity({ primaryKey }: TableShape, displayName: string): void {
  if (primaryKey !== null) return;
  reject(`"${displayName}" cannot be an entity of Apollo Federation: it has no primary key`);
}

/** @throws Rejection when two columns are the same field, or no column has a name that GraphQL allows */
export function checkColumnFields(columns: readonly AnalyzedColumn[]): void {
  if (columns.length > 0 && columns.every(({ field }) => field === null)) {
    const names = columns.map(({ name }) => JSON.stringify(name)).join(", ");
    reject(`no column has a name that GraphQL allows: choose a "custom_name" in column_config for one of ${names}`);
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
