/**
 * Plans inserts with related rows. A level is written with one statement for each run of rows with the same columns:
 * first the rows that it references, then the rows, then the rows that reference them. Rows copy key columns of rows
 * written before them.
 */

import { EngineError, invariant, pathTo } from "../../../values/errors.ts";
import type { Column } from "../../definitions/column.ts";
import { joinInputRows } from "../../definitions/parameters.ts";
import type { ColumnCopy, JoinInsert } from "../../definitions/table.ts";
import type { InsertPermission, NestedInsert, TableView } from "../../definitions/view.ts";
import type { TypeRegistry } from "../../schema/registry.ts";
import type { Input, InputRun, ObjectInput } from "../request/input.ts";
import { countOf } from "../request/row-inputs.ts";
import type { SelectedField } from "../request/selected-field.ts";
import type { BuildContext } from "../select/context.ts";
import { whereOf } from "./arguments.ts";
import {
  type ConnectedRows,
  type ConnectItem,
  type CreatedRow,
  connectedOf,
  connectWrite,
  findWrite,
  isConnectedAfter,
  notOneRow,
} from "./connected.ts";
import { type CopiedColumn, insertWrite } from "./insert.ts";
import { conflictArgument, inSameParent, type OnConflict, readConflict } from "./on-conflict.ts";
import {
  addReads,
  type ExpectedRows,
  planWrites,
  type ResultForm,
  type RowReads,
  readsOf,
  resultPieces,
  type StepColumn,
  type WritePlan,
  WriteSteps,
} from "./plan.ts";
import { rowsValidations } from "./validation.ts";
import type { WrittenRows } from "./written-rows.ts";

/**
 * Plans an insert of rows and of their nested rows.
 * @throws EngineError `validation-failed`
 */
export function planInsert(
  view: TableView,
  field: SelectedField,
  argument: "objects" | "object",
  types: TypeRegistry,
  context: BuildContext,
): WritePlan {
  const path = pathTo(field.path, "args", argument);
  const form: ResultForm = argument === "object" ? "object" : "response";
  const given = field.args.get(argument);
  const rows = runsOf(given).map((run) => levelRow(run));
  const conflict = field.args.get(conflictArgument(view.table.source));
  const validations = rowsValidations(view, given, conflict);
  const onConflict = conflict && readConflict(conflict, view, types, context);
  if (!rows.some(hasOtherRows)) {
    const writes = rows.map((row) => insertWrite(inputOf(view, [row], onConflict), context));
    return planWrites({ view, writes, validations, field, form, path }, context);
  }
  const inserts = new NestedInserts(types, context);
  const reads = readsOf(field, form);
  const written = inserts.level({ view, onConflict, path, columns: [], reads }, rows);
  const read = reads.rows || reads.changes ? distinct(written.map((row) => row.read)) : [];
  const columns = addReads({ view, field, form }, read, inserts.steps);
  return {
    source: view.table.source.name,
    validations,
    steps: inserts.steps.steps,
    result: resultPieces(field, form, columns, inserts.counts),
  };
}

/** A row of a level, or a run of rows without nested rows. */
export interface LevelRow extends InputRun {
  readonly columns: readonly Column[];
  readonly nested: readonly NestedRows[];
  /** Existing rows that become related rows. */
  readonly connected: readonly ConnectedRows[];
  /** Columns copied from rows of another level. */
  readonly copied: readonly Copied[];
}

/** Returns true if a row is inserted with rows of other tables. */
export const hasOtherRows = ({ nested, connected }: LevelRow): boolean => nested.length + connected.length > 0;

/** Rows of a relationship that are inserted with their parent row. */
interface NestedRows {
  readonly name: string;
  readonly insert: NestedInsert;
  readonly join: JoinInsert;
  readonly runs: readonly InputRun[];
  readonly onConflict: Input | undefined;
  readonly path: string;
}

interface Copied {
  readonly copy: ColumnCopy;
  readonly from: WrittenRow;
}

/** The location of a written row in the results of statements. */
export interface WrittenRow {
  /** Result columns by quoted column name: each is a list with the values of all rows of the statement. */
  readonly values: ReadonlyMap<string, StepColumn>;
  /** Index in these lists; `undefined` if it depends on the request, in which case no row needs it. */
  readonly index: number | undefined;
  /** All rows of the statement, if they are selected; the same for each of them. */
  readonly read: WrittenRows;
  /** Set if it may be an existing row. */
  readonly mayExist?: true;
}

