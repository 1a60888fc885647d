/** Plans upserts: the conflict clause for rows that exist already, and the check of the written rows. */

import { EngineError, invariant, pathTo } from "../../../values/errors.ts";
import type { Alias, Column } from "../../definitions/column.ts";
import type { InsertParts } from "../../definitions/dialect.ts";
import { anyFilterOf } from "../../definitions/merged-permissions.ts";
import { compared } from "../../definitions/scalar-type.ts";
import { allOf, type Sql, sql, verbatim } from "../../definitions/sql.ts";
import type { JoinInsert, SourceDefinition, TableDefinition } from "../../definitions/table.ts";
import type { TableView } from "../../definitions/view.ts";
import type { UpdatePermission } from "../../definitions/write.ts";
import type { TypeRegistry } from "../../schema/registry.ts";
import { booleanValue, type Input } from "../request/input.ts";
import type { BuildContext } from "../select/context.ts";
import { condition } from "../select/where.ts";
import { permissionsOf } from "./permitted-columns.ts";

export interface OnConflict {
  readonly constraint: NonNullable<InsertParts["onConflict"]>["constraint"];
  /**
   * Set if existing rows are returned: quoted columns of the constraint, or none if it has expressions or a condition.
   * Path for errors.
   */
  readonly returned?: { readonly key: readonly string[]; readonly path: string };
  /** Absent if existing rows remain unchanged. */
  readonly update?: {
    readonly permission: UpdatePermission;
    readonly table: TableDefinition;
    /** Quoted columns that identify existing rows, if the written row itself does not show whether it existed. */
    readonly key: readonly string[];
    /** Set if the key differs from the constraint's columns, so the update may change its values. */
    readonly mayChangeKey?: true;
    readonly columns: readonly Column[];
    /** Path for errors. */
    readonly path: string;
    readonly where?: (row: Alias) => Sql | undefined;
  };
}

/** Returns the name of the argument for conflicts: `on_conflict` or `if_matched`. */
export function conflictArgument({ dialect, naming }: SourceDefinition): string {
  return naming.field(dialect.upsert.argument);
}

/**
 * Reads the argument `on_conflict` or `if_matched`.
 * @throws EngineError `validation-failed` for the placeholder value of an enum without columns
 */
export function readConflict(input: Input, view: TableView, types: TypeRegistry, context: BuildContext): OnConflict {
  const { naming } = view.table.source;
  const member = (name: string): Input | undefined => memberOf(input, name);
  const columns = updatedColumns(input, view);
  const byColumns = findsByColumns(view);
  const { target, key, mayChangeKey } = byColumns
    ? matchTarget(chosenColumns(member(naming.field("match_columns")), input.path))
    : constraintTarget(member("constraint"), view, context);
  const { update: permission } = view;
  const existing = member(naming.field("return_existing"));
  if (existing?.kind === "value" && booleanValue(existing, context.variables)) {
    checkReturned(input, view);
    return { constraint: target, returned: { key: mayChangeKey ? [] : key, path: existing.path } };
  }
  if (!changesRows(input, view)) return { constraint: target };
  invariant(types.allows(permission), "columns to update are of an update permission");
  const where = member("where");
  return {
    constraint: target,
    update: {
      permission,
      table: view.table,
      key,
      ...(mayChangeKey && { mayChangeKey }),
      columns,
      path: input.path,
      where: (row) => where && condition(where, row, context),
    },
  };
}

/** Restricts the update to existing rows with the joined values of the proposed row: rows of the same parent. */
export function inSameParent(conflict: OnConflict, { copies }: JoinInsert, { dialect }: BuildContext): OnConflict {
  const { update } = conflict;
  if (update === undefined) return conflict;
  const isSame = (row: Alias): Sql | undefined =>
    allOf(
      copies.map(({ to, type }) => compared(sql`${row}.${verbatim(to)}`, "=", dialect.writes.proposed(to, true), type)),
    );
  return { ...conflict, update: { ...update, where: (row) => allOf([update.where?.(row), isSame(row)]) } };
}

/** @throws EngineError `validation-failed` for members that change or select existing rows */
function checkReturned(input: Input, view: TableView): void {
  const { naming } = view.table.source;
  const [flag, columns] = [naming.field("return_existing"), naming.field("update_columns")];
  const refuse = (name: string, remedy: string): never => {
    const message = `"${flag}" returns existing rows unchanged and cannot be combined with "${name}": ${remedy}`;
    throw new EngineError("validation-failed", pathTo(input.path, name), message);
  };
  if (updatedColumns(input, view).length > 0)
    refuse(columns, `leave out "${columns}", or "${flag}" to update the rows`);
  if (memberOf(input, "where")) refuse("where", `leave out "where"; the role's select permission filters the rows`);
}

/** Returns the columns that are updated in existing rows. */
export function updatedColumns(input: Input, { table }: TableView): readonly Column[] {
  return chosenColumns(memberOf(input, table.source.naming.field("update_columns")), input.path);
}

