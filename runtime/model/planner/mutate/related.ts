/**
 * Plans updates with `_related`: writes of rows that are related to updated rows. A level is an update; its steps run
 * after it, in the order delete, disconnect, update, connect, insert for each relationship. A row that updated rows
 * reference is found before the update, which removes the reference, and deleted after it. Steps reach only rows that
 * join a row that the level's statement has returned, so that no value of the request can name a row of another parent.
 */

import { EngineError, invariant, pathTo } from "../../../values/errors.ts";
import type { Alias, Column } from "../../definitions/column.ts";
import { anyFilterOf } from "../../definitions/merged-permissions.ts";
import { isJoinedAfter, type RelatedWrites } from "../../definitions/related-writes.ts";
import type { RowFilter } from "../../definitions/row-filter.ts";
import { compared } from "../../definitions/scalar-type.ts";
import { allOf, type Sql, sql, verbatim } from "../../definitions/sql.ts";
import type { JoinInsert } from "../../definitions/table.ts";
import type { TableView } from "../../definitions/view.ts";
import type { TypeRegistry } from "../../schema/registry.ts";
import type { Input, InputRun } from "../request/input.ts";
import type { BuildContext } from "../select/context.ts";
import { type Arguments, assignmentsOf, membersOf, whereOf } from "./arguments.ts";
import { columnsBySql, connectWrite, findWrite, joinWrite, listOf, notOneRow, onlyValue } from "./connected.ts";
import { insertWrite } from "./insert.ts";
import {
  cannotInsert,
  checkReadable,
  columnsOf,
  hasOtherRows,
  levelRow,
  NestedInserts,
  nameList,
  permissionOf,
  runsOf,
  type WrittenRow,
} from "./nested.ts";
import { conflictArgument, inSameParent, memberOf, readConflict } from "./on-conflict.ts";
import type { ExpectedRows, StepColumn, WriteSteps } from "./plan.ts";
import { type Assignment, deleteWrite, updateWrite } from "./update.ts";
import { argumentsValidation, type PlannedValidation, rowsValidations } from "./validation.ts";
import type { Write } from "./written.ts";
import { rowsOf, type WrittenRows } from "./written-rows.ts";

/** An update with its related rows. */
export interface UpdateLevel {
  readonly view: TableView;
  readonly args: Arguments;
  /** The request's filter, and the join to the rows of the level above. */
  readonly where: (row: Alias) => Sql | undefined;
  /** Path of the arguments. */
  readonly path: string;
  /** Path for database errors. */
  readonly stepPath: string;
  /** At most one row is updated, because a key is given. */
  readonly single: boolean;
  /** True if the request selects the rows before and after the update. */
  readonly readsChanges?: boolean;
}

/** The rows of a level, as results of its statement. */
interface LevelRows extends WrittenRows {
  readonly view: TableView;
  readonly count: StepColumn;
  /** Values of columns by quoted name. */
  readonly values: ReadonlyMap<string, StepColumn>;
  readonly single: boolean;
}

/** The writes of one relationship in a request. */
interface RelatedMember {
  readonly name: string;
  readonly writes: RelatedWrites;
  /** By kind: `update`, `insert` and others. */
  readonly given: Arguments;
  readonly path: string;
}

/** Returns true if an update has writes of related rows. */
export const hasRelated = (view: TableView, args: Arguments): boolean => relatedOf(view, args).length > 0;

function relatedOf({ table }: TableView, args: Arguments): readonly RelatedMember[] {
  const related = args.get(table.source.naming.field("_related"));
  if (related?.kind !== "object") return [];
  return related.members.flatMap(({ name, meta, value }): readonly RelatedMember[] => {
    invariant(meta.kind === "related", `${name} is a relationship`);
    const given = membersOf(value);
    checkOneRow(name, meta.writes, given, value.path);
    return given.size === 0 ? [] : [{ name, writes: meta.writes, given, path: value.path }];
  });
}

/** Refuses two rows for an object relationship. */
function checkOneRow(name: string, { relationship }: RelatedWrites, given: Arguments, path: string): void {
  if (relationship.kind === "array" || !given.has("connect") || !given.has("insert")) return;
  const message = `the object relationship "${name}" has one row: use either "connect" or "insert"`;
  throw new EngineError("validation-failed", path, message);
}

export class RelatedUpdates {
  readonly #inserts: NestedInserts;
  readonly #types: TypeRegistry;
  readonly #context: BuildContext;
  readonly #validations: PlannedValidation[] = [];

  constructor(types: TypeRegistry, context: BuildContext) {
    this.#inserts = new NestedInserts(types, context, { ownRowsOnly: true });
    this.#types = types;
    this.#context = context;
  }