/** The rows of one table in a nested insert. */
interface Level {
  readonly view: TableView;
  readonly onConflict: OnConflict | undefined;
  /** Path for database errors that concern no single row. */
  readonly path: string;
  /** Quoted names of the columns that rows of other levels copy. */
  readonly columns: readonly string[];
  /** Selections of the rows after all writes. */
  readonly reads: Pick<RowReads, "rows" | "changes">;
  /** The error if a row is not written; absent if rows may be skipped. */
  readonly required?: Pick<ExpectedRows, "path" | "message">;
}

export class NestedInserts {
  readonly steps: WriteSteps;
  /** Result columns with numbers of rows. */
  readonly counts: StepColumn[] = [];
  readonly #types: TypeRegistry;
  readonly #context: BuildContext;

  readonly #ownRowsOnly: boolean;

  /** @param options `ownRowsOnly`: conflicts update only rows of the same parent */
  constructor(types: TypeRegistry, context: BuildContext, options: { readonly ownRowsOnly?: boolean } = {}) {
    this.steps = new WriteSteps(context);
    this.#types = types;
    this.#context = context;
    this.#ownRowsOnly = options.ownRowsOnly ?? false;
  }

  /** Writes rows with their nested rows, and returns the location of each row. */
  level(level: Level, given: readonly LevelRow[]): readonly WrittenRow[] {
    const rows = this.#before(level, given).map((row) => this.#find(row));
    const written = groupRows(level, rows).flatMap((group) => this.#write(level, group));
    this.#connect(level, rows, written);
    this.#after(level, rows, written);
    return written;
  }

  /** Writes the rows that these rows reference, and copies their keys. */
  #before(level: Level, rows: readonly LevelRow[]): readonly LevelRow[] {
    let result = rows;
    for (const name of namesOf(rows, "before")) {
      const copied = new Map<number, readonly Copied[]>();
      for (const group of nestedGroups(result, name)) {
        for (const { parent, nested } of group) checkUndetermined(parent, nested);
        const target = this.#child(level, group);
        const message = cannotInsert(name, target.view);
        const children = group.flatMap(({ nested }) => nested.runs.map((run) => levelRow(run)));
        const written = this.level({ ...target, required: { path: target.path, message } }, children);
        for (const [i, { index, nested }] of group.entries()) {
          const from = written[i];
          invariant(from, "every row has been written");
          copied.set(
            index,
            nested.join.copies.map((copy) => ({ copy, from })),
          );
        }
      }
      result = result.map((row, i) => ({ ...row, copied: [...row.copied, ...(copied.get(i) ?? [])] }));
    }
    return result;
  }

