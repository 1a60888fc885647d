/** State shared while building one statement: aliases, options and session variables. */

import { EngineError, invariant } from "../../../values/errors.ts";
import { type Alias, columnEquals } from "../../definitions/column.ts";
import type { Dialect, RelayDialect } from "../../definitions/dialect.ts";
import type { Place } from "../../definitions/distribution.ts";
import { type Encoder, sessionSlot, valueSlot } from "../../definitions/parameters.ts";
import type { SessionVariable } from "../../definitions/row-filter.ts";
import type { OutputOptions, ScalarType } from "../../definitions/scalar-type.ts";
import { allOf, parameter, type Sql, verbatim } from "../../definitions/sql.ts";
import { keyColumns, type TableView } from "../../definitions/view.ts";
import type { Input } from "../request/input.ts";

export interface PlanOptions extends OutputOptions {
  /** A null operand counts as "operator absent". */
  readonly nullCollapse: boolean;
  /** Omits null arguments of remote fields. */
  readonly skipRemoteNulls?: boolean;
  /** Allows live queries with values of other sources, which are joined when the rows change. */
  readonly joinInSubscriptions?: boolean;
  /** Bounds streams by the oldest open transaction. */
  readonly holdStreamsBack?: boolean | null;
}

export interface BuildContext {
  readonly dialect: Dialect;
  readonly options: PlanOptions;
  readonly variables: Readonly<Record<string, unknown>>;
  /** Statements to run first, in order. */
  readonly before: Sql[];
  /** Returns a new alias: `t1`, `t2`, … */
  alias(): Alias;
  readonly session: SessionVariable;
  /** Places of rows by alias, in statements for a distributed database. */
  readonly places: Map<Alias, Place>;
  /** All session variables, if the statement itself must set them for triggers. */
  readonly user?: Sql;
}

export function buildContext(
  dialect: Dialect,
  options: PlanOptions,
  variables: Readonly<Record<string, unknown>>,
): BuildContext {
  let aliases = 0;
  return {
    dialect,
    options,
    variables,
    before: [],
    alias: () => verbatim(`t${++aliases}`),
    session: (name) => parameter(sessionSlot(name)),
    places: new Map(),
  };
}

/** Returns a scalar input as an operand of this type. */
export function operand(input: Input, type: ScalarType, encoder: Encoder = type): Sql {
  if (input.kind === "null") return type.operand(verbatim("null"));
  if (input.kind !== "value") throw new EngineError("unexpected", input.path, "expected a scalar");
  const encoding = type.enumeration ? `${type.cast} of ${type.enumeration.name}` : type.cast;
  return type.operand(parameter(valueSlot(input.source, encoder, encoding, input.path)));
}

/** Returns the database's functions for Relay. */
export function relayOf({ dialect: { relay } }: BuildContext): RelayDialect {
  invariant(relay, "only tables of databases with Relay support have connections");
  return relay;
}

/**
 * Returns the condition that a row has this key; columns that the role may not read never match.
 * @param values by field name
 */
export function keyCondition(
  view: TableView,
  row: Alias,
  values: ReadonlyMap<string, Input>,
  context: BuildContext,
): Sql | undefined {
  return allOf(
    keyColumns(view).map((column) => {
      const value = values.get(column.field);
      invariant(value, `there is a value for key column ${column.field}`);
      return columnEquals(column, row, operand(value, column.type), context.session);
    }),
  );
}
