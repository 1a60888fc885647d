/** Generates random write permissions of one role, and writes that they allow. */
import type { Choices } from "./choices.ts";
import { keyOf, type Value } from "./column-types.ts";
import {
  type Column,
  everything,
  type Filter,
  type Relationship,
  readableColumns,
  type SelectPermission,
  type Table,
  tableOf,
  type Viewpoint,
  visibleRelationships,
  type World,
} from "./model.ts";
import { type FilterScope, randomFilter } from "./random-filter.ts";
import { type RelatedParts, randomConnected, randomRelated } from "./random-related.ts";
import { operatorsOf, randomOperand } from "./update-operators.ts";
import {
  type Change,
  type Conflict,
  type DeleteRule,
  type InsertRule,
  type NewRow,
  type Preset,
  type RelatedWrite,
  type Returning,
  rulesOf,
  type UpdateRule,
  type Write,
  type WriteRules,
  type Writer,
} from "./write.ts";

/** Returns a role with its own permissions. Its lists have no limit, because a limit would select unspecified rows. */
export function randomWriter(choices: Choices, world: World): Writer {
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
  const tables = [...world.tables.values()];
  const select = new Map<string, SelectPermission>();
  const permitted = ({ relationships }: Table) => relationships.filter(({ target }) => select.has(target));
  const referring: FilterScope = { ...scope, permitted };
  for (const table of choices.some(tables, 85)) {
    const columns = table.columns.filter((column) => table.key.includes(column) || choices.chance(75));
    const filter = randomFilter(choices, referring, table, choices.number(0, 2));
    select.set(table.name, { columns, filter, limit: undefined, aggregations: false });
  }
  const merges = choices.chance(40);
  const rules = new Map(tables.map((table) => [table.name, randomRules(choices, table, referring, merges)]));
  return { world, role: "writer", select, session, rules };
}

/** @param merges permissions are merged from those of several roles */
function randomRules(choices: Choices, table: Table, scope: FilterScope, merges: boolean): WriteRules {
  // Rows satisfy most of these conditions sometimes. A condition that no row satisfies would test little.
  const condition = (): Filter =>
    choices.chance(40) ? everything : randomFilter(choices, scope, table, choices.number(0, 2));
  const insertPresets = randomPresets(choices, table.columns, scope, 8);
  const others = table.columns.filter((column) => !table.key.includes(column));
  const updatePresets = randomPresets(choices, others, scope, 8);
  const without = (presets: readonly Preset[], percent: number): readonly Column[] =>
    table.columns.filter((column) => !presets.some((preset) => preset.column === column) && choices.chance(percent));
  const several = <T>(one: () => T): readonly T[] => Array.from({ length: merges ? choices.number(1, 3) : 1 }, one);
  const insertParts = several((): InsertRule => {
    return { columns: without(insertPresets, merges ? 85 : 95), presets: insertPresets, check: condition() };
  });
  const updateCheck = choices.maybe(60, condition);
  const updateParts = several((): UpdateRule => {
    // Without a key, updates cannot tell which permission admitted a row, so their checks must be equal.
    const check = merges && table.hasPrimaryKey ? choices.maybe(60, condition) : updateCheck;
    return { columns: without(updatePresets, 80), presets: updatePresets, filter: condition(), check };
  });
  const deleteParts = several((): DeleteRule => ({ filter: condition() }));
  return {
    ...(choices.chance(90) && { insert: mergedRule(insertParts) }),
    ...(choices.chance(90) && { update: mergedRule(updateParts) }),
    ...(choices.chance(80) && { delete: mergedRule(deleteParts) }),
  };
}

/** Returns the only permission, or the first with the columns of all; evaluators read its parts. */
function mergedRule<T extends object>(parts: readonly T[]): T {
  const [first, ...others] = parts;
  if (first === undefined) throw new Error("no permission");
  if (others.length === 0) return first;
  const columns = [...new Set(parts.flatMap((part) => ("columns" in part ? (part.columns as readonly Column[]) : [])))];
  return { ...first, ...("columns" in first && { columns }), parts };
}