  get steps(): WriteSteps {
    return this.#inserts.steps;
  }

  get validations(): readonly PlannedValidation[] {
    return this.#validations;
  }

  /** Adds the steps of an update, and returns its rows and the columns with the numbers of all written rows. */
  add(level: UpdateLevel): { readonly written: WrittenRows; readonly counts: readonly StepColumn[] } {
    const { counts } = this.#inserts;
    const start = counts.length;
    const written = this.#level(level);
    return { written, counts: counts.slice(start) };
  }

  #level(level: UpdateLevel): LevelRows {
    const { view, args } = level;
    this.#validations.push(...argumentsValidation(view.update?.validation, [args]));
    const members = relatedOf(view, args);
    const referenced = members.filter(isReferenced);
    const add = (expects: ExpectedRows | undefined, locked?: WrittenRows): LevelRows => {
      const removed = new Map(
        referenced.flatMap((member) => {
          const rows = locked && this.#removed(view, locked, member);
          return rows ? [[member, rows] as const] : [];
        }),
      );
      const copied = referenced.flatMap((member) => this.#referenced(level, member, removed.get(member)));
      const rows = this.#write(level, { copied, members, expects });
      this.steps.ifRows(rows.count, () => {
        for (const member of members) this.#after(rows, member, removed.get(member));
      });
      return rows;
    };
    const only = onlyRow(level, members);
    if (referenced.length === 0) return add(only);
    // Rows that the level references are found, inserted or deleted only if it has rows, which therefore stay locked.
    const reads = { columns: [], rows: referenced.some(({ given }) => given.has("delete")), changes: false };
    const locked = this.steps.writeRows(this.#locking(level), reads, level.stepPath, only);
    const inserted = referenced.find(({ given }) => given.has("insert"));
    if (inserted === undefined) return this.steps.ifRows(locked.count, () => add(only, locked));
    const message = `cannot proceed to insert object relation "${inserted.name}" since update of table "${view.table.displayName}" affects zero rows`;
    const one = { column: 0, rows: 1, path: inserted.path, message };
    return this.steps.ifRows(locked.count, () => add(one, locked));
  }

  /** Locks the rows that the locked rows reference and that the request deletes, and returns them. */
  #removed(view: TableView, locked: WrittenRows, { writes, given }: RelatedMember): WrittenRows["rows"] | undefined {
    const remove = given.get("delete");
    if (remove === undefined) return undefined;
    const target = writes.relationship.target();
    const related = (row: Alias): Sql => this.#isRelated({ rows: locked.rows, view }, writes, row);
    const where = whereOf(memberOf(remove, "where"), this.#context);
    const lock = this.#lock(target, target.delete?.filter, (row) => allOf([related(row), where(row)]));
    return this.steps.writeRows(lock, { columns: [], rows: true, changes: false }, remove.path).rows;
  }

  #locking({ view, where }: UpdateLevel): Write {
    const { update } = view;
    return this.#lock(view, anyFilterOf(update?.parents ?? (update ? [update] : [])), where);
  }

