/** Compares the writes of related rows that inserts and updates of a table may make. */
import type { Changes } from "./change.ts";
import type { ByName, RelatedAccess } from "./model.ts";

/**
 * Compares the writes of the relationships of a table. They widen nothing by themselves, because each needs the
 * permission of its table, except for inserts of rows with a key that requests may not set.
 */
export function compareRelated(
  kind: "insert" | "update",
  before: ByName<RelatedAccess> = {},
  after: ByName<RelatedAccess> = {},
  changes: Changes,
): void {
  const aspect = `${kind} with related rows`;
  const text = (setsKey: boolean) => (setsKey ? "inserted rows get the key of their parent" : undefined);
  changes.members(
    writesByName(before),
    writesByName(after),
    { aspect, added: (setsKey) => (setsKey ? "widens" : "none"), text },
    // A column that requests may set, or no longer, is a change of the insert permission.
    (from, to, name) => changes.changed({ aspect, name, before: text(from), after: text(to), effect: "none" }),
  );
}

/** Returns writes by name, such as `books.insert`: true if they set a key that requests may not set. */
const writesByName = (related: ByName<RelatedAccess>): ByName<boolean> =>
  Object.fromEntries(
    Object.entries(related).flatMap(([name, { writes, setsKey = false }]) =>
      writes.map((kind) => [`${name}.${kind}`, kind === "insert" && setsKey]),
    ),
  );
