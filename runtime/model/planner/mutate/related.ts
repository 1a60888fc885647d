/**
 * Plans updates with `_related`: writes of rows that are related to updated rows. A level is an update; its steps run
 * after it, in the order delete, disconnect, update, connect, insert for each relationship. They reach only rows that
 * join a row that the level's statement has returned, so that no value of the request can name a row of another parent.
 */

import { EngineError, invariant, pathTo } from "../../../values/errors.ts";
import type { Alias, Column } from "../../definitions/column.ts";
import { anyFilterOf } from "../../definitions/merged-permissions.ts";
import { isJoinedAfter, type RelatedWrites } from "../../definitions/related-writes.ts";
import { allOf, type Sql, sql, verbatim } from "../../definitions/sql.ts";
import type { ColumnCopy, JoinInsert } from "../../definitions/table.ts";
import type { TableView } from "../../definitions/view.ts";
import type { TypeRegistry } from "../../schema/registry.ts";
import type { Input, InputRun } from "../request/input.ts";
import type { BuildContext } from "../select/context.ts";
import { type Arguments, assignmentsOf, membersOf, whereOf } from "./arguments.ts";
import { insertWrite } from "./insert.ts";
import {
  checkReadable,
  columnsOf,
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
    return given.size === 0 ? [] : [{ name, writes: meta.writes, given, path: value.path }];
  });
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
    const add = (expects: ExpectedRows | undefined): LevelRows => {
      const copied = referenced.flatMap((member) => this.#insertReferenced(level, member));
      const rows = this.#write(level, { copied, members, expects });
      this.steps.ifRows(rows.count, () => {
        for (const member of members) this.#after(rows, member);
      });
      return rows;
    };
    const [first] = referenced;
    if (first === undefined) return add(onlyRow(level, members));
    const message = `cannot proceed to insert object relation "${first.name}" since update of table "${view.table.displayName}" affects zero rows`;
    const locked = this.#lock(level, onlyRow(level, members));
    return this.steps.ifRows(locked, () => add({ column: 0, rows: 1, path: first.path, message }));
  }

  /** Locks the rows, so that the rows that they reference are inserted only if there are such rows. */
  #lock(level: UpdateLevel, expects: ExpectedRows | undefined): StepColumn {
    const [count] = this.steps.write(this.#locking(level), [{ kind: "count" }], level.stepPath, expects);
    invariant(count, "the statement counts its rows");
    return count;
  }

  #locking({ view, where }: UpdateLevel): Write {
    const { update } = view;
    const { dialect, session, alias } = this.#context;
    const row = alias();
    const filter = anyFilterOf(update?.parents ?? (update ? [update] : []));
    const condition = allOf([filter?.(row, session), where(row)]);
    return {
      view,
      row,
      setsUser: false,
      kind: "lock",
      statement: (returning, _, changes) =>
        dialect.writes.lock({ table: view.table, row, where: condition, returning, changes }),
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

  /** Inserts the row that the updated row will reference, and returns the new values of the joined columns. */
  #insertReferenced({ view, args, path }: UpdateLevel, member: RelatedMember): readonly Assignment[] {
    const { name, writes, given } = member;
    const join = joinOf(writes);
    const target = writes.relationship.target();
    const insert = given.get("insert");
    const [run] = runsOf(insert && memberOf(insert, "data"));
    if (insert === undefined || run === undefined) return [];
    const columns = columnsBySql(view.update?.columns, join.copies);
    checkUndetermined(columns, assignmentsOf(view, args, path), member);
    const conflict = this.#conflict(insert, target);
    this.#validations.push(...rowsValidations(target, memberOf(insert, "data"), conflict));
    const message = `cannot proceed to insert object relation "${name}" since insert to table "${target.table.displayName}" affects zero rows`;
    const onConflict = conflict && readConflict(conflict, target, this.#types, this.#context);
    checkReadable(target, copiesFrom(writes), onConflict);
    const level = {
      view: target,
      onConflict,
      path: pathTo(insert.path, "data"),
      columns: [],
      reads: { rows: true, changes: false },
      required: { path: insert.path, message },
    };
    const [written] = this.#inserts.level(level, [levelRow(run)]);
    const rows = written?.read.rows;
    invariant(rows, "the inserted row has been read");
    return join.copies.map(({ from }, i) => {
      const column = columns[i];
      invariant(column, "the update permission lists the joined columns");
      return { column, value: () => this.#valueOf(from, rows, target) };
    });
  }

  /** Adds the writes of the rows of one relationship. */
  #after(parent: LevelRows, { writes, given }: RelatedMember): void {
    const { relationship } = writes;
    const view = relationship.target();
    const related = (row: Alias): Sql => this.#isRelated(parent, writes, row);
    const remove = given.get("delete");
    if (remove) this.#delete(view, remove, related);
    const disconnect = given.get("disconnect");
    if (disconnect) this.#disconnect(view, writes, disconnect, related);
    for (const update of itemsOf(given.get("update"))) {
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
    for (const connect of itemsOf(given.get("connect"))) this.#connect(parent, view, writes, connect);
    const insert = given.get("insert");
    if (insert && isJoinedAfter(relationship.join)) this.#insert(parent, view, writes, insert);
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

  #disconnect(view: TableView, writes: RelatedWrites, given: Input, related: (row: Alias) => Sql): void {
    const where = whereOf(memberOf(given, "where"), this.#context);
    this.#join(view, writes, given.path, {
      value: ({ type }) => type.operand(verbatim("null")),
      where: (row) => allOf([related(row), where(row)]),
    });
  }

  /** Sets the joined columns to the values of the parent row. Without these values there is no row to join. */
  #connect(parent: LevelRows, view: TableView, writes: RelatedWrites, given: Input): void {
    const where = whereOf(memberOf(given, "where"), this.#context);
    const value = (from: string): Sql => this.#valueOf(from, parent.rows, parent.view);
    this.#join(view, writes, given.path, {
      value: (_, { from }) => value(from),
      where: (row) => {
        const keys = joinOf(writes).copies.map(({ from }) => sql`${value(from)} is not null`);
        return allOf([...keys, where(row)]);
      },
    });
  }

  /** Adds an update of the joined columns. */
  #join(
    view: TableView,
    writes: RelatedWrites,
    path: string,
    { value, where }: { readonly value: (column: Column, copy: ColumnCopy) => Sql } & Pick<UpdateLevel, "where">,
  ): void {
    const { update: permission } = view;
    invariant(permission, "the update permission has been found");
    const { copies } = joinOf(writes);
    const assignments = columnsBySql(permission.columns, copies).map((column, i): Assignment => {
      const copy = copies[i];
      invariant(copy, "there is a joined column for each value");
      return { column, value: () => value(column, copy) };
    });
    const write = updateWrite({ view, permission, assignments, where, path }, this.#context);
    invariant(write, "the joined columns are set");
    this.#count(write, path);
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
  #count(write: Write, path: string): void {
    const [count] = this.steps.write(write, [{ kind: "count" }], path);
    if (count) this.#inserts.counts.push(count);
  }

  #conflict(given: Input, { table }: TableView): Input | undefined {
    return memberOf(given, conflictArgument(table.source));
  }

  /** Returns the value of a column of a level's only row; NULL without rows. */
  #valueOf(column: string, rows: WrittenRows["rows"], view: TableView): Sql {
    const alias = this.#context.alias();
    return sql`(select ${alias}.${verbatim(column)} from ${rowsOf(rows, view, this.#context)} ${alias})`;
  }

  #isRelated({ rows, view }: LevelRows, { relationship: { join } }: RelatedWrites, row: Alias): Sql {
    const alias = this.#context.alias();
    return sql`exists (select 1 from ${rowsOf(rows, view, this.#context)} ${alias} where ${join.on(alias, row)})`;
  }
}

/** Returns true if the updated row references a row that is inserted. */
function isReferenced({ writes, given }: RelatedMember): boolean {
  return given.has("insert") && writes.relationship.join.insert?.order === "before";
}

const isNested = ({ row }: InputRun): boolean => levelRow({ row } as InputRun).nested.length > 0;

function hasNestedRows({ given, writes }: RelatedMember): boolean {
  const insert = given.get("insert");
  return (
    insert !== undefined && isJoinedAfter(writes.relationship.join) && runsOf(memberOf(insert, "data")).some(isNested)
  );
}

/** Returns the error for several rows of a level, if one of its writes is possible for one row only. */
function onlyRow({ single, view }: UpdateLevel, members: readonly RelatedMember[]): ExpectedRows | undefined {
  if (single) return undefined;
  const member = members.find((each) => each.given.has("connect") || isReferenced(each) || hasNestedRows(each));
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

function itemsOf(input: Input | undefined): readonly Input[] {
  if (input === undefined) return [];
  return input.kind === "list" ? input.items : [input];
}

function columnsBySql(columns: readonly Column[] = [], copies: readonly ColumnCopy[]): readonly Column[] {
  return copies.flatMap(({ to }) => columns.find((column) => column.sql === to) ?? []);
}

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
