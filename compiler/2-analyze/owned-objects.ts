/** Finds tables that changed only in objects on which no other object depends: permissions and event triggers. */
import type { Source, Table } from "../catalog/model.ts";
import { replacedTables } from "../catalog/parts.ts";

const owned: ReadonlySet<string> = new Set<keyof Table>([
  "select_permissions",
  "insert_permissions",
  "update_permissions",
  "delete_permissions",
  "event_triggers",
]);

/** Returns the changed tables as they are in `after`; `undefined` if any other part of the source changed. */
export function tablesWithChangedObjects(before: Source, after: Source): readonly Table[] | undefined {
  if (!sameButTables(before, after)) return undefined;
  const replaced = replacedTables(before.tables, after.tables);
  const isOwned = replaced?.every((table) => sameBut(table.before, table.after, (key) => owned.has(key)));
  return isOwned ? replaced?.map((table) => table.after) : undefined;
}

/** Returns true if all members except the tables are identical. */
export function sameButTables(before: Source, after: Source): boolean {
  return sameBut(before, after, (key) => key === "tables");
}

function sameBut<T extends object>(left: T, right: T, ignored: (key: string) => boolean): boolean {
  const keys = new Set([...Object.keys(left), ...Object.keys(right)]);
  return [...keys].every((key) => ignored(key) || left[key as keyof T] === right[key as keyof T]);
}
