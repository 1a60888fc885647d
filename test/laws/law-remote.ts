/** The part of a world that a remote GraphQL server holds, and its metadata. */
import { keyOf, type Value } from "./column-types.ts";
import { type Column, columnOf, type Relationship, type Row, type Table, tableOf, type World } from "./model.ts";

export interface RemotePart {
  readonly sdl: string;
  /** Resolves the fields of the query root. */
  readonly root: object;
}

/** A field that returns the rows of a table whose columns equal its arguments. */
interface Finder {
  readonly name: string;
  readonly relationship: Relationship;
  readonly target: Table;
  readonly form: "arguments" | "input" | "below";
}

type Arguments = Readonly<Record<string, unknown>>;

const forms = ["arguments", "input", "below"] as const;
const typeNames: Readonly<Record<string, string>> = { integer: "Int", text: "String", uuid: "ID", boolean: "Boolean" };

export function remotePart(world: World): RemotePart {
  const tables = [...world.tables.values()].filter(({ place }) => place === "server");
  const finders = allFinders(world);
  const ofRoot = finders.filter(({ form }) => form !== "below");
  const below = finders.filter(({ form }) => form === "below");
  const lists = tables.map(({ name }) => `${name}_all(first: Int): [${name}!]!`);
  const sdl = [
    ...tables.map(({ name, columns }) => `type ${name} { ${columns.map(fieldSdl).join(" ")} }`),
    ...finders
      .filter(({ form }) => form === "input")
      .map((finder) => `input ${finder.name}_keys { ${keysSdl(finder)} }`),
    `type Query { ${[...lists, ...ofRoot.map(finderSdl), ...(below.length > 0 ? ["below: Below!"] : [])].join(" ")} }`,
    below.length > 0 ? `type Below { ${below.map(finderSdl).join(" ")} }` : "",
  ].join("\n");
  const find = (finder: Finder) => [finder.name, (args: Arguments) => found(world, finder, args)] as const;
  const all = ({ name }: Table) => {
    return [`${name}_all`, ({ first }: Arguments) => firstOf(world.rows.get(name) ?? [], first)] as const;
  };
  return {
    sdl,
    root: {
      ...Object.fromEntries([...tables.map(all), ...ofRoot.map(find)]),
      below: Object.fromEntries(below.map(find)),
    },
  };
}

/** Returns the relationships of a table to other places, as metadata. */
export function leavingMetadata(world: World, table: Table): readonly { name: string; definition: object }[] {
  const finders = new Map(allFinders(world).map((finder) => [finder.relationship, finder]));
  return table.relationships.flatMap((relationship): { name: string; definition: object }[] => {
    if (!relationship.leaves) return [];
    const { name, mapping, target } = relationship;
    const finder = finders.get(relationship);
    if (finder) {
      const lhs_fields = mapping.map(([local]) => local);
      return [
        { name, definition: { to_remote_schema: { remote_schema: "law", lhs_fields, remote_field: call(finder) } } },
      ];
    }
    const to_source = {
      source: tableOf(world, target).place,
      table: { schema: "public", name: target },
      relationship_type: relationship.kind,
      field_mapping: Object.fromEntries(mapping),
    };
    return [{ name, definition: { to_source } }];
  });
}

function allFinders(world: World): readonly Finder[] {
  const leading = [...world.tables.values()].flatMap(({ relationships }) =>
    relationships.filter(({ leaves, target }) => leaves && tableOf(world, target).place === "server"),
  );
  return leading.map((relationship, i) => ({
    name: `find_${i}`,
    relationship,
    target: tableOf(world, relationship.target),
    form: forms[i % forms.length] ?? "arguments",
  }));
}

const fieldSdl = ({ name, type, nullable }: Column): string => `${name}: ${typeNames[type.sql]}${nullable ? "" : "!"}`;

const keysSdl = ({ relationship, target }: Finder): string =>
  relationship.mapping.map(([, to], i) => `k${i}: ${typeNames[columnOf(target, to).type.sql]}!`).join(" ");

function finderSdl(finder: Finder): string {
  const { name, form, target, relationship } = finder;
  const keys = form === "input" ? `keys: ${name}_keys!` : keysSdl(finder);
  if (relationship.kind === "object") return `${name}(${keys}): ${target.name}`;
  return `${name}(${keys} first: Int): [${target.name}!]!`;
}

function call({ name, form, relationship: { mapping } }: Finder): object {
  const keys = Object.fromEntries(mapping.map(([local], i) => [`k${i}`, `$${local}`]));
  const field = { [name]: { arguments: form === "input" ? { keys } : keys } };
  return form === "below" ? { below: { arguments: {}, field } } : field;
}

function found(world: World, { relationship, target, form }: Finder, args: Arguments): Row | null | readonly Row[] {
  const keys = form === "input" ? (args.keys as Arguments) : args;
  const rows = (world.rows.get(target.name) ?? []).filter((row) =>
    relationship.mapping.every(([, to], i) => keyOf(row[to] ?? null) === keyOf(keys[`k${i}`] as Value)),
  );
  return relationship.kind === "object" ? (rows[0] ?? null) : firstOf(rows, args.first);
}

const firstOf = (rows: readonly Row[], first: unknown): readonly Row[] =>
  typeof first === "number" ? rows.slice(0, first) : rows;