function randomPresets(choices: Choices, columns: readonly Column[], scope: FilterScope, percent: number): Preset[] {
  return choices.some(columns, percent).map((column): Preset => {
    const value = choices.pick(column.type.values);
    const text = column.type.text(value);
    if (!scope.session || choices.chance(50)) return { column, operand: { kind: "value", value } };
    return { column, operand: { kind: "session", variable: scope.session(text), value } };
  });
}

/** Returns the writes of one request; none if the role has no permission. */
export function randomWrites(choices: Choices, writer: Writer): readonly Write[] {
  const tables = [...writer.world.tables.values()];
  const count = choices.chance(25) ? choices.number(2, 3) : 1;
  return Array.from({ length: count }, () => {
    const possible = choices.shuffled(tables).flatMap((table) =>
      choices
        .shuffled(kindsOf(writer, table))
        .slice(0, 2)
        .map((kind) => ({ table, kind })),
    );
    const chosen = choices.pickMaybe(possible);
    return chosen ? [randomWrite(choices, writer, chosen.table, chosen.kind)] : [];
  }).flat();
}

function kindsOf(writer: Writer, table: Table): readonly Write["kind"][] {
  const { insert, update, delete: remove } = rulesOf(writer, table);
  const isReadable = isVisible(writer, table);
  const hasKey = isReadable && table.hasPrimaryKey;
  // Deletions are rarer, because few rows would remain otherwise.
  return [
    ...(insert ? (["insert", "insert"] as const) : []),
    ...(insert && isReadable ? (["insert_one", "insert_one"] as const) : []),
    ...(update ? (["update", "update_many"] as const) : []),
    ...(update && hasKey ? (["update_by_pk"] as const) : []),
    ...(remove ? (["delete"] as const) : []),
    ...(remove && hasKey ? (["delete_by_pk"] as const) : []),
  ];
}

const isVisible = ({ select }: Viewpoint, { name }: Table): boolean => select === undefined || select.has(name);

function randomWrite(choices: Choices, writer: Writer, table: Table, kind: Write["kind"]): Write {
  const returning = randomReturning(choices, writer, table);
  const where = (): Filter => randomWhere(choices, writer, table);
  const key = (): readonly Value[] => table.key.map(({ type }) => choices.pick(type.values));
  const read = returning ?? { columns: [], related: [], changes: false };
  const parts = partsOf(choices, writer);
  const update = (
    single: boolean,
  ): { readonly changes: readonly Change[]; readonly related: readonly RelatedWrite[] } => {
    const changes = randomChanges(choices, writer, table);
    const options = { single, depth: 2, changes };
    return { changes, related: choices.chance(35) ? randomRelated(choices, writer, table, parts, options) : [] };
  };
  switch (kind) {
    case "insert": {
      const isNested = choices.chance(35);
      const rows = isNested ? randomJoinedRows(choices, writer, table) : randomRows(choices, writer, table);
      return { kind, table, rows, conflict: isNested ? undefined : randomConflict(choices, writer, table), returning };
    }
    case "insert_one": {
      const isNested = choices.chance(35);
      const row = isNested
        ? randomNested(choices, writer, table)
        : { values: randomValues(choices, writer, table, []) };
      const conflict = isNested ? undefined : randomConflict(choices, writer, table);
      return { kind, table, rows: [row], conflict, returning: read };
    }
    case "update":
      return { kind, table, where: where(), ...update(false), returning };
    case "update_many": {
      const updates = choices.list(0, 3, () => ({ where: where(), ...update(false) }));
      return { kind, table, updates, returning };
    }
    case "update_by_pk":
      return { kind, table, key: key(), ...update(true), returning: read };
    case "delete":
      return { kind, table, where: where(), returning };
    case "delete_by_pk":
      return { kind, table, key: key(), returning: read };
  }
}

