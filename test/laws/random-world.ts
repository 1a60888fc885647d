/**
 * Generates random tables with rows: keys of one or two columns, with or without a constraint; foreign keys of nullable
 * columns to any table; relationships over foreign keys and over columns that match by chance.
 */
import type { Choices } from "./choices.ts";
import { type ColumnType, columnTypes, integer, keyOf, keyTypes, serverTypes, type Value } from "./column-types.ts";
import type { Column, ForeignKey, Place, Relationship, Row, Table, World } from "./model.ts";

/** Names that statements also use as aliases, and names that require quotes. */
const tableNames = ["house", "Room", "t1", "order", "r", "user", "x"];
const columnNames = ["n", "t2", "r", "Select", "c1", "value", "row", "x", "d", "group", "t1_", "S"];
const keyNames = ["id", "k", "t1", "Key"];

/** Maximum number of rows per table. */
const maximumRows = 7;

/** Returns a world in one database. */
export function randomWorld(choices: Choices): World {
  const names = choices.shuffled(tableNames, choices.number(2, 4));
  return worldOf(
    choices,
    names.map((name) => randomTable(choices, name, "default")),
  );
}

/** Returns a world of two databases and a remote server, each with at least one table. */
export function randomScatteredWorld(choices: Choices): World {
  const places: Place[] = ["default", "other", "server"];
  const names = choices.shuffled(tableNames, choices.number(3, 6));
  return worldOf(
    choices,
    names.map((name, i) => randomTable(choices, name, places[i] ?? choices.pick(places))),
  );
}

function worldOf(choices: Choices, bare: readonly Table[]): World {
  const keys = new Map(bare.map((table) => [table.name, randomKeys(choices, table)]));
  const referring = bare.map((table) => addForeignKeys(choices, table, bare, keys));
  const tables = new Map(
    referring.map((table) => [table.name, { ...table, relationships: relationshipsOf(choices, table, referring) }]),
  );
  const rows = new Map([...tables.values()].map((table) => [table.name, randomRows(choices, table, keys)]));
  return { tables, rows };
}

const tie: Column = { name: "tie", type: integer, nullable: false };

/** Returns a table with its own columns and without references. */
function randomTable(choices: Choices, name: string, place: Place): Table {
  const key = choices
    .shuffled(keyNames, choices.chance(25) ? 2 : 1)
    .map((column): Column => ({ name: column, type: choices.pick(keyTypes), nullable: false }));
  const others = choices.shuffled(columnNames, choices.number(1, 5)).map((column): Column => {
    return {
      name: column,
      type: choices.pick(place === "server" ? serverTypes : columnTypes),
      nullable: choices.chance(70),
    };
  });
  return {
    name,
    place,
    columns: [...key, ...others, tie],
    key,
    tie,
    hasPrimaryKey: choices.chance(85) && place !== "server",
    foreignKeys: [],
    relationships: [],
  };
}

type Keys = ReadonlyMap<string, readonly (readonly Value[])[]>;

/** Returns distinct values of the key. */
function randomKeys(choices: Choices, { key }: Table): readonly (readonly Value[])[] {
  const found = new Map<string, readonly Value[]>();
  const wanted = choices.number(0, maximumRows);
  // A key of one column has as many values as its type provides.
  for (let i = 0; i < wanted * 2 && found.size < wanted; i++) {
    const values = key.map(({ type }) => choices.pick(type.values));
    found.set(keyOf(values), values);
  }
  return [...found.values()];
}

function addForeignKeys(choices: Choices, table: Table, tables: readonly Table[], keys: Keys): Table {
  const targets = choices
    .list(0, 2, () => choices.pick(tables))
    .filter(({ hasPrimaryKey, place }) => hasPrimaryKey && place === table.place);
  let columns = table.columns;
  const foreignKeys = targets.map((target, i): ForeignKey => {
    const isEmpty = keys.get(target.name)?.length === 0;
    const own = target.key.map((key): Column => {
      return { name: `to_${i}_${key.name}`, type: key.type, nullable: isEmpty || choices.chance(60) };
    });
    columns = [...columns, ...own];
    const targetColumns = target.key.map(({ name }) => name);
    return { columns: own.map(({ name }) => name), target: target.name, targetColumns };
  });
  return { ...table, columns, foreignKeys };
}

