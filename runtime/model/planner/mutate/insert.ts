/** Plans statements that insert rows. */

import { EngineError } from "../../../values/errors.ts";
import type { Alias, Column } from "../../definitions/column.ts";
import {
  type CopiedPart,
  copiedSlot,
  type Encode,
  type Encoder,
  type InputRows,
  type ParameterSlot,
} from "../../definitions/parameters.ts";
import { anyRowOf } from "../../definitions/row-filter.ts";
import type { ScalarType } from "../../definitions/scalar-type.ts";
import { parameter, type Sql, sql, verbatim } from "../../definitions/sql.ts";
import type { InsertPermission, TableView } from "../../definitions/view.ts";
import type { BuildContext } from "../select/context.ts";
import { findStatements } from "./changed-rows.ts";
import { conflictParts, type OnConflict } from "./on-conflict.ts";
import { permissionsOf } from "./permitted-columns.ts";
import type { Write } from "./written.ts";

export interface InsertInput {
  readonly view: TableView;
  readonly permission: InsertPermission;
  /** Columns present in all rows, with their keys in the rows' objects. */
  readonly columns: readonly { readonly key: string; readonly column: Column }[];
  /** Columns whose values come from rows written earlier. */
  readonly copied?: readonly CopiedColumn[];
  readonly rows: InputRows;
  /** Parent rows: the statement inserts all rows for each parent row. */
  readonly each?: EachRow;
  readonly onConflict?: OnConflict | undefined;
  /** Path for errors. */
  readonly path: string;
}

/** A column whose values are copied from other rows. */
export interface CopiedColumn {
  /** Quoted name. */
  readonly name: string;
  readonly type: ScalarType;
  readonly parts: readonly CopiedPart[];
  /** Set if the other rows may be existing rows, which the request has chosen. */
  readonly isChosen?: true;
}

/** Parent rows from another table, and the columns that inserted rows copy from them. */
interface EachRow {
  /** FROM item. */
  readonly from: Sql;
  /** Columns of the inserted rows, by quoted name, with their values. */
  readonly columns: readonly { readonly name: string; readonly value: Sql }[];
}

/** Returns one insert of rows with the same columns. */
export function insertWrite(input: InsertInput, context: BuildContext): Write {
  const { view, permission, rows } = input;
  const { writes } = context.dialect;
  const row = context.alias();
  const list = (name: string, encoder: Encoder): Sql => parameter(columnSlot(rows, name, encoder, writes.textList));
  const given = input.columns.map(({ key, column }, i) => ({
    name: column.sql,
    type: column.type,
    list: { name: `c${i + 1}`, values: list(key, columnEncoder(column)) },
  }));
  const presets = new Set(permission.presets.map(({ column }) => column));
  // Presets of the permission override copied values.
  const copied = (input.copied ?? [])
    .filter(({ name }) => !presets.has(name))
    .map(({ name, type, parts }, i) => ({
      name,
      type,
      list: { name: `p${i + 1}`, values: parameter(copiedSlot(parts, writes.listTexts, writes.textList)) },
    }));
  const columns = [
    ...[...given, ...copied].map(({ name, type, list: { name: item } }) => ({
      name,
      value: (source: Sql) => type.operand(sql`${source}.${verbatim(item)}`),
    })),
    ...(input.each?.columns ?? [])
      .filter(({ name }) => !presets.has(name))
      .map(({ name, value }) => ({ name, value: () => value })),
    ...permission.presets.map(({ column, value }) => ({ name: column, value: () => value(context.session) })),
  ];
  // A list of null values keeps rows without columns.
  const lists = [...given, ...copied].map((column) => column.list);
  if (lists.length === 0) lists.push({ name: "c1", values: list("", nullEncoder) });
  const check = insertCheck(input, row, context);
  const proposed = { row, given: new Set(columns.map(({ name }) => name)), insertCheck: check };
  const { onConflict } = input;
  const conflict = onConflict && conflictParts(onConflict, proposed, context);
  const user = userOf(view, context);
  const parts = { table: view.table, row, columns, rows: lists, ...(input.each && { each: input.each.from }), user };
  return {
    view,
    row,
    setsUser: user !== undefined,
    check: conflict ? conflict.check : check,
    kind: conflict?.clause.update ? "upsert" : "insert",
    statement: (returning, inOrder, changes) =>
      writes.insert({ ...parts, ...(conflict && { onConflict: conflict.clause }), returning, inOrder, changes }),
    ...(onConflict?.returned && { find: findStatements({ ...parts, view, check, onConflict }, context) }),
  };
}

/** Returns the check of the inserted rows: they must pass the check of one permission that lists all given columns. */
function insertCheck(input: InsertInput, row: Alias, { session }: BuildContext) {
  const { permission, columns, path } = input;
  const given = [...columns.map(({ column }) => column), ...chosenColumns(input)];
  const checks = new Set(permissionsOf(permission, given, "insert", path).map(({ check }) => check));
  const [only] = checks;
  if (checks.size === 1) return only?.(row, session);
  const present = [...checks].filter((check) => check !== undefined);
  return present.length < checks.size ? undefined : anyRowOf(...present)(row, session);
}

/**
 * Returns the columns that refer to existing rows. A role that may not set them could otherwise add its rows to any row
 * that it may read.
 * @throws EngineError `validation-failed` for a column that the permission does not list
 */
function chosenColumns({ view, permission, copied = [], path }: InsertInput): readonly Column[] {
  const presets = new Set(permission.presets.map(({ column }) => column));
  const chosen = copied.filter(({ name, isChosen }) => isChosen && !presets.has(name));
  return chosen.map(({ name }) => {
    const column = permission.columns.find((each) => each.sql === name);
    if (column) return column;
    const message = `rows of "${view.table.displayName}" cannot be joined with existing rows, because the role may not set all columns of the relationship: allow them in its insert permission, or insert the rows separately`;
    throw new EngineError("validation-failed", path, message);
  });
}

/** Returns the session variables, unless the table's triggers run before the statement can set them. */
export function userOf({ table }: TableView, { user }: BuildContext): Sql | undefined {
  return table.earlyTriggers ? undefined : user;
}

/** Encodes all values as NULL. */
export const nullEncoder: Encoder = { encode: () => null, code: { name: "nullEncoder" } };

export function columnSlot(
  rows: InputRows,
  name: string,
  { encode, code }: Encoder,
  list: Extract<ParameterSlot, { kind: "column" }>["list"],
): ParameterSlot {
  const key = `column ${JSON.stringify([rows.key, name])}`;
  return { kind: "column", key, rows, name, encode, ...(code && { code }), list };
}

/** Returns the encoder of a column, which refuses null unless the column is nullable. */
export function columnEncoder({ type, nullable }: Pick<Column, "type" | "nullable">): Encoder {
  return nullable ? type : notNull(type);
}

/** Returns an encoder that refuses null. */
export function notNull(type: Pick<ScalarType, "encode" | "code" | "graphql">): Encoder {
  const encode: Encode = (value, path, literal) => {
    if (value !== null && value !== undefined) return type.encode(value, path, literal);
    throw new EngineError("validation-failed", path, `unexpected null value for type '${type.graphql}'`);
  };
  return { encode, ...(type.code && { code: { name: "notNull", arguments: [type.code] } }) };
}
