/** Random select permissions of one role, with the session that their filters need. */
import type { Choices } from "./choices.ts";
import {
  everything,
  type Filter,
  type Grant,
  permissionsOf,
  relationshipsWithin,
  type SelectPermission,
  type Table,
  type Viewpoint,
  type World,
} from "./model.ts";
import { type FilterScope, randomFilter } from "./random-filter.ts";

/** Select permissions of roles, by role and table. */
type Permissions = ReadonlyMap<string, ReadonlyMap<string, SelectPermission>>;

/** A role that reads, and the metadata of its permissions. */
export interface Reader {
  readonly viewpoint: Viewpoint;
  readonly permissions: Permissions;
  readonly inheritedRoles: readonly InheritedRole[];
}

interface InheritedRole {
  readonly role_name: string;
  readonly role_set: readonly string[];
}

const role = "reader";

/** Returns a role with its own permissions, or an inherited role, possibly nested; it always sees the first table. */
export function randomReader(choices: Choices, world: World): Reader {
  const session: Record<string, string> = {};
  const scope: FilterScope = {
    world,
    columns: ({ columns }) => columns,
    relationships: relationshipsWithin,
    session: (text) => {
      const name = `x-engine-v${Object.keys(session).length}`;
      session[name] = text;
      return name;
    },
  };
  const all = [...world.tables.values()];
  const [first, ...others] = all.filter(({ place }) => place !== "server");
  const permissionsOn = (tables: readonly (Table | undefined)[]) => {
    const granted = new Map<string, SelectPermission>();
    for (const table of tables) if (table) granted.set(table.name, randomPermission(choices, table, scope, granted));
    return granted;
  };
  if (choices.chance(70)) {
    const select = permissionsOn([first, ...choices.some(others, 85)]);
    const viewpoint = { world, role, select: withServers(select, all), session };
    return { viewpoint, permissions: new Map([[role, select]]), inheritedRoles: [] };
  }
  const parents = ["a", "b", "c"];
  const permissions = new Map(parents.map((parent) => [parent, permissionsOn([first, ...choices.some(others, 60)])]));
  permissions.set(role, permissionsOn(choices.some(others, 15)));
  const middle = choices.shuffled(parents, choices.number(1, 3));
  const top = choices.shuffled([...parents, "middle"], choices.number(1, 4));
  const select = new Map<string, Grant>();
  for (const { name } of world.tables.values()) {
    const merge = (roles: readonly string[]): Grant => ({
      parents: roles.flatMap((each) => (each === "middle" ? merge(middle) : (permissions.get(each)?.get(name) ?? []))),
    });
    const grant = permissions.get(role)?.get(name) ?? merge(top);
    if (permissionsOf(grant).length > 0) select.set(name, grant);
  }
  const inheritedRoles = [
    { role_name: role, role_set: top },
    { role_name: "middle", role_set: middle },
  ];
  return { viewpoint: { world, role, select: withServers(select, all), session }, permissions, inheritedRoles };
}

/** Adds all tables of a remote server, which every role sees. */
function withServers(select: ReadonlyMap<string, Grant>, tables: readonly Table[]): ReadonlyMap<string, Grant> {
  const served = tables.filter(({ place }) => place === "server");
  const all = { filter: everything, limit: undefined, aggregations: false };
  return new Map([...select, ...served.map(({ name, columns }) => [name, { columns, ...all }] as const)]);
}

function randomPermission(
  choices: Choices,
  table: Table,
  scope: FilterScope,
  granted: ReadonlyMap<string, SelectPermission>,
): SelectPermission {
  const permitted = (of: Table) => relationshipsWithin(of).filter(({ target }) => granted.has(target));
  const filter = choices.maybe(40, () => throughOther(choices, table, scope, granted));
  return {
    columns: table.columns.filter((column) => column === table.tie || choices.chance(75)),
    filter: filter ?? randomFilter(choices, { ...scope, permitted }, table, choices.number(0, 3)),
    limit: choices.maybe(25, () => choices.number(0, 4)),
    aggregations: choices.chance(70),
  };
}

/** Returns a filter for rows related to visible rows of another table, sometimes to fewer or more of them. */
function throughOther(
  choices: Choices,
  table: Table,
  scope: FilterScope,
  granted: ReadonlyMap<string, SelectPermission>,
): Filter | undefined {
  const relationship = choices.pickMaybe(relationshipsWithin(table).filter(({ target }) => granted.has(target)));
  if (relationship && choices.chance(30)) return { kind: "permitted", relationship };
  const where = relationship && granted.get(relationship.target)?.filter;
  if (!where || namesRoot(where)) return undefined;
  const { items } = where.kind === "and" ? where : { items: [where] };
  const some: Filter = choices.chance(30) ? { kind: "and", items: choices.some(items, 50) } : where;
  const related: Filter = { kind: "related", relationship, where: some };
  if (choices.chance(70)) return related;
  return { kind: choices.pick(["and", "or"]), items: [related, randomFilter(choices, scope, table, 1)] };
}

/** Returns whether a filter refers to the root row, which would belong to another table in another permission. */
function namesRoot(filter: Filter): boolean {
  switch (filter.kind) {
    case "and":
    case "or":
      return filter.items.some(namesRoot);
    case "not":
      return namesRoot(filter.item);
    case "related":
    case "exists":
      return namesRoot(filter.where);
    case "columns":
      return filter.ofRoot;
    default:
      return false;
  }
}