  /** Returns a statement that locks rows. */
  #lock(view: TableView, filter: RowFilter | undefined, where: UpdateLevel["where"]): Write {
    const { dialect, session, alias } = this.#context;
    const row = alias();
    const condition = allOf([filter?.(row, session), where(row)]);
    return {
      view,
      row,
      setsUser: false,
      kind: "lock",
      statement: (returning, inOrder, changes) =>
        dialect.writes.lock({ table: view.table, row, where: condition, returning, inOrder, changes }),
    };
  }

  /** Updates the rows of a level. An update without new values only locks its rows, which do not count as affected. */
  #write(
    level: UpdateLevel,
    {
      copied,
      members,
      expects,
    }: {
      readonly copied: readonly Assignment[];
      readonly members: readonly RelatedMember[];
      readonly expects: ExpectedRows | undefined;
    },
  ): LevelRows {
    const { view, args, where, path } = level;
    const { update: permission } = view;
    invariant(permission, "the update permission has been found");
    const assignments = [...assignmentsOf(view, args, path), ...copied];
    const update = updateWrite({ view, permission, assignments, where, path }, this.#context);
    const names = [...new Set(members.filter(hasNestedRows).flatMap(({ writes }) => copiesFrom(writes)))];
    const write = update ?? this.#locking(level);
    const reads = { columns: names, rows: true, changes: level.readsChanges ?? false };
    const { count, values: lists, rows, changes } = this.steps.writeRows(write, reads, level.stepPath, expects);
    if (update) this.#inserts.counts.push(count);
    const values = new Map(names.flatMap((name, i) => (lists[i] ? [[name, lists[i]] as const] : [])));
    return { view, count, rows, changes, values, single: level.single || expects !== undefined };
  }

  /**
   * Adds the row that updated rows will reference, if there is one, and returns the new values of the joined columns.
   * @param removed rows that the request deletes
   */
  #referenced(
    { view, args, path }: UpdateLevel,
    member: RelatedMember,
    removed: WrittenRows["rows"] | undefined,
  ): readonly Assignment[] {
    const { writes, given } = member;
    const [insert, connect] = [given.get("insert"), given.get("connect")];
    const target = writes.relationship.target();
    const { copies } = joinOf(writes);
    const columns = columnsBySql(view.update?.columns, copies);
    checkUndetermined(columns, assignmentsOf(view, args, path), member);
    const rows = insert ? this.#insertReferenced(member, insert) : connect && this.#findReferenced(member, connect);
    invariant(rows ?? removed, "there is a row to reference or to delete");
    return copies.map(({ from }, i) => {
      const column = columns[i];
      invariant(column, "the update permission lists the joined columns");
      if (rows) return { column, value: () => onlyValue(from, rows, target, this.#context) };
      return { column, value: (row) => this.#unlessRemoved(column, row, writes, removed ?? []) };
    });
  }

  /** Returns NULL for rows that reference one of the removed rows, and otherwise the value of the column. */
  #unlessRemoved(column: Column, row: Alias, { relationship }: RelatedWrites, removed: WrittenRows["rows"]): Sql {
    const alias = this.#context.alias();
    const rows = rowsOf(removed, relationship.target(), this.#context);
    const isRemoved = sql`exists (select 1 from ${rows} ${alias} where ${relationship.join.on(row, alias)})`;
    return sql`case when ${isRemoved} then null else ${row}.${verbatim(column.sql)} end`;
  }

  #findReferenced({ name, writes }: RelatedMember, connect: Input): WrittenRows["rows"] {
    const { path } = connect;
    const view = writes.relationship.target();
    const write = findWrite(view, joinOf(writes), { where: memberOf(connect, "where") }, this.#context);
    const expects = { column: 0, rows: 1, path, message: notOneRow(name, view) };
    return this.steps.writeRows(write, { columns: [], rows: true, changes: false }, path, expects).rows;
  }

  #insertReferenced({ name, writes }: RelatedMember, insert: Input): WrittenRows["rows"] {
    const target = writes.relationship.target();
    const [run] = runsOf(memberOf(insert, "data"));
    invariant(run, "the type requires the row");
    const conflict = this.#conflict(insert, target);
    this.#validations.push(...rowsValidations(target, memberOf(insert, "data"), conflict));
    const onConflict = conflict && readConflict(conflict, target, this.#types, this.#context);
    checkReadable(target, copiesFrom(writes), onConflict);
    const level = {
      view: target,
      onConflict,
      path: pathTo(insert.path, "data"),
      columns: [],
      reads: { rows: true, changes: false },
      required: { path: insert.path, message: cannotInsert(name, target) },
    };
    const [written] = this.#inserts.level(level, [levelRow(run)]);
    const rows = written?.read.rows;
    invariant(rows, "the inserted row has been read");
    return rows;
  }

  /** Adds the writes of the rows of one relationship. @param removed rows that updated rows have referenced */
  #after(parent: LevelRows, { writes, given }: RelatedMember, removed: WrittenRows["rows"] | undefined): void {
    const { relationship } = writes;
    const view = relationship.target();
    const related = (row: Alias): Sql => this.#isRelated(parent, writes, row);
    const remove = given.get("delete");
    if (remove && removed) this.#deleteRemoved(view, remove, writes, removed);
    else if (remove) this.#delete(view, remove, related);
    const disconnect = given.get("disconnect");
    if (disconnect) this.#disconnect(view, writes, disconnect, related);
    for (const update of listOf(given.get("update"))) {
      const args = membersOf(update);
      checkNotJoined(view, writes, args, update.path);
      const where = whereOf(args.get("where"), this.#context);
      this.#level({
        view,
        args,
        where: (row) => allOf([related(row), where(row)]),
        path: update.path,
        stepPath: update.path,
        single: parent.single && relationship.kind === "object",
      });
    }
    const set = given.get("set");
    if (set) this.#set(parent, view, writes, set, related);
    if (!isJoinedAfter(relationship.join)) return;
    for (const connect of listOf(given.get("connect"))) this.#connect(parent, view, writes, connect);
    const insert = given.get("insert");
    if (insert) this.#insert(parent, view, writes, insert);
  }

  #delete(view: TableView, given: Input, related: (row: Alias) => Sql): void {
    const { delete: permission } = view;
    invariant(permission, "the delete permission has been found");
    const args = membersOf(given);
    this.#validations.push(...argumentsValidation(permission.validation, [args]));
    const where = whereOf(args.get("where"), this.#context);
    const write = deleteWrite({ view, permission, where: (row) => allOf([related(row), where(row)]) }, this.#context);
    this.#count(write, given.path);
  }

  /** Deletes rows that have been locked. Their filter may depend on the reference, which the update has removed. */
  #deleteRemoved(view: TableView, given: Input, writes: RelatedWrites, removed: WrittenRows["rows"]): void {
    const { delete: permission } = view;
    invariant(permission, "the delete permission has been found");
    const { filter, ...unfiltered } = permission;
    this.#validations.push(...argumentsValidation(permission.validation, [membersOf(given)]));
    const alias = this.#context.alias();
    const same = (row: Alias): Sql | undefined =>
      allOf(
        joinOf(writes).copies.map(({ from, type }) =>
          compared(sql`${row}.${verbatim(from)}`, "=", sql`${alias}.${verbatim(from)}`, type),
        ),
      );
    const rows = rowsOf(removed, view, this.#context);
    const where = (row: Alias): Sql => sql`exists (select 1 from ${rows} ${alias} where ${same(row) ?? sql``})`;
    this.#count(deleteWrite({ view, permission: unfiltered, where }, this.#context), given.path);
  }

  #disconnect(view: TableView, writes: RelatedWrites, given: Input, related: (row: Alias) => Sql): void {
    const where = whereOf(memberOf(given, "where"), this.#context);
    const { path } = given;
    this.#count(
      this.#separation(view, writes, path, (row) => allOf([related(row), where(row)])),
      path,
    );
  }

  /** Returns an update that sets the joined columns to null. */
  #separation(view: TableView, writes: RelatedWrites, path: string, where: UpdateLevel["where"]): Write {
    const value = ({ type }: Column): Sql => type.operand(verbatim("null"));
    return joinWrite(view, joinOf(writes), { value, where, path }, this.#context);
  }

  /** Makes the selected rows, and no others, rows of the parent row. Rows that are already related stay unchanged. */
  #set(parent: LevelRows, view: TableView, writes: RelatedWrites, given: Input, related: (row: Alias) => Sql): void {
    const { path } = given;
    const where = whereOf(memberOf(given, "where"), this.#context);
    const isOther = (row: Alias): Sql => {
      const condition = where(row) ?? this.#context.dialect.always;
      return allOf([related(row), sql`case when ${condition} then 0 else 1 end = 1`]) ?? related(row);
    };
    this.#count(this.#separation(view, writes, path, isOther), path);
    const isNew = (row: Alias) => allOf([where(row), sql`not (${related(row)})`]);
    this.#count(connectWrite(view, joinOf(writes), parent, { where: isNew, path }, this.#context), path);
  }

  #connect(parent: LevelRows, view: TableView, writes: RelatedWrites, given: Input): void {
    const { path } = given;
    const where = whereOf(memberOf(given, "where"), this.#context);
    const one = { column: 0, rows: 1, path, message: notOneRow(writes.name, view) };
    const expects = writes.relationship.kind === "array" ? undefined : one;
    this.#count(connectWrite(view, joinOf(writes), parent, { where, path }, this.#context), path, expects);
  }

  /** Inserts rows for each parent row; rows with further nested rows for the only parent row. */
  #insert(parent: LevelRows, view: TableView, writes: RelatedWrites, given: Input): void {
    const data = memberOf(given, "data");
    const runs = runsOf(data);
    const join = joinOf(writes);
    for (const run of runs) checkGiven(run, join);
    const conflict = this.#conflict(given, view);
    this.#validations.push(...rowsValidations(view, data, conflict));
    const read = conflict && readConflict(conflict, view, this.#types, this.#context);
    const onConflict = read && inSameParent(read, join, this.#context);
    const path = pathTo(given.path, "data");
    if (runs.some(isNested)) {
      const from: WrittenRow = { values: parent.values, index: 0, read: parent };
      const copied = join.copies.map((copy) => ({ copy, from }));
      const rows = runs.map((run) => levelRow(run, copied));
      this.#inserts.level({ view, onConflict, path, columns: [], reads: { rows: false, changes: false } }, rows);
      return;
    }
    for (const { row, rows } of runs) {
      const alias = this.#context.alias();
      const each = {
        from: sql`${rowsOf(parent.rows, parent.view, this.#context)} ${alias}`,
        columns: join.copies.map(({ from, to }) => ({ name: to, value: sql`${alias}.${verbatim(from)}` })),
      };
      const columns = columnsOf(row).map((column) => ({ key: column.field, column }));
      const permission = permissionOf(view);
      this.#count(
        insertWrite({ view, permission, columns, rows, each, onConflict, path: row.path }, this.#context),
        path,
      );
    }
  }

  /** Adds a step whose rows count as affected. */
  #count(write: Write, path: string, expects?: ExpectedRows): void {
    const [count] = this.steps.write(write, [{ kind: "count" }], path, expects);
    if (count) this.#inserts.counts.push(count);
  }

  #conflict(given: Input, { table }: TableView): Input | undefined {
    return memberOf(given, conflictArgument(table.source));
  }

  #isRelated(
    { rows, view }: Pick<LevelRows, "rows" | "view">,
    { relationship: { join } }: RelatedWrites,
    row: Alias,
  ): Sql {
    const alias = this.#context.alias();
    return sql`exists (select 1 from ${rowsOf(rows, view, this.#context)} ${alias} where ${join.on(alias, row)})`;
  }
}