function partsOf(choices: Choices, writer: Writer): RelatedParts {
  return {
    where: (table) => (choices.chance(60) ? everything : randomWhere(choices, writer, table)),
    one: (table) => {
      const row = choices.chance(85) ? choices.pickMaybe(writer.world.rows.get(table.name) ?? []) : undefined;
      if (row === undefined) return randomWhere(choices, writer, table);
      const items = table.key.map((column): Filter => {
        const operand = { kind: "value", value: row[column.name] ?? null } as const;
        return { kind: "column", column, tests: [{ operator: "_eq", operand }] };
      });
      return { kind: "and", items };
    },
    changes: (table, determined) =>
      randomChanges(choices, writer, table).filter(({ column }) => !determined.includes(column.name)),
    rows: (table, determined) => {
      const names = [...randomValues(choices, writer, table, determined).keys()];
      return choices.list(1, 2, () => ({
        values: new Map(names.map((name) => [name, randomValue(choices, writer, table, name)])),
      }));
    },
  };
}

/** Returns the selection; `undefined` if the role may not read the table, and sometimes if it may. */
function randomReturning(choices: Choices, writer: Writer, table: Table): Returning | undefined {
  if (!isVisible(writer, table)) return undefined;
  const readable = readableColumns(writer, table) ?? [];
  // Key columns are always selected if readable, since a selection must not be empty.
  const columns = table.columns.filter(
    (column) => readable.includes(column) && (table.key.includes(column) || choices.chance(60)),
  );
  const related = visibleRelationships(writer, table).flatMap((relationship) => {
    const target = tableOf(writer.world, relationship.target);
    // Without a key in the database, writes can create a second matching row, and the choice is unspecified.
    const isOne = relationship.kind === "array" || target.hasPrimaryKey;
    return isOne && choices.chance(40) ? [{ relationship, target }] : [];
  });
  return { columns, related, changes: table.hasPrimaryKey && choices.chance(50) };
}

function randomWhere(choices: Choices, writer: Writer, table: Table): Filter {
  if (!isVisible(writer, table) || choices.chance(15)) return everything;
  const scope: FilterScope = {
    world: writer.world,
    columns: (of) => readableColumns(writer, of) ?? [],
    relationships: (of) => visibleRelationships(writer, of),
  };
  return randomFilter(choices, scope, table, choices.number(0, 2));
}

function randomRows(choices: Choices, writer: Writer, table: Table): readonly NewRow[] {
  const first = randomValues(choices, writer, table, []);
  return choices.list(0, 4, () => {
    // Most rows have the columns of the first row, so that they share a statement.
    const values = choices.chance(75)
      ? new Map([...first.keys()].map((name) => [name, randomValue(choices, writer, table, name)]))
      : randomValues(choices, writer, table, []);
    return { values };
  });
}

/** Returns values for a new row. @param determined columns whose values come from rows of another table */
function randomValues(
  choices: Choices,
  writer: Writer,
  table: Table,
  determined: readonly string[],
): ReadonlyMap<string, Value> {
  const columns = columnsOfPart(choices, rulesOf(writer, table).insert);
  const given = columns.filter(
    ({ name, nullable }) => !determined.includes(name) && choices.chance(nullable ? 60 : 98),
  );
  return new Map(given.map(({ name }) => [name, randomValue(choices, writer, table, name)]));
}

/** Returns the columns of one of the permissions that a rule consists of: one must list all columns of a write. */
function columnsOfPart(choices: Choices, rule: InsertRule | UpdateRule | undefined): readonly Column[] {
  if (rule === undefined) return [];
  const parts: readonly { readonly columns: readonly Column[] }[] = rule.parts ?? [rule];
  return choices.pick(parts).columns;
}

/** Returns a value; references are mostly valid, and keys often new. */
function randomValue(choices: Choices, { world }: Writer, table: Table, name: string): Value {
  const column = table.columns.find((candidate) => candidate.name === name);
  if (!column) throw new Error(`no such column: ${name}`);
  if (column.nullable && choices.chance(20)) return null;
  if (table.key.includes(column) && choices.chance(50)) {
    const used = new Set((world.rows.get(table.name) ?? []).map((row) => keyOf(row[name] ?? null)));
    const unused = choices.pickMaybe(column.type.values.filter((value) => !used.has(keyOf(value))));
    if (unused !== undefined) return unused;
  }
  for (const { columns, target, targetColumns } of table.foreignKeys) {
    const at = columns.indexOf(name);
    const referred = choices.pickMaybe(at < 0 ? [] : (world.rows.get(target) ?? []));
    if (referred && choices.chance(85)) return referred[targetColumns[at] ?? ""] ?? null;
  }
  return choices.pick(column.type.values);
}

