/** A world of many tables, and changes of its metadata and its database. */
import type { Catalog } from "../../../../compiler/catalog/catalog.ts";
import type { Source, Table } from "../../../../compiler/catalog/model.ts";
import type { ColumnShape, FunctionShape, Shape, TableShape } from "../../../../compiler/shape/shape.ts";
import {
  argument,
  columns as columnShapes,
  functionShape,
  library,
  parsed,
  rowType,
  table,
} from "../../../unit/analyze/sample.ts";

/** Number of tables: more than fit in one module. The last twenty are not tracked at first. */
export const known = 270;
export const tracked = 250;
export const nameOf = (index: number) => `table_${index}`;
export const filter = { owner: { _eq: "X-Engine-User-Id" } };
export const columns = ["id", "name", "owner"];

/** Finds rows of table_20 by a text. */
export const found = functionShape("found", {
  returns: rowType("public", nameOf(20)),
  returnsTable: { schema: "public", name: nameOf(20) },
  returnsSet: true,
  arguments: [argument("part", "text")],
});
/** Computes a text from a row of table_21. */
export const label = functionShape("label", { arguments: [argument("of", rowType("public", nameOf(21)))] });
/** Returns rows of table_23 for a row of table_21. */
export const others = functionShape("others", {
  returns: rowType("public", nameOf(23)),
  returnsTable: { schema: "public", name: nameOf(23) },
  returnsSet: true,
  arguments: [argument("of", rowType("public", nameOf(21)))],
});

const shape: Shape = {
  ...library,
  functions: [found, label, others],
  tables: [
    ...Array.from({ length: known }, (_, index) =>
      table(nameOf(index), {
        columns: { id: "int4!", parent_id: "int4", name: "text", owner: "text" },
        primaryKey: ["id"],
        foreignKeys: [
          {
            columns: ["parent_id"],
            foreignTable: { schema: "public", name: nameOf((index + 1) % known) },
            foreignColumns: ["id"],
          },
        ],
      }),
    ),
    table("status", { columns: { value: "text!" }, primaryKey: ["value"], enumValues: enumValues("open", "closed") }),
    table("ticket", {
      columns: { id: "int4!", status: "text", owner: "text" },
      primaryKey: ["id"],
      foreignKeys: [
        { columns: ["status"], foreignTable: { schema: "public", name: "status" }, foreignColumns: ["value"] },
      ],
    }),
  ],
};

function enumValues(...values: readonly string[]): NonNullable<TableShape["enumValues"]> {
  return values.map((value) => ({ value, comment: null }));
}

export const select = (role: string, own: readonly string[] = columns) => ({
  role,
  permission: { columns: own, filter },
});
export const insert = (role: string, check: object) => ({ role, permission: { check, columns: ["name"] } });

/** Returns a table as metadata. */
function given(index: number, more: object = {}): object {
  return {
    table: nameOf(index),
    select_permissions: [
      select("clerk"),
      ...(index % 5 === 0 ? [select("boss", ["id"])] : []),
      ...(index === 7 ? [select("lone")] : []),
    ],
    insert_permissions: index % 9 === 0 ? [insert("clerk", filter), insert("boss", filter)] : [],
    ...(index === 21 ? { computed_fields: [computed("label"), computed("others")] } : {}),
    ...more,
  };
}

const computed = (name: string) => ({ name, definition: { function: name } });

function catalogOf(tables: readonly object[], more: object = {}, functions: readonly object[] = []): Catalog {
  const configuration = { connection_info: { database_url: "postgres://x" } };
  return parsed({ version: 3, sources: [{ name: "default", configuration, tables, functions }], ...more });
}

export const inherited_roles = [{ role_name: "both", role_set: ["clerk", "boss"] }];
export const start: World = {
  catalog: catalogOf(
    [
      ...Array.from({ length: tracked }, (_, index) => given(index)),
      { table: "status", is_enum: true },
      {
        table: "ticket",
        select_permissions: [
          { role: "clerk", permission: { columns: ["id", "status"], filter: { status: { _eq: "open" } } } },
        ],
      },
    ],
    { inherited_roles },
    [{ function: "found" }],
  ),
  shape,
};

/** Returns the parsed table with this index. */
function tableOf(index: number, more: object = {}): Table {
  const [own] = catalogOf([given(index, more)]).sources[0]?.tables ?? [];
  if (own === undefined) throw new Error("there is a table");
  return own;
}

/** Metadata and its database. */
export interface World {
  readonly catalog: Catalog;
  readonly shape: Shape;
}

export type Edit = (world: World) => World;

function inCatalog(change: (catalog: Catalog) => Catalog): Edit {
  return ({ catalog, shape }) => ({ catalog: change(catalog), shape });
}

function inSource(change: (source: Source) => Source): Edit {
  return inCatalog((catalog) => ({ ...catalog, sources: catalog.sources.map(change) }));
}

const editTable = (index: number, change: (table: Table) => Table): Edit =>
  inSource((source) => ({
    ...source,
    tables: source.tables.map((each) => (each.table.name === nameOf(index) ? change(each) : each)),
  }));

/** Parses a table with more members, and copies these members to the table in the catalog. */
const withMembers = (index: number, more: object, ...members: readonly (keyof Table)[]): Edit => {
  const parsedTable = tableOf(index, more);
  const changed = Object.fromEntries(members.map((member) => [member, parsedTable[member]]));
  return editTable(index, (each) => ({ ...each, ...changed }));
};

export const selects = (index: number, ...permissions: readonly object[]): Edit =>
  withMembers(index, { select_permissions: permissions }, "select_permissions");

export const inserts = (index: number, ...permissions: readonly object[]): Edit =>
  withMembers(index, { insert_permissions: permissions }, "insert_permissions");

