/** Which tables of a source differ in nothing but what they own for themselves: permissions and event triggers. */
import type { Source, Table } from "../catalog/model.ts";
import { replacedTables } from "../catalog/replaced-tables.ts";

const owned: ReadonlySet<string> = new Set<keyof Table>([
  "select_permissions",
  "insert_permissions",
  "update_permissions",
  "delete_permissions",
  "event_triggers",
]);

/** The changed tables as they are in `after`; `undefined` if anything else of the source is another object. */
export function tablesThatOwnOtherObjects(before: Source, after: Source): readonly Table[] | undefined {
  if (!sameButTables(before, after)) return undefined;
  const replaced = replacedTables(before.tables, after.tables);
  const isOwned = replaced?.every((table) => sameBut(table.before, table.after, (key) => owned.has(key)));
  return isOwned ? replaced?.map((table) => table.after) : undefined;
}

/** Whether all members but the tables are the same objects. */
export function sameButTables(before: Source, after: Source): boolean {
  return sameBut(before, after, (key) => key === "tables");
}

function sameBut<T extends object>(left: T, right: T, ignored: (key: string) => boolean): boolean {
  const keys = new Set([...Object.keys(left), ...Object.keys(right)]);
  return [...keys].every((key) => ignored(key) || left[key as keyof T] === right[key as keyof T]);
}
