/** What building one statement shares: aliases, options, and how values become parameters. */

import { EngineError, invariant } from "../../../values/errors.ts";
import type { Alias } from "../../definitions/column.ts";
import type { Dialect, RelayDialect } from "../../definitions/dialect.ts";
import { type Encoder, sessionSlot, valueSlot } from "../../definitions/parameters.ts";
import type { SessionVariable } from "../../definitions/row-filter.ts";
import type { OutputOptions, ScalarType } from "../../definitions/scalar-type.ts";
import { parameter, type Sql, verbatim } from "../../definitions/sql.ts";
import type { Input } from "../request/input.ts";

export interface PlanOptions extends OutputOptions {
  /** A null operand counts as "operator absent". */
  readonly nullCollapse: boolean;
  /** Arguments of remote fields that are null are left out. */
  readonly skipRemoteNulls?: boolean;
  /** Live queries may have values of other sources, joined when the rows that they belong to change. */
  readonly joinInSubscriptions?: boolean;
  /** Streams wait for the transactions that are open: absent, they do not. */
  readonly holdStreamsBack?: boolean;
}

export interface BuildContext {
  readonly dialect: Dialect;
  readonly options: PlanOptions;
  readonly variables: Readonly<Record<string, unknown>>;
  /** Statements that have to run before, in order. */
  readonly before: Sql[];
  /** A new name for a row source; `t1`, `t2`, … in the order they are asked for. */
  alias(): Alias;
  readonly session: SessionVariable;
  /** All session variables, for a statement that has to set them for triggers itself. */
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
  };
}

/** A scalar input as an operand of this type. */
export function operand(input: Input, type: ScalarType, encoder: Encoder = type): Sql {
  if (input.kind === "null") return type.operand(verbatim("null"));
  if (input.kind !== "value") throw new EngineError("unexpected", input.path, "a scalar was expected here");
  const encoding = type.enumeration ? `${type.cast} of ${type.enumeration.name}` : type.cast;
  return type.operand(parameter(valueSlot(input.source, encoder, encoding, input.path)));
}

/** How the database makes and orders cursors. */
export function relayOf({ dialect: { relay } }: BuildContext): RelayDialect {
  invariant(relay, "only tables of databases with Relay support have connections");
  return relay;
}