export const rename = (index: number, configuration: object): Edit =>
  withMembers(index, { configuration }, "configuration");

export const add = (index: number): Edit =>
  inSource((source) =>
    source.tables.some((each) => each.table.name === nameOf(index))
      ? source
      : { ...source, tables: [...source.tables, tableOf(index)] },
  );

export const remove = (index: number): Edit =>
  inSource((source) => ({ ...source, tables: source.tables.filter((each) => each.table.name !== nameOf(index)) }));

export const relate = (index: number): Edit => {
  const parent = { name: "parent", using: { foreign_key_constraint_on: "parent_id" } };
  return withMembers(index, { object_relationships: [parent] }, "object_relationships");
};

/** Adds an array relationship to the previous table. */
export const relateBack = (index: number): Edit => {
  const using = { foreign_key_constraint_on: { table: nameOf(index - 1), column: "parent_id" } };
  return withMembers(index, { array_relationships: [{ name: "children", using }] }, "array_relationships");
};

export const relateRemotely = (index: number, target: number): Edit => {
  const to_source = {
    source: "default",
    table: nameOf(target),
    relationship_type: "object",
    field_mapping: { name: "name" },
  };
  const remote_relationships = [{ name: "far", definition: { to_source } }];
  return withMembers(index, { remote_relationships }, "remote_relationships");
};

export const trigger = (index: number): Edit => {
  const own = { name: `t${index}`, webhook_from_env: "NONE", definition: { insert: { columns: "*" } } };
  const retry_conf = { num_retries: 0, interval_sec: 1 };
  return withMembers(index, { event_triggers: [{ ...own, retry_conf }] }, "event_triggers");
};

export const inherit = (...roles: readonly object[]): Edit => {
  const { inherited_roles } = catalogOf([], { inherited_roles: roles });
  return inCatalog((catalog) => ({ ...catalog, inherited_roles }));
};

export const customize = (customization: Source["customization"]): Edit =>
  inSource(({ customization: _, ...source }) => ({ ...source, ...(customization && { customization }) }));

// Changes of the database.

export const inDatabase =
  (name: string, change: (shape: TableShape) => TableShape | undefined): Edit =>
  ({ catalog, shape }) => ({
    catalog,
    shape: { ...shape, tables: shape.tables.flatMap((each) => (each.name === name ? (change(each) ?? []) : each)) },
  });

export const inTable = (index: number, change: (shape: TableShape) => TableShape | undefined): Edit =>
  inDatabase(nameOf(index), change);

export const column = (name: string, type: string, position: number): ColumnShape[] =>
  columnShapes({ [name]: type }).map((each) => ({ ...each, position }));

export const addColumn = (index: number, name = "extra"): Edit =>
  inTable(index, (each) => {
    const others = each.columns.filter((known) => known.name !== name);
    return { ...each, columns: [...others, ...column(name, "int4", 10)] };
  });

export const dropColumn = (index: number, name: string): Edit =>
  inTable(index, (each) => ({ ...each, columns: each.columns.filter((known) => known.name !== name) }));

export const retypeColumn = (index: number, name: string, type: string): Edit =>
  inTable(index, (each) => ({
    ...each,
    columns: each.columns.flatMap((known) => (known.name === name ? column(name, type, known.position) : known)),
  }));

export const dropKey = (index: number): Edit => inTable(index, (each) => ({ ...each, foreignKeys: [] }));

/** Replaces the foreign key of a table, with another target or name. */
export const rekey = (index: number, target: number, name = "key"): Edit =>
  inTable(index, (each) => {
    const foreignTable = { schema: "public", name: nameOf(target) };
    const key = { name, id: 7, columns: ["parent_id"], foreignTable, foreignColumns: ["id"] };
    return { ...each, foreignKeys: [key] };
  });

/** Changes the primary key, which determines whether a relationship to the table returns one row or many. */
export const primaryKey = (index: number, ...names: readonly string[]): Edit =>
  inTable(index, (each) => ({ ...each, primaryKey: names.length > 0 ? { name: "pkey", columns: names } : null }));

export const uniqueKey = (index: number, ...names: readonly string[]): Edit =>
  inTable(index, (each) => ({ ...each, uniqueKeys: names.length > 0 ? [{ name: "unique", columns: names }] : [] }));

/** Replaces the table by a view without keys. */
export const replaceByView = (index: number): Edit =>
  inTable(index, (each) => ({
    ...each,
    id: each.id + 100_000,
    kind: "view",
    columns: [...each.columns.filter(({ name }) => name !== "extra"), ...column("seen", "bool", 11)],
    primaryKey: null,
    uniqueKeys: [],
    foreignKeys: [],
    insertable: false,
  }));

export const drop = (index: number): Edit => inTable(index, () => undefined);

/** Restores the initial world. */
export const restore =
  (index: number): Edit =>
  ({ catalog, shape: before }) => {
    const [own] = structuredClone(shape.tables.filter(({ name }) => name === nameOf(index)));
    const tables = before.tables.filter(({ name }) => name !== nameOf(index));
    return { catalog, shape: { ...before, tables: own ? [...tables, own] : tables } };
  };

export const statuses = (...values: readonly string[]): Edit =>
  inDatabase("status", (each) => ({ ...each, enumValues: enumValues(...values) }));

/** Replaces the functions of this name. */
export const functions =
  (name: string, ...own: readonly FunctionShape[]): Edit =>
  ({ catalog, shape }) => ({
    catalog,
    shape: { ...shape, functions: [...shape.functions.filter((each) => each.name !== name), ...own] },
  });

/** Reads the whole database again. */
export const reread: Edit = ({ catalog, shape }) => ({ catalog, shape: structuredClone(shape) });
