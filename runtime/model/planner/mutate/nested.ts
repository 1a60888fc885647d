/**
 * Inserts with related rows (`sql-generation.md` 11.2). A level is written with one statement for each run of rows with
 * the same columns: first what the rows refer to, then the rows, then what refers to them. Rows take over columns of
 * the rows that were written before them.
 *
 * Nested updates would be levels, too: an update of the related rows, whose filter is the join to rows that an earlier
 * step returned, in the place where an insert of them stands here.
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
import { conflictArgument, type OnConflict, readConflict } from "./on-conflict.ts";
import {
  type AnswerForm,
  addReads,
  answerOf,
  type ExpectedRows,
  planWrites,
  type StepColumn,
  selectionsOfRows,
  type WritePlan,
  WriteSteps,
} from "./plan.ts";
import { rowsValidations } from "./validation.ts";
import type { Reading } from "./written.ts";

/** @throws EngineError `validation-failed` */
export function planInsert(
  view: TableView,
  field: SelectedField,
  argument: "objects" | "object",
  types: TypeRegistry,
  context: BuildContext,
): WritePlan {
  const path = pathTo(field.path, "args", argument);
  const form: AnswerForm = argument === "object" ? "object" : "response";
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
  const isRead = selectionsOfRows(field, form).length > 0;
  const written = inserts.level({ view, onConflict, path, columns: [], isRead }, rows);
  const columns = addReads({ view, field, form }, distinct(written.flatMap((row) => row.rows ?? [])), inserts.steps);
  return {
    source: view.table.source.name,
    validations,
    steps: inserts.steps.steps,
    answer: answerOf(field, form, columns, inserts.counts),
  };
}

/** Rows of one level that belong together: one row, or a run of rows without nested ones. */
interface LevelRow extends InputRun {
  readonly columns: readonly Column[];
  readonly nested: readonly NestedRows[];
  /** What rows of another level decide. */
  readonly copied: readonly Copied[];
}

/** What is inserted along with a row. */
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

/** Where a row that was written is found. */
interface WrittenRow {
  /** The values of its columns, by quoted name: each the list of all rows of the statement. */
  readonly values: ReadonlyMap<string, StepColumn>;
  /** Its place in these lists; `undefined`: that depends on a request, and nobody needs it. */
  readonly index: number | undefined;
  /** All rows of the statement; absent: they are not read again. */
  readonly rows: StepColumn | undefined;
}

/** One table's part of a nested insert. */
interface Level {
  readonly view: TableView;
  readonly onConflict: OnConflict | undefined;
  /** Path of errors of the database that belong to no single row. */
  readonly path: string;
  /** Quoted names of the columns that rows of other levels take over. */
  readonly columns: readonly string[];
  /** The rows are selected at the end. */
  readonly isRead: boolean;
  /** What is wrong when a row is not written; absent: nothing. */
  readonly required?: Pick<ExpectedRows, "path" | "message">;
}

class NestedInserts {
  readonly steps: WriteSteps;
  /** The columns that hold numbers of rows. */
  readonly counts: StepColumn[] = [];
  readonly #types: TypeRegistry;
  readonly #context: BuildContext;

  constructor(types: TypeRegistry, context: BuildContext) {
    this.steps = new WriteSteps(context);
    this.#types = types;
    this.#context = context;
  }

