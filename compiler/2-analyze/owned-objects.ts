/** Which tables of a source differ in nothing but what they own for themselves: permissions and event triggers. */
import type { Source, Table } from "../catalog/model.ts";

const owned: ReadonlySet<string> = new Set<keyof Table>([
  "select_permissions",
  "insert_permissions",
  "update_permissions",
  "delete_permissions",
  "event_triggers",
]);

/** The changed tables as they are in `after`; `undefined` if anything else of the source is another object. */
export function tablesThatOwnOtherObjects(before: Source, after: Source): readonly Table[] | undefined {
  if (before.tables.length !== after.tables.length || !sameBut(before, after, (key) => key === "tables")) {
    return undefined;
  }
  const changed: Table[] = [];
  for (const [index, table] of after.tables.entries()) {
    const known = before.tables[index];
    if (known === table) continue;
    if (known === undefined || !sameBut(known, table, (key) => owned.has(key))) return undefined;
    changed.push(table);
  }
  return changed;
}

function sameBut<T extends object>(left: T, right: T, ignored: (key: string) => boolean): boolean {
  const keys = new Set([...Object.keys(left), ...Object.keys(right)]);
  return [...keys].every((key) => ignored(key) || left[key as keyof T] === right[key as keyof T]);
}
