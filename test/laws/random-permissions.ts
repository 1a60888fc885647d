/** Random select permissions of one role, with the session that their filters need. */
import type { Choices } from "./choices.ts";
import type { SelectPermission, Table, Viewpoint, World } from "./model.ts";
import { type FilterScope, randomFilter } from "./random-filter.ts";

/** What the role sees. Keys are always among it, so that requests can break ties. */
export function randomViewpoint(choices: Choices, world: World, role: string): Viewpoint {
  const session: Record<string, string> = {};
  const scope: FilterScope = {
    world,
    columns: ({ columns }) => columns,
    relationships: ({ relationships }) => relationships,
    session: (text) => {
      const name = `x-engine-v${Object.keys(session).length}`;
      session[name] = text;
      return name;
    },
  };
  const tables = [...world.tables.values()].filter((_, i) => i === 0 || choices.chance(85));
  const select = new Map(tables.map((table) => [table.name, randomPermission(choices, table, scope)]));
  return { world, role, select, session };
}

function randomPermission(choices: Choices, table: Table, scope: FilterScope): SelectPermission {
  return {
    columns: table.columns.filter((column) => table.key.includes(column) || choices.chance(75)),
    filter: randomFilter(choices, scope, table, choices.number(0, 3)),
    limit: choices.maybe(25, () => choices.number(0, 4)),
    aggregations: choices.chance(70),
  };
}
