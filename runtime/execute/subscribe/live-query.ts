/** The parts of a polled subscription: a statement that subscribers share, and the values of one cohort. */

import type {
  ByteValues,
  DatabaseSource,
  PreparedStatement,
  Reader,
  SqlValue,
  TextRow,
} from "../../databases/sources/source.ts";
import type { OperationIdentity } from "../../ports/metrics.ts";
import type { Caller } from "../../values/caller.ts";
import type { EngineError } from "../../values/errors.ts";
import type { JoinedBytes } from "../../values/joined-bytes.ts";

/** `live`: the whole current result; `stream`: rows after the cursor position. */
export type SubscriptionKind = "live" | "stream";

/** A query of one row with text columns, for a single variable set and for a batch. */
export interface LiveStatement {
  readonly kind: SubscriptionKind;
  readonly source: DatabaseSource;
  /** Runs the statement instead of the source; absent if the source runs it. */
  readonly reader?: Reader;
  /**
   * Equal for statements of one source that can share a poller, which have the same kind, role, text and form of the
   * result.
   */
  readonly key: string;
  readonly role: string;
  /** Name of the operation that opened the poller. */
  readonly name: string | null;
  /** Identity in metrics; absent without metrics. */
  readonly about?: OperationIdentity;
  /** Session variables as JSON text for the functions that the statement calls; absent without functions. */
  readonly user?: string;
  /** Time limit for one variable set, in milliseconds. */
  readonly timeLimit?: number;
  readonly single: PreparedStatement;
  /** The batched form. Its rows begin with the number of the variable set, starting at 1. */
  readonly multiplexed: PreparedStatement;
  multiplexedValues(sets: readonly (readonly SqlValue[])[]): readonly SqlValue[];
  /** True if no stage looks into the values of a row, so that they are read as bytes. */
  readonly takesBytes?: boolean;
  /** Returns the JSON text of `data` from the row of one variable set. */
  encode(row: ByteValues): string | JoinedBytes;
  readonly cursor?: Cursor;
}

export interface Cursor {
  /** Names of the columns of a position: the cursor column, then the columns that order rows of equal value. */
  readonly of: readonly string[];
  /** Indexes of the position among the values. The columns of the next position are the last ones of a result. */
  readonly values: readonly number[];
  /** The high-water mark of the stream; if absent, all rows are delivered. */
  readonly highWaterMark?: {
    /** Returns one row: the columns of the last committed position, and the open transactions as a JSON list. */
    readonly statement: PreparedStatement;
    /** Indexes among the values of the last position that may be delivered. */
    readonly values: readonly number[];
  };
}

export interface LiveQuery {
  readonly statement: LiveStatement;
  readonly values: readonly SqlValue[];
  /** Joins from other sources and remote schemas. */
  readonly joined?: JoinedResult;
}

/** Joins values of other sources and remote schemas to the rows of a subscription. */
export interface JoinedResult {
  /** Equal for subscriptions with the same operation, values and session, and therefore the same joins. */
  readonly key: string;
  /**
   * Returns the result with joined values.
   * @throws EngineError
   */
  join(row: TextRow, caller: Caller): Promise<LiveResult>;
}

export interface LiveResult {
  readonly data: string | JoinedBytes;
  /** Errors that made fields null. */
  readonly errors: readonly EngineError[];
}
