/** What a subscription asks again and again: a statement that it shares with others, and its own values. */

import type { DatabaseSource, PreparedStatement, Reader, SqlValue, TextRow } from "../../databases/sources/source.ts";
import type { OperationIdentity } from "../../ports/metrics.ts";
import type { Caller } from "../../values/caller.ts";

/** `live`: the answer as it is now; `stream`: rows that come after those that were delivered. */
export type SubscriptionKind = "live" | "stream";

/** A query of one row with text columns, for one set of values and for many at once. */
export interface LiveStatement {
  readonly kind: SubscriptionKind;
  readonly source: DatabaseSource;
  /** What answers it, where that is not the source itself. */
  readonly reader?: Reader;
  /** Equal for statements on one source that may be asked together: same kind, role, text and form of the answer. */
  readonly key: string;
  /** Whose subscriptions these are. */
  readonly role: string;
  /** Of the operation that asked first. */
  readonly name: string | null;
  /** What metrics call it; absent: nobody asks. */
  readonly about?: OperationIdentity;
  /** Session variables for the functions that it calls, as JSON text; absent: it calls none. */
  readonly user?: string;
  /** How long the database may take for one set of values, in milliseconds; absent: as long as it likes. */
  readonly timeLimit?: number;
  readonly single: PreparedStatement;
  /** Its rows begin with the number of the set, counted from 1. */
  readonly multiplexed: PreparedStatement;
  multiplexedValues(sets: readonly (readonly SqlValue[])[]): readonly SqlValue[];
  /** The row of one set → JSON text of `data`'s value. */
  answer(row: TextRow): string;
  /** Of a stream. */
  readonly cursor?: Cursor;
}

/** Where a stream stands. */
export interface Cursor {
  /** Names the column. */
  readonly of: string;
  /** Which of the values it is. */
  readonly value: number;
  /** The column of a row that says where the stream stands after it; NULL: no rows came. */
  readonly column: number;
  /** Absent: the stream goes as far as there are rows. */
  readonly frontier?: {
    /** One row: the last committed place, and the open transactions as a JSON list. */
    readonly statement: PreparedStatement;
    /** Which of the values is the last place that may be delivered. */
    readonly value: number;
  };
}

export interface LiveQuery {
  readonly statement: LiveStatement;
  readonly values: readonly SqlValue[];
  /** What other sources and servers add to the rows; absent: nothing. */
  readonly joined?: JoinedAnswer;
}

/** Joins to the rows of a subscription what its session may see elsewhere. */
export interface JoinedAnswer {
  /** Equal for subscriptions that the same is joined for: of the same operation, values and session. */
  readonly key: string;
  /**
   * JSON text of `data`'s value, in place of what the statement answers by itself.
   * @throws EngineError
   */
  answer(row: TextRow, caller: Caller): Promise<string>;
}