/** Returns rows with existing related rows, or one with new related rows. */
function randomJoinedRows(choices: Choices, writer: Writer, table: Table): readonly NewRow[] {
  if (choices.chance(50)) return [randomNested(choices, writer, table)];
  const rows = randomRows(choices, writer, table).slice(0, 2);
  return rows.map((row) => (choices.chance(75) ? withConnected(choices, writer, table, row, []) : row));
}

/** Adds existing rows. @param copied columns whose values come from nested rows */
function withConnected(choices: Choices, writer: Writer, table: Table, row: NewRow, copied: readonly string[]): NewRow {
  const given = [...row.values.keys()].filter((name) => choices.chance(50) || !isReferring(table, name));
  const values = new Map(given.map((name) => [name, row.values.get(name) ?? null] as const));
  const connected = randomConnected(choices, writer, table, partsOf(choices, writer), { given, copied });
  return { ...row, values, ...(connected.length > 0 && { connected }) };
}

const isReferring = ({ foreignKeys }: Table, name: string): boolean =>
  foreignKeys.some(({ columns }) => columns.includes(name));

/** Returns a row with the row of an object relationship, rows of an array relationship, or both. */
function randomNested(choices: Choices, writer: Writer, table: Table): NewRow {
  const into = (relationship: Relationship): Table => tableOf(writer.world, relationship.target);
  const possible = table.relationships.filter((each) => rulesOf(writer, into(each)).insert !== undefined);
  const ofKind = (kind: Relationship["kind"]) => choices.pickMaybe(possible.filter((each) => each.kind === kind));
  const object = choices.maybe(60, () => ofKind("object"));
  const array = choices.maybe(object ? 50 : 100, () => ofKind("array"));
  const locals = object?.mapping.map(([local]) => local) ?? [];
  const values = randomValues(choices, writer, table, locals);
  const remotes = array?.mapping.map(([, remote]) => remote) ?? [];
  const first = array && randomValues(choices, writer, into(array), remotes);
  const bare: NewRow = { values };
  const row = choices.chance(60) ? withConnected(choices, writer, table, bare, locals) : bare;
  return {
    ...row,
    ...(object && {
      object: { relationship: object, row: { values: randomValues(choices, writer, into(object), []) } },
    }),
    ...(array &&
      first && {
        array: {
          relationship: array,
          rows: choices.list(0, 3, () => ({
            values: new Map([...first.keys()].map((name) => [name, randomValue(choices, writer, into(array), name)])),
          })),
        },
      }),
  };
}

function randomConflict(choices: Choices, writer: Writer, table: Table): Conflict | undefined {
  if (!table.hasPrimaryKey || choices.chance(60)) return undefined;
  if (isVisible(writer, table) && choices.chance(35)) return { columns: [], where: undefined, returned: true };
  const { update } = rulesOf(writer, table);
  const columns = choices.some(columnsOfPart(choices, update), 60);
  return { columns, where: choices.maybe(40, () => randomWhere(choices, writer, table)) };
}

/**
 * Returns changes of distinct columns, sometimes none. Keys are not incremented, because the order of the rows would
 * matter.
 */
function randomChanges(choices: Choices, writer: Writer, table: Table): readonly Change[] {
  const columns = columnsOfPart(choices, rulesOf(writer, table).update);
  if (choices.chance(5)) return [];
  const some = choices
    .shuffled(columns, choices.number(1, 3))
    .filter((column) => !table.key.includes(column) || choices.chance(30));
  return some.map((column): Change => {
    const operator = table.key.includes(column) ? "_set" : choices.pick(operatorsOf(column.type));
    if (operator !== "_set") return { operator, column, operand: randomOperand(choices, operator, column.type) };
    return { operator, column, operand: randomValue(choices, writer, table, column.name) };
  });
}