/** Returns true if the write changes the foreign key of the updated rows: to an inserted or found row, or to null. */
function isReferenced({ writes: { relationship }, given }: RelatedMember): boolean {
  if (relationship.kind === "array" || relationship.join.insert?.order !== "before") return false;
  return given.has("insert") || given.has("connect") || given.has("delete");
}

/** Returns true if existing rows will reference the updated row, which must be the only one. */
function isMoved({ writes, given }: RelatedMember): boolean {
  return given.has("set") || (given.has("connect") && isJoinedAfter(writes.relationship.join));
}

const isNested = ({ row }: InputRun): boolean => hasOtherRows(levelRow({ row } as InputRun));

function hasNestedRows({ given, writes }: RelatedMember): boolean {
  const insert = given.get("insert");
  return (
    insert !== undefined && isJoinedAfter(writes.relationship.join) && runsOf(memberOf(insert, "data")).some(isNested)
  );
}

/** Returns the error for several rows of a level, if one of its writes is possible for one row only. */
function onlyRow({ single, view }: UpdateLevel, members: readonly RelatedMember[]): ExpectedRows | undefined {
  if (single) return undefined;
  const isOfOne = (each: RelatedMember): boolean => {
    return isMoved(each) || (isReferenced(each) && each.given.has("insert")) || hasNestedRows(each);
  };
  const member = members.find(isOfOne);
  if (member === undefined) return undefined;
  const message = `the update of table "${view.table.displayName}" affects several rows, and the rows of "${member.name}" can belong to one of them only: update one row by its key, or insert rows without nested rows`;
  return { column: 0, rows: 1, orNone: true, path: member.path, message };
}

