/** Upserts: what becomes of rows that are there already (`sql-generation.md` 11.3). */
import type { InsertParts } from "../dialect.ts";
import { EngineError, invariant } from "../errors.ts";
import type { Input } from "../operation/input.ts";
import type { TypeRegistry } from "../schema/registry.ts";
import type { BuildContext } from "../select/context.ts";
import { condition } from "../select/where.ts";
import { allOf, type Sql, sql, verbatim } from "../sql.ts";
import type { Alias, Column, TableDefinition } from "../table.ts";
import type { TableView } from "../view.ts";
import type { UpdatePermission } from "../write.ts";

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

/**
 * The argument `on_conflict`.
 * @throws EngineError `validation-failed` for the value that stands where there is no column to choose from
 */
export function readConflict(input: Input, view: TableView, types: TypeRegistry, context: BuildContext): OnConflict {
  const { naming } = view.table.source;
  const member = (name: string): Input | undefined =>
    input.kind === "object" ? input.members.find((each) => each.name === name)?.value : undefined;
  const constraint = member("constraint");
  invariant(constraint?.kind === "enum" && constraint.meta.kind === "constraint", "a constraint is named");
  const columns = chosenColumns(member(naming.field("update_columns")), input.path);
  const target = { name: constraint.meta.constraint.sql };
  if (columns.length === 0) return { constraint: target };
  const { update: permission } = view;
  invariant(types.allows(permission), "columns to update are of an update permission");
  const where = member("where");
  return {
    constraint: target,
    update: {
      permission,
      table: view.table,
      key: constraint.meta.constraint.columns.map(context.dialect.quoteIdentifier),
      columns,
      where: (row) => where && condition(where, row, context),
    },
  };
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

/** @param insertCheck the condition for rows that were not there */
export function conflictParts(
  { constraint, update }: OnConflict,
  row: Alias,
  insertCheck: Sql | undefined,
  context: BuildContext,
): ConflictParts {
  if (update === undefined) return { clause: { constraint }, check: insertCheck };
  const { permission, table, key, columns } = update;
  const set = [
    ...columns.map((column) => ({ name: column.sql, value: sql`excluded.${verbatim(column.sql)}` })),
    ...permission.presets.map(({ column, value }) => ({ name: column, value: value(context.session) })),
  ];
  const where = allOf([permission.filter?.(row, context.session), update.where?.(row)]);
  const updateCheck = permission.check?.(row, context.session);
  const inserted = context.dialect.writes.wasInserted(row, table, key);
  const { always } = context.dialect;
  const clause = { constraint, update: { set, where } };
  if (!permission.hasCheck) return { clause, check: insertCheck };
  if (insertCheck === undefined && updateCheck === undefined) return { clause, check: undefined };
  const byOrigin = sql`case when ${inserted} then ${insertCheck ?? always} else ${updateCheck ?? always} end`;
  return { clause, check: byOrigin };
}