/** Returns true if existing rows are changed. Presets alone change rows that are matched by columns. */
export function changesRows(input: Input, view: TableView): boolean {
  if (updatedColumns(input, view).length > 0) return true;
  return findsByColumns(view) && view.update !== undefined && view.update.presets.length > 0;
}

const findsByColumns = ({ table }: TableView): boolean => table.source.dialect.upsert.argument === "if_matched";

export function memberOf(input: Input, name: string): Input | undefined {
  return input.kind === "object" ? input.members.find((each) => each.name === name)?.value : undefined;
}

interface Target {
  readonly target: OnConflict["constraint"];
  /** Quoted columns. */
  readonly key: readonly string[];
  readonly mayChangeKey?: true;
}

/**
 * Returns the conflict target of a constraint. Partial and expression indexes do not identify a row by columns, so the
 * primary key identifies existing rows.
 */
function constraintTarget(input: Input | undefined, { table }: TableView, { dialect }: BuildContext): Target {
  invariant(input?.kind === "enum" && input.meta.kind === "constraint", "a constraint is named");
  const { constraint } = input.meta;
  const { partial } = constraint;
  if (partial) {
    const target = { columns: partial.elements, condition: partial.condition };
    return { target, key: table.primaryKey.map((column) => column.sql), mayChangeKey: true };
  }
  const key = constraint.columns.map(dialect.quoteIdentifier);
  return { target: constraint.isIndex ? { columns: key } : { name: constraint.sql }, key };
}

function matchTarget(columns: readonly Column[]): Target {
  const key = columns.map((column) => column.sql);
  return { target: { columns: key }, key };
}

function chosenColumns(input: Input | undefined, path: string): readonly Column[] {
  const items = input?.kind === "list" ? input.items : [];
  return items.map((item) => {
    if (item.kind === "enum" && item.meta.kind === "column") return item.meta.column;
    throw new EngineError("validation-failed", path, "erroneous column name");
  });
}

interface ConflictParts {
  readonly clause: NonNullable<InsertParts["onConflict"]>;
  readonly check: Sql | undefined;
}

interface ProposedRows {
  readonly row: Alias;
  /** Quoted names of the inserted columns. */
  readonly given: ReadonlySet<string>;
  /** The check for new rows. */
  readonly insertCheck: Sql | undefined;
}

export function conflictParts(
  { constraint, update }: OnConflict,
  { row, given, insertCheck }: ProposedRows,
  context: BuildContext,
): ConflictParts {
  if (update === undefined) return { clause: { constraint }, check: insertCheck };
  const { permission, table, key, mayChangeKey, columns } = update;
  const { always, writes } = context.dialect;
  const set = [
    ...columns.map((column) => ({ name: column.sql, value: writes.proposed(column.sql, given.has(column.sql)) })),
    ...permission.presets.map(({ column, value }) => ({ name: column, value: value(context.session) })),
  ];
  const permissions = permissionsOf(permission, columns, "update", update.path);
  const where = allOf([anyFilterOf(permissions)?.(row, context.session), update.where?.(row)]);
  const updateCheck = checkOfUpdated(permissions, row, insertCheck, context);
  const clause = { constraint, update: { set, where } };
  // A column of the constraint that the upsert does not write is compared with itself.
  const known = new Map([...table.primaryKey, ...permission.columns].map((column) => [column.sql, column]));
  const inserted = writes.wasInserted?.(
    row,
    table,
    key.map((name) => known.get(name) ?? { sql: name }),
  );
  if (inserted === undefined || !permissions.some(({ hasCheck }) => hasCheck)) return { clause, check: insertCheck };
  if (insertCheck === undefined && updateCheck === undefined) return { clause, check: undefined };
  const isKeyKept = key.length > 0 && !set.some(({ name }) => key.includes(name));
  // The statement cannot determine whether the row existed, so the row must pass both checks.
  if (table.partitioned && mayChangeKey && !isKeyKept) return { clause, check: allOf([insertCheck, updateCheck]) };
  const byOrigin = sql`case when ${inserted} then ${insertCheck ?? always} else ${updateCheck ?? always} end`;
  return { clause, check: byOrigin };
}

/**
 * Returns the check of rows that an upsert updates. Unlike an update, it cannot determine which filters admitted the row
 * before, so the row must pass the checks of all permissions.
 */
function checkOfUpdated(
  permissions: readonly UpdatePermission[],
  row: Alias,
  insertCheck: Sql | undefined,
  { session }: BuildContext,
): Sql | undefined {
  const [first] = permissions;
  if (permissions.length === 1) return first?.check?.(row, session);
  const checks = new Set(permissions.filter(({ hasCheck }) => hasCheck).map(({ check }) => check));
  const ofInsert = permissions.every(({ hasCheck }) => hasCheck) ? undefined : insertCheck;
  return allOf([ofInsert, ...[...checks].map((check) => check?.(row, session))]);
}