function joinOf({ name, relationship }: RelatedWrites): JoinInsert {
  const { insert } = relationship.join;
  invariant(insert, `relationship ${name} defines how its rows are joined`);
  return insert;
}

const copiesFrom = (writes: RelatedWrites): readonly string[] => joinOf(writes).copies.map(({ from }) => from);

function checkUndetermined(
  columns: readonly Column[],
  assignments: readonly Assignment[],
  { name, path }: RelatedMember,
): void {
  const determined = columns.filter((column) => assignments.some((each) => each.column.sql === column.sql));
  if (determined.length === 0) return;
  const message = `cannot insert object relationship "${name}" as ${nameList(determined.map(({ sql: quoted }) => quoted))} column values are already determined`;
  throw new EngineError("validation-failed", path, message);
}

function checkGiven({ row }: InputRun, { copies }: JoinInsert): void {
  const given = columnsOf(row).filter((column) => copies.some(({ to }) => to === column.sql));
  if (given.length === 0) return;
  const message = `cannot insert ${nameList(given.map(({ sql: quoted }) => quoted))} columns as their values are already being determined by parent update`;
  throw new EngineError("validation-failed", row.path, message);
}

/** Refuses new values of joined columns, which would make a row a row of another parent. */
function checkNotJoined(
  view: TableView,
  { relationship: { join } }: RelatedWrites,
  args: Arguments,
  path: string,
): void {
  const { copies = [], order = "after" } = join.insert ?? {};
  const joined = new Set(copies.map(({ from, to }) => (order === "after" ? to : from)));
  const given = assignmentsOf(view, args, path).filter(({ column }) => joined.has(column.sql));
  if (given.length === 0) return;
  const message = `cannot update ${nameList(given.map(({ column }) => column.sql))} columns as their values are already being determined by parent update`;
  throw new EngineError("validation-failed", path, message);
}
