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
  if (rows.every(({ nested }) => nested.length === 0)) {
    const writes = rows.map((row) => insertWrite(inputOf(view, [row], onConflict), context));
    return planWrites({ view, writes, validations, field, form, path }, context);
  }
  const inserts = new NestedInserts(types, context);
  const written = inserts.level({ view, onConflict, path, columns: [], reads: readsOf(field, form) }, rows);
  const columns = addReads({ view, field, form }, distinct(written.map(({ read }) => read)), inserts.steps);
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
  /** Columns copied from rows of another level. */
  readonly copied: readonly Copied[];
}

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
    const rows = this.#before(level, given);
    const written = groupRows(level, rows).flatMap((group) => this.#write(level, group));
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
        const message = `cannot proceed to insert object relation "${name}" since insert to table "${target.view.table.displayName}" affects zero rows`;
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
    const conflict = onConflict && readConflict(onConflict, view, this.#types, this.#context);
    return {
      view,
      onConflict:
        this.#ownRowsOnly && join.order === "after"
          ? conflict && inSameParent(conflict, join, this.#context)
          : conflict,
      path: others.length === 0 ? pathTo(path, "data") : parent.path,
      columns: join.order === "before" ? join.copies.map(({ from }) => from) : [],
      reads: { rows: false, changes: false },
    };
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
    const read = this.steps.writeRows(write, { ...reads, columns }, path, expects);
    this.counts.push(read.count);
    const values = new Map(columns.flatMap((column, i) => (read.values[i] ? [[column, read.values[i]] as const] : [])));
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

/** Asserts that a number of rows is fixed: it is `undefined` only for runs that no other row depends on. */
function known(count: number | undefined): number {
  invariant(count !== undefined, "rows that other rows depend on have a fixed index");
  return count;
}

export function runsOf(input: Input | undefined): readonly InputRun[] {
  return input?.kind === "rows" ? input.runs : [];
}

export function levelRow({ row, rows, count }: InputRun, copied: readonly Copied[] = []): LevelRow {
  return { row, rows, count, columns: columnsOf(row), nested: nestedOf(row), copied };
}

/** Returns a nested row, which must not contain the columns that are copied from its parent. */
function childRow(run: InputRun, copied: readonly Copied[]): LevelRow {
  const child = levelRow(run, copied);
  const given = child.columns.filter(({ sql }) => copied.some(({ copy }) => copy.to === sql));
  if (given.length === 0) return child;
  const message = `cannot insert ${nameList(given.map(({ sql }) => sql))} columns as their values are already being determined by parent insert`;
  throw new EngineError("validation-failed", child.row.path, message);
}

function checkUndetermined(parent: LevelRow, { name, join, path }: NestedRows): void {
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
  const joinsNeeded = !maySkipRows(level) && requirement(level, rows) !== undefined;
  for (const row of rows) {
    const isNeeded = requirement(level, [row]) !== undefined;
    const isAlone = isNeeded && level.onConflict !== undefined;
    const isCounted = isNeeded || (joinsNeeded && row.count !== undefined);
    const key = JSON.stringify([isCounted, columnNames(row), row.copied.map(({ copy }) => copy.to).sort()]);
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
  if (!group.some(({ nested }) => nested.some(({ join }) => join.order === "after"))) return level.required;
  const message = `cannot proceed to insert array relations since insert to table "${level.view.table.displayName}" affects zero rows`;
  return { path: pathOf(level, group), message };
}

function pathOf(level: Level, [first, ...others]: readonly LevelRow[]): string {
  return first && others.length === 0 && first.nested.length > 0 ? first.row.path : level.path;
}

/** Returns the columns that rows of later levels copy. */
function columnsForLater({ nested }: LevelRow): readonly string[] {
  return nested.filter(({ join }) => join.order === "after").flatMap(({ join }) => join.copies.map(({ from }) => from));
}

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