function relationshipsOf(choices: Choices, table: Table, tables: readonly Table[]): readonly Relationship[] {
  const own = table.foreignKeys.map((foreignKey, i): Relationship => {
    const { target, columns, targetColumns } = foreignKey;
    const mapping = columns.map((column, c) => [column, targetColumns[c] ?? ""] as const);
    return { name: `one_${i}`, kind: "object", target, mapping, foreignKeyOf: "this" };
  });
  const others = tables.flatMap(({ name: target, foreignKeys }) =>
    foreignKeys.flatMap(({ target: referred, columns, targetColumns }, i): Relationship[] => {
      if (referred !== table.name) return [];
      const mapping = columns.map((column, c) => [targetColumns[c] ?? "", column] as const);
      return [{ name: `many_${target}_${i}`, kind: "array", target, mapping, foreignKeyOf: "other" }];
    }),
  );
  return [
    ...own,
    ...others,
    ...manualRelationships(choices, table, tables),
    ...leavingRelationships(choices, table, tables),
  ];
}

/**
 * Returns relationships by columns; object relationships only if no two rows can match, because the choice is
 * unspecified.
 */
function manualRelationships(choices: Choices, table: Table, tables: readonly Table[]): readonly Relationship[] {
  if (table.place === "server") return [];
  const pairs = tables.flatMap((target) =>
    table.columns.flatMap((local) =>
      target.place !== table.place
        ? []
        : target.columns
            .filter((remote) => remote.type === local.type && local.type.sql !== "jsonb" && remote !== tie)
            .map((remote) => ({ local: local.name, remote: remote.name, target })),
    ),
  );
  const some = choices.shuffled(pairs, choices.number(0, 2));
  return some.map(({ local, remote, target }, i): Relationship => {
    const isKey = target.key.length === 1 && target.key[0]?.name === remote;
    const kind = isKey && choices.chance(70) ? "object" : "array";
    return { name: `manual_${i}`, kind, target: target.name, mapping: [[local, remote]], foreignKeyOf: undefined };
  });
}

/**
 * Returns relationships to tables in other places, by one or two pairs of columns; from a remote server also to itself.
 * Types of remote arguments can differ from column types.
 */
function leavingRelationships(choices: Choices, table: Table, tables: readonly Table[]): readonly Relationship[] {
  const targets = tables.filter(({ place }) => place !== table.place || place === "server");
  return targets.flatMap((target, i): Relationship[] => {
    const pairs = table.columns.flatMap((local) =>
      target.columns
        .filter((remote) => canJoin(table, local, target, remote))
        .map((remote) => [local, remote] as const),
    );
    const some = choices.shuffled(pairs, choices.chance(25) ? 2 : 1);
    if (some.length === 0) return [];
    const isKey = target.key.every((column) => some.some(([, remote]) => remote === column));
    const kind = isKey && choices.chance(70) ? "object" : "array";
    const mapping = some.map(([local, remote]) => [local.name, remote.name] as const);
    if (new Set(mapping.map(([local]) => local)).size < mapping.length) return [];
    return [{ name: `away_${i}`, kind, target: target.name, mapping, foreignKeyOf: undefined, leaves: true }];
  });
}

function canJoin(table: Table, local: Column, target: Table, remote: Column): boolean {
  if (local.type !== remote.type || remote === tie || local.type.sql === "jsonb") return false;
  return (table.place !== "server" && target.place !== "server") || serverTypes.includes(local.type);
}

function randomRows(choices: Choices, { name, key, columns, foreignKeys }: Table, keys: Keys): readonly Row[] {
  const value = ({ type, nullable }: { type: ColumnType; nullable: boolean }): Value =>
    nullable && choices.chance(30) ? null : choices.pick(type.values);
  return (keys.get(name) ?? []).map((keyValues, position) => {
    const row: Record<string, Value> = {};
    for (const column of columns) row[column.name] = value(column);
    for (const [i, column] of key.entries()) row[column.name] = keyValues[i] ?? null;
    for (const { columns: own, target } of foreignKeys) {
      const referred = choices.pickMaybe(keys.get(target) ?? []);
      const isNull = (column: string) => columns.find((c) => c.name === column)?.nullable && choices.chance(25);
      for (const [i, column] of own.entries()) row[column] = isNull(column) ? null : (referred?.[i] ?? null);
    }
    row[tie.name] = position + 1;
    return row;
  });
}
