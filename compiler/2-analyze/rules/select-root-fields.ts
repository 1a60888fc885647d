/** Rules of the root fields that a select permission enables. */
import type { SelectPermission } from "../../catalog/model.ts";
import type { AnalyzedColumn } from "../analyzed-table.ts";
import { reject } from "../rejection.ts";
import type { TableBase } from "../tables.ts";

/** @throws Rejection if the permission does not grant enough for a listed field */
export function checkRootFields(
  { source, displayName, primaryKey }: TableBase,
  role: string,
  columns: readonly AnalyzedColumn[],
  { query_root_fields, subscription_root_fields, allow_aggregations }: SelectPermission,
): void {
  const listed = new Set<string>([...(query_root_fields ?? []), ...(subscription_root_fields ?? [])]);
  const readsKey = primaryKey.length > 0 && primaryKey.every((column) => columns.includes(column));
  if (listed.has("select_by_pk") && !readsKey) {
    reject(
      `The "select_by_pk" field cannot be included in the query_root_fields or subscription_root_fields because the role "${role}" does not have access to the primary key of the table "${displayName}" in the source "${source}"`,
    );
  }
  if (listed.has("select_aggregate") && allow_aggregations !== true) {
    reject(
      'The "select_aggregate" root field can only be enabled in the query_root_fields or  the subscription_root_fields when "allow_aggregations" is set to true',
    );
  }
}
