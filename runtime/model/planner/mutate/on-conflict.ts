/** Upserts: what becomes of rows that are there already (`sql-generation.md` 11.3). */

import { EngineError, invariant } from "../../../values/errors.ts";
import type { Alias, Column } from "../../definitions/column.ts";
import type { InsertParts } from "../../definitions/dialect.ts";
import { allOf, type Sql, sql } from "../../definitions/sql.ts";
import type { SourceDefinition, TableDefinition } from "../../definitions/table.ts";
import type { TableView } from "../../definitions/view.ts";
import type { UpdatePermission } from "../../definitions/write.ts";
import type { TypeRegistry } from "../../schema/registry.ts";
import type { Input } from "../request/input.ts";
import type { BuildContext } from "../select/context.ts";
import { condition } from "../select/where.ts";

export interface OnConflict {
  readonly constraint: NonNullable<InsertParts["onConflict"]>["constraint"];
  /** Absent: the existing row stays as it is. */
  readonly update?: {
    readonly permission: UpdatePermission;
    readonly table: TableDefinition;
    /** Quoted columns of the constraint. */
    readonly key: readonly string[];
    readonly columns: readonly Column[];
    readonly where?: (row: Alias) => Sql | undefined;
  };
}

/** Name of the argument that `readConflict` reads. */
export function conflictArgument({ dialect, naming }: SourceDefinition): string {
  return naming.field(dialect.upsert.argument);
}

/**
 * The argument `on_conflict`, or `if_matched`.
 * @throws EngineError `validation-failed` for the value that stands where there is no column to choose from
 */
export function readConflict(input: Input, view: TableView, types: TypeRegistry, context: BuildContext): OnConflict {
  const { naming } = view.table.source;
  const member = (name: string): Input | undefined => memberOf(input, name);
  const columns = updatedColumns(input, view);
  const byColumns = findsByColumns(view);
  const { target, key } = byColumns
    ? matchTarget(chosenColumns(member(naming.field("match_columns")), input.path))
    : constraintTarget(member("constraint"), context);
  const { update: permission } = view;
  if (!changesRows(input, view)) return { constraint: target };
  invariant(types.allows(permission), "columns to update are of an update permission");
  const where = member("where");
  return {
    constraint: target,
    update: {
      permission,
      table: view.table,
      key,
      columns,
      where: (row) => where && condition(where, row, context),
    },
  };
}

/** The columns that the argument takes over into rows that are there already. */
export function updatedColumns(input: Input, { table }: TableView): readonly Column[] {
  return chosenColumns(memberOf(input, table.source.naming.field("update_columns")), input.path);
}

/** Whether rows that are there already are changed; presets alone do so where a row is found by its columns. */
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
}

function constraintTarget(input: Input | undefined, { dialect }: BuildContext): Target {
  invariant(input?.kind === "enum" && input.meta.kind === "constraint", "a constraint is named");
  const { constraint } = input.meta;
  const key = constraint.columns.map(dialect.quoteIdentifier);
  const { partial } = constraint;
  if (partial) return { target: { columns: partial.elements, condition: partial.condition }, key };
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
  /** Quoted names of the columns that the insert lists. */
  readonly given: ReadonlySet<string>;
  /** The condition for rows that were not there. */
  readonly insertCheck: Sql | undefined;
}

export function conflictParts(
  { constraint, update }: OnConflict,
  { row, given, insertCheck }: ProposedRows,
  context: BuildContext,
): ConflictParts {
  if (update === undefined) return { clause: { constraint }, check: insertCheck };
  const { permission, table, key, columns } = update;
  const { always, writes } = context.dialect;
  const set = [
    ...columns.map((column) => ({ name: column.sql, value: writes.proposed(column.sql, given.has(column.sql)) })),
    ...permission.presets.map(({ column, value }) => ({ name: column, value: value(context.session) })),
  ];
  const where = allOf([permission.filter?.(row, context.session), update.where?.(row)]);
  const updateCheck = permission.check?.(row, context.session);
  const clause = { constraint, update: { set, where } };
  // A column of the constraint that the upsert does not write is compared with itself.
  const known = new Map([...table.primaryKey, ...permission.columns].map((column) => [column.sql, column]));
  const inserted = writes.wasInserted?.(
    row,
    table,
    key.map((name) => known.get(name) ?? { sql: name }),
  );
  if (inserted === undefined || !permission.hasCheck) return { clause, check: insertCheck };
  if (insertCheck === undefined && updateCheck === undefined) return { clause, check: undefined };
  const byOrigin = sql`case when ${inserted} then ${insertCheck ?? always} else ${updateCheck ?? always} end`;
  return { clause, check: byOrigin };
}