  /** Writes rows with everything below them; answers where each of them is found. */
  level(level: Level, given: readonly LevelRow[]): readonly WrittenRow[] {
    const rows = this.#before(level, given);
    const written = groupRows(level, rows).flatMap((group) => this.#write(level, group));
    this.#after(level, rows, written);
    return written;
  }

  /** Writes what the rows refer to, and has them take over its keys. */
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

  /** Writes what refers to the rows. */
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

  /** The level of nested rows that have the same conflict clause. */
  #child(parent: Level, group: readonly NestedOf[]): Level {
    const [first, ...others] = group;
    invariant(first, "a group of nested rows is not empty");
    const { insert, join, onConflict, path } = first.nested;
    const view = insert.target();
    return {
      view,
      onConflict: onConflict && readConflict(onConflict, view, this.#types, this.#context),
      path: others.length === 0 ? pathTo(path, "data") : parent.path,
      columns: join.order === "before" ? join.copies.map(({ from }) => from) : [],
      isRead: false,
    };
  }

  /** One statement. */
  #write(level: Level, group: readonly LevelRow[]): readonly WrittenRow[] {
    const { view, onConflict, isRead } = level;
    const path = pathOf(level, group);
    const columns = distinct([...level.columns, ...group.flatMap(columnsForLater)]);
    const readings: Reading[] = [
      { kind: "count" },
      ...columns.map((column): Reading => ({ kind: "values", column })),
      ...(isRead ? [{ kind: "rows" } as const] : []),
    ];
    const write = insertWrite(inputOf(view, group, onConflict), this.#context);
    const required = requirement(level, group);
    const expects = required && { ...required, column: 0, rows: known(countOf(group)) };
    const [count, ...results] = this.steps.write(write, readings, path, expects);
    if (count) this.counts.push(count);
    const values = new Map(columns.flatMap((column, i) => (results[i] ? [[column, results[i]] as const] : [])));
    const rows = isRead ? results.at(-1) : undefined;
    let index: number | undefined = 0;
    return group.map((row): WrittenRow => {
      const written = { values, index, rows };
      index = index === undefined || row.count === undefined ? undefined : index + row.count;
      return written;
    });
  }
}

/** It is not known only of runs whose number of rows does not matter. */
function known(count: number | undefined): number {
  invariant(count !== undefined, "rows that others need have places that a plan knows");
  return count;
}

function runsOf(input: Input | undefined): readonly InputRun[] {
  return input?.kind === "rows" ? input.runs : [];
}

function levelRow({ row, rows, count }: InputRun, copied: readonly Copied[] = []): LevelRow {
  return { row, rows, count, columns: columnsOf(row), nested: nestedOf(row), copied };
}

/** A row that takes over columns of a row before it cannot give them itself. */
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

/** Quoted names are how messages show columns. */
const nameList = (columns: readonly string[]): string => columns.join(", ");

function columnsOf({ members }: ObjectInput): readonly Column[] {
  return members.flatMap(({ meta }) => (meta.kind === "column" ? [meta.column] : []));
}

/** Empty lists are nothing to insert. */
function nestedOf({ members }: ObjectInput): readonly NestedRows[] {
  return members.flatMap(({ name, meta, value }): readonly NestedRows[] => {
    if (meta.kind !== "nested" || value.kind !== "object") return [];
    const { nested } = meta;
    const { insert: join } = nested.join;
    invariant(join, `relationship ${name} says how its rows are inserted`);
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
  /** Of the parent among its level's rows. */
  readonly index: number;
  readonly nested: NestedRows;
}

/** Rows of one relationship. A conflict clause counts for the rows of its parent: these are written alone. */
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
 * Neighbours that can stand in one statement: they give the same columns. Keys that others take over are found by the
 * places of their rows, so that before these there is no run of which a plan does not know how many rows it has. Where rows
 * can be left out, those that others need stand apart: only so it is known whether one of them is missing. Where a conflict
 * can leave them out, each stands alone, because a row may meet one that was written just before.
 */
function groupRows(level: Level, rows: readonly LevelRow[]): readonly (readonly LevelRow[])[] {
  const groups: LevelRow[][] = [];
  let last: string | undefined;
  const standsWithNeeded = !mayBeLeftOut(level) && requirement(level, rows) !== undefined;
  for (const row of rows) {
    const isNeeded = requirement(level, [row]) !== undefined;
    const isAlone = isNeeded && level.onConflict !== undefined;
    const isCounted = isNeeded || (standsWithNeeded && row.count !== undefined);
    const key = JSON.stringify([isCounted, columnNames(row), row.copied.map(({ copy }) => copy.to).sort()]);
    if (!isAlone && key === last) groups.at(-1)?.push(row);
    else groups.push([row]);
    last = isAlone ? undefined : key;
  }
  return groups;
}

/** Whether a statement may write fewer rows than it is given, without an error. */
function mayBeLeftOut({ view, onConflict }: Level): boolean {
  return onConflict !== undefined || view.table.mayLeaveOutRows === true;
}

const columnNames = ({ columns }: LevelRow): readonly string[] => columns.map(({ sql }) => sql).sort();

/** What is wrong when one of the rows is not written, if others need it. */
function requirement(level: Level, group: readonly LevelRow[]): Level["required"] {
  if (!group.some(({ nested }) => nested.some(({ join }) => join.order === "after"))) return level.required;
  const message = `cannot proceed to insert array relations since insert to table "${level.view.table.displayName}" affects zero rows`;
  return { path: pathOf(level, group), message };
}

function pathOf(level: Level, [first, ...others]: readonly LevelRow[]): string {
  return first && others.length === 0 && first.nested.length > 0 ? first.row.path : level.path;
}

/** The columns that rows of later levels take over. */
function columnsForLater({ nested }: LevelRow): readonly string[] {
  return nested.filter(({ join }) => join.order === "after").flatMap(({ join }) => join.copies.map(({ from }) => from));
}

function inputOf(view: TableView, group: readonly LevelRow[], onConflict: OnConflict | undefined) {
  const [first] = group;
  invariant(first, "a statement inserts rows");
  const columns = first.columns.map((column) => ({ key: column.field, column }));
  const rows = joinInputRows(group.map((row) => row.rows));
  return { view, permission: permissionOf(view), columns, copied: copiedColumns(group), rows, onConflict };
}

function permissionOf({ insert, table }: TableView): InsertPermission {
  invariant(insert, `there is an insert permission on ${table.displayName}`);
  return insert;
}

function copiedColumns(group: readonly LevelRow[]): readonly CopiedColumn[] {
  const [first] = group;
  return (first?.copied ?? []).map(({ copy: { to, type } }) => ({
    name: to,
    type,
    parts: group.map(({ copied, rows }) => {
      const own = copied.find(({ copy }) => copy.to === to);
      const from = own?.from.values.get(own.copy.from);
      invariant(own && from, "rows of one statement take over the same columns");
      return { ...from, index: known(own.from.index), rows };
    }),
  }));
}

function distinct<T>(items: readonly T[]): readonly T[] {
  return [...new Set(items)];
}