  /** Finds the existing rows that a row references, and copies their keys. */
  #find(row: LevelRow): LevelRow {
    const copied = [...row.copied];
    for (const connected of row.connected) {
      if (isConnectedAfter(connected)) continue;
      checkUndetermined({ ...row, copied }, connected);
      const from = this.#found(connected);
      copied.push(...connected.join.copies.map((copy) => ({ copy, from })));
    }
    return { ...row, copied };
  }

  /** Adds the statements that find the row of an object relationship, or insert it. */
  #found({ name, connects, join, items: [item] }: ConnectedRows): WrittenRow {
    invariant(item, "an object relationship has a row");
    const view = connects.relationship.target();
    const { where, created, path } = item;
    const columns = join.copies.map(({ from }) => from);
    const one = { column: 0, rows: 1, path, message: notOneRow(name, view) };
    const read = (rows: Parameters<typeof findWrite>[2], reads: RowReads, expects: ExpectedRows) =>
      this.steps.writeRows(findWrite(view, join, rows, this.#context), reads, path, expects);
    const keys = { columns, rows: false, changes: false };
    const rowOf = (results: ReturnType<typeof read>): WrittenRow => ({
      values: valuesOf(columns, results.values),
      index: 0,
      read: results,
      mayExist: true,
    });
    if (created === undefined) return rowOf(read({ where }, keys, one));
    const found = read({ where }, { columns: [], rows: true, changes: false }, { ...one, orNone: true });
    const [inserted] = this.steps.unlessRows(found.count, () => {
      const level = { ...this.#created(view, created, path), reads: { rows: true, changes: false } };
      const message = cannotInsert(name, view);
      return this.level({ ...level, required: { path, message } }, createdRows(created, []));
    });
    invariant(inserted, "the row has been inserted");
    return rowOf(read({ from: [...found.rows, ...inserted.read.rows] }, keys, one));
  }

  /** Returns the level of a row that is inserted because no row matches. */
  #created(view: TableView, { onConflict }: CreatedRow, path: string): Level {
    return {
      view,
      onConflict: onConflict && readConflict(onConflict, view, this.#types, this.#context),
      path: pathTo(path, "data"),
      columns: [],
      reads: { rows: false, changes: false },
    };
  }

  /** Makes existing rows reference these rows. */
  #connect({ view }: Level, rows: readonly LevelRow[], written: readonly WrittenRow[]): void {
    for (const [i, { connected }] of rows.entries()) {
      const from = written[i];
      invariant(from, "every row has been written");
      for (const each of connected.filter(isConnectedAfter)) {
        for (const item of each.items) this.#connectTo({ view, ...from }, each, item);
      }
    }
  }

  /** Adds the statement that connects existing rows to a row, and inserts a row if there are none. */
  #connectTo(
    parent: WrittenRow & Pick<Level, "view">,
    { name, connects: { relationship }, join }: ConnectedRows,
    { where, created, path }: ConnectItem,
  ): void {
    const view = relationship.target();
    const rows = { where: whereOf(where, this.#context), path };
    const write = connectWrite(view, join, { view: parent.view, rows: parent.read.rows }, rows, this.#context);
    const one = { column: 0, rows: 1, path, message: notOneRow(name, view), ...(created && { orNone: true as const }) };
    const expects = relationship.kind === "array" ? undefined : one;
    const [count] = this.steps.write(write, [{ kind: "count" }], path, expects);
    invariant(count, "the statement counts its rows");
    this.counts.push(count);
    if (created === undefined) return;
    const copied = join.copies.map((copy) => ({ copy, from: parent }));
    const level = this.#inOwnRows(this.#created(view, created, path), join);
    this.steps.unlessRows(count, () => this.level(level, createdRows(created, copied)));
  }

  /** Writes the rows that reference these rows. */
  #after(level: Level, rows: readonly LevelRow[], written: readonly WrittenRow[]): void {
    for (const name of namesOf(rows, "after")) {
      for (const group of nestedGroups(rows, name)) {
        const children = group.flatMap(({ index, nested }) => {
          const from = written[index];
          invariant(from, "every row has been written");
          const copied = nested.join.copies.map((copy) => ({ copy, from }));
          return nested.runs.map((run) => childRow(run, copied));
        });
        this.level(this.#child(level, group), children);
      }
    }
  }

  /** Returns the level of nested rows with the same conflict clause. */
  #child(parent: Level, group: readonly NestedOf[]): Level {
    const [first, ...others] = group;
    invariant(first, "a group of nested rows is not empty");
    const { insert, join, onConflict, path } = first.nested;
    const view = insert.target();
    const level = {
      view,
      onConflict: onConflict && readConflict(onConflict, view, this.#types, this.#context),
      path: others.length === 0 ? pathTo(path, "data") : parent.path,
      columns: join.order === "before" ? join.copies.map(({ from }) => from) : [],
      reads: { rows: false, changes: false },
    };
    return this.#inOwnRows(level, join);
  }

  /** Restricts the conflicts of rows that reference a row of an update to rows of the same parent. */
  #inOwnRows(level: Level, join: JoinInsert): Level {
    const { onConflict } = level;
    if (!this.#ownRowsOnly || join.order === "before" || onConflict === undefined) return level;
    return { ...level, onConflict: inSameParent(onConflict, join, this.#context) };
  }

  /** Adds the statement for a group of rows. */
  #write(level: Level, group: readonly LevelRow[]): readonly WrittenRow[] {
    const { view, onConflict, reads } = level;
    const path = pathOf(level, group);
    const columns = distinct([...level.columns, ...group.flatMap(columnsForLater)]);
    checkReadable(view, columns, onConflict);
    const write = insertWrite(inputOf(view, group, onConflict), this.#context);
    const required = requirement(level, group);
    const expects = required && { ...required, column: 0, rows: known(countOf(group)) };
    const rows = reads.rows || group.some(isConnected);
    const read = this.steps.writeRows(write, { ...reads, rows, columns }, path, expects);
    this.counts.push(read.count);
    const values = valuesOf(columns, read.values);
    let index: number | undefined = 0;
    return group.map((row): WrittenRow => {
      const written = { values, index, read, ...(onConflict?.returned && { mayExist: true as const }) };
      index = index === undefined || row.count === undefined ? undefined : index + row.count;
      return written;
    });
  }
}

/**
 * Checks that the role may read the columns of existing rows that other rows copy, in all rows.
 * @throws EngineError `validation-failed`
 */
export function checkReadable(view: TableView, columns: readonly string[], onConflict: OnConflict | undefined): void {
  if (!onConflict?.returned) return;
  const readable = new Set(view.columns.flatMap(({ sql, visible }) => (visible ? [] : [sql])));
  if (columns.every((column) => readable.has(column))) return;
  const message = `existing rows of "${view.table.displayName}" cannot be joined with nested rows, because the role may not read all columns of the relationship: allow them in its select permission, or insert the rows separately`;
  throw new EngineError("validation-failed", onConflict.returned.path, message);
}

/** Returns results by the names of their columns. */
function valuesOf(columns: readonly string[], results: readonly StepColumn[]): WrittenRow["values"] {
  return new Map(columns.flatMap((column, i) => (results[i] ? [[column, results[i]] as const] : [])));
}

/** Asserts that a number of rows is fixed: it is `undefined` only for runs that no other row depends on. */
function known(count: number | undefined): number {
  invariant(count !== undefined, "rows that other rows depend on have a fixed index");
  return count;
}

export function runsOf(input: Input | undefined): readonly InputRun[] {
  return input?.kind === "rows" ? input.runs : [];
}

export function levelRow({ row, rows, count }: InputRun, copied: readonly Copied[] = []): LevelRow {
  return { row, rows, count, columns: columnsOf(row), nested: nestedOf(row), connected: connectedOf(row), copied };
}

const createdRows = ({ data }: CreatedRow, copied: readonly Copied[]): readonly LevelRow[] =>
  data.runs.map((run) => childRow(run, copied));

/** Returns a nested row, which must not contain the columns that are copied from its parent. */
function childRow(run: InputRun, copied: readonly Copied[]): LevelRow {
  const child = levelRow(run, copied);
  const given = child.columns.filter(({ sql }) => copied.some(({ copy }) => copy.to === sql));
  if (given.length === 0) return child;
  const message = `cannot insert ${nameList(given.map(({ sql }) => sql))} columns as their values are already being determined by parent insert`;
  throw new EngineError("validation-failed", child.row.path, message);
}

type RelatedRow = Pick<NestedRows | ConnectedRows, "name" | "join" | "path">;

function checkUndetermined(parent: LevelRow, { name, join, path }: RelatedRow): void {
  const known = new Set([...parent.columns.map(({ sql }) => sql), ...parent.copied.map(({ copy }) => copy.to)]);
  const determined = join.copies.filter(({ to }) => known.has(to)).map(({ to }) => to);
  if (determined.length === 0) return;
  const message = `cannot insert object relationship "${name}" as ${nameList(determined)} column values are already determined`;
  throw new EngineError("validation-failed", path, message);
}

/** Lists columns by quoted name for messages. */
export const nameList = (columns: readonly string[]): string => columns.join(", ");

export function columnsOf({ members }: ObjectInput): readonly Column[] {
  return members.flatMap(({ meta }) => (meta.kind === "column" ? [meta.column] : []));
}

/** Returns the nested rows of a row, without empty lists. */
function nestedOf({ members }: ObjectInput): readonly NestedRows[] {
  return members.flatMap(({ name, meta, value }): readonly NestedRows[] => {
    if (meta.kind !== "nested" || value.kind !== "object") return [];
    const { nested } = meta;
    const { insert: join } = nested.join;
    invariant(join, `relationship ${name} defines how its rows are inserted`);
    const member = (key: string) => value.members.find((each) => each.name === key)?.value;
    const runs = runsOf(member("data"));
    const onConflict = member(conflictArgument(nested.target().table.source));
    return runs.length === 0 ? [] : [{ name, insert: nested, join, runs, onConflict, path: value.path }];
  });
}

function namesOf(rows: readonly LevelRow[], order: JoinInsert["order"]): readonly string[] {
  return distinct(
    rows.flatMap(({ nested }) => nested.filter(({ join }) => join.order === order)).map(({ name }) => name),
  );
}

interface NestedOf {
  readonly parent: LevelRow;
  /** Index of the parent among the rows of its level. */
  readonly index: number;
  readonly nested: NestedRows;
}

/** Groups the rows of one relationship. A conflict clause applies only to its parent's rows, which form their own group. */
function nestedGroups(rows: readonly LevelRow[], name: string): readonly (readonly NestedOf[])[] {
  const groups: NestedOf[][] = [];
  let isOpen = false;
  for (const [index, parent] of rows.entries()) {
    const nested = parent.nested.find((each) => each.name === name);
    if (!nested) continue;
    const isAlone = nested.onConflict !== undefined;
    if (isOpen && !isAlone) groups.at(-1)?.push({ parent, index, nested });
    else groups.push([{ parent, index, nested }]);
    isOpen = !isAlone;
  }
  return groups;
}

/**
 * Groups adjacent rows with the same columns into statements. Keys that other rows copy are found by row index, so no
 * run of variable length may precede their rows in a statement. If the statement may skip rows, the rows that other
 * rows need form their own group, because only then a missing row is detected. If a conflict may skip them, each row
 * has its own statement, because a row may conflict with the row written just before.
 */
function groupRows(level: Level, rows: readonly LevelRow[]): readonly (readonly LevelRow[])[] {
  const groups: LevelRow[][] = [];
  let last: string | undefined;
  // The rows of several shards are returned in no order.
  const isUnordered = level.view.table.distribution?.kind === "distributed";
  const joinsNeeded = !maySkipRows(level) && requirement(level, rows) !== undefined;
  for (const row of rows) {
    const isNeeded = requirement(level, [row]) !== undefined;
    const isAlone = (isNeeded && (level.onConflict !== undefined || isUnordered)) || isConnected(row);
    const isCounted = isNeeded || (joinsNeeded && row.count !== undefined);
    const copied = row.copied.map(({ copy, from }) => [copy.to, from.mayExist === true]).sort();
    const key = JSON.stringify([isCounted, columnNames(row), copied]);
    if (!isAlone && key === last) groups.at(-1)?.push(row);
    else groups.push([row]);
    last = isAlone ? undefined : key;
  }
  return groups;
}

/** Returns true if a statement may write fewer rows than requested without an error. */
function maySkipRows({ view, onConflict }: Level): boolean {
  return onConflict !== undefined || view.table.mayLeaveOutRows === true;
}

const columnNames = ({ columns }: LevelRow): readonly string[] => columns.map(({ sql }) => sql).sort();

/** Returns the error for a row that is not written although other rows depend on it. */
function requirement(level: Level, group: readonly LevelRow[]): Level["required"] {
  if (group.every((row) => joinsAfter(row).length === 0)) return level.required;
  const message = `cannot proceed to insert array relations since insert to table "${level.view.table.displayName}" affects zero rows`;
  return { path: pathOf(level, group), message };
}

function pathOf(level: Level, [first, ...others]: readonly LevelRow[]): string {
  return first && others.length === 0 && hasOtherRows(first) ? first.row.path : level.path;
}

/** Returns true if existing rows will reference a row. */
const isConnected = ({ connected }: LevelRow): boolean => connected.some(isConnectedAfter);

/** Returns the joins of the rows that will reference a row. */
function joinsAfter({ nested, connected }: LevelRow): readonly JoinInsert[] {
  return [...nested, ...connected].map(({ join }) => join).filter(({ order }) => order === "after");
}

/** Returns the columns that rows of later levels copy. */
function columnsForLater(row: LevelRow): readonly string[] {
  return joinsAfter(row).flatMap(({ copies }) => copies.map(({ from }) => from));
}

/** Returns the message for a row that is not inserted although another row references it. */
export const cannotInsert = (name: string, { table }: TableView): string =>
  `cannot proceed to insert object relation "${name}" since insert to table "${table.displayName}" affects zero rows`;

function inputOf(view: TableView, group: readonly LevelRow[], onConflict: OnConflict | undefined) {
  const [first] = group;
  invariant(first, "a statement inserts rows");
  const columns = first.columns.map((column) => ({ key: column.field, column }));
  const rows = joinInputRows(group.map((row) => row.rows));
  const copied = copiedColumns(group);
  return { view, permission: permissionOf(view), columns, copied, rows, onConflict, path: first.row.path };
}

export function permissionOf({ insert, table }: TableView): InsertPermission {
  invariant(insert, `there is an insert permission on ${table.displayName}`);
  return insert;
}

function copiedColumns(group: readonly LevelRow[]): readonly CopiedColumn[] {
  const [first] = group;
  return (first?.copied ?? []).map(({ copy: { to, type } }) => ({
    name: to,
    type,
    ...(group.some(({ copied }) => copied.some(({ copy, from }) => copy.to === to && from.mayExist)) && {
      isChosen: true as const,
    }),
    parts: group.map(({ copied, rows }) => {
      const own = copied.find(({ copy }) => copy.to === to);
      const from = own?.from.values.get(own.copy.from);
      invariant(own && from, "rows of one statement copy the same columns");
      return { ...from, index: known(own.from.index), rows };
    }),
  }));
}

function distinct<T>(items: readonly T[]): readonly T[] {
  return [...new Set(items)];
}
