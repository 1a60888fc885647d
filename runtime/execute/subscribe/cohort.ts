/**
 * Subscriptions of one statement with equal values, and the same joined to them: one set of values in its batches. What came of the last answer is
 * kept as a hash, so that a cohort costs the same whatever its answers are like.
 */
import { createHash } from "node:crypto";
import type { SqlValue, TextRow } from "../../databases/sources/source.ts";
import type { SubscriptionSink } from "../../ports/graphql.ts";
import type { Caller } from "../../values/caller.ts";
import { EngineError } from "../../values/errors.ts";
import type { LiveQuery, SubscriptionKind } from "./live-query.ts";

/** One subscription of one client. */
export interface Subscriber {
  readonly sink: SubscriptionSink;
  /** Plans it for the schema as it is then. @throws EngineError when it is not valid there */
  readonly replan: () => LiveQuery;
  /** Which it is counted as. */
  kind: SubscriptionKind;
  hasEnded: boolean;
  /** What it was told last: the digest of an answer or of an error; `null` before the first answer. */
  seen: string | null;
  /** Runs that began before it came do not count: they may not see what its client has written. */
  after: number;
  /** Until the first answer. */
  waiting: { readonly resolve: () => void; readonly reject: (error: unknown) => void } | null;
  /** Takes it out of the cohort it is in; `null`: it is in none. */
  leave: (() => void) | null;
}

/** What its subscriptions have in common. */
export type CohortQuery = Pick<LiveQuery, "values" | "joined">;

export class Cohort implements Caller {
  readonly key: string;
  readonly values: readonly SqlValue[];
  readonly joined: LiveQuery["joined"];
  readonly members = new Set<Subscriber>();
  /**
   * `new`: the database has not seen its values yet. `proven`: it took them, they are asked together with others.
   * `suspect`: it refused them where it took others, they are asked by themselves until it takes them.
   */
  state: "new" | "proven" | "suspect" = "new";
  /** Answers of other sources and servers that are under way for its rows: no poll reads it again before they arrive. */
  pendingJoins = 0;
  /** The run whose answer was taken last. */
  lastRun = 0;
  #digest = "";

  constructor(key: string, { values, joined }: CohortQuery) {
    this.key = key;
    this.values = values;
    this.joined = joined;
  }

  /** Nobody waits for an answer any more. */
  get aborted(): boolean {
    for (const { sink } of this.members) if (sink.aborted !== true) return false;
    return true;
  }

  /** Whether anybody would take an answer. */
  get isWanted(): boolean {
    for (const { sink } of this.members) if (!sink.isBusy()) return true;
    return false;
  }

  /** The digest of an answer; the same string object as before where nothing changed. */
  digestOf(row: TextRow): string {
    const hash = createHash("sha256");
    // Lengths keep columns apart.
    for (const value of row) hash.update(value === null ? "null;" : `${value.length};`).update(value ?? "");
    const digest = hash.digest("base64");
    if (digest !== this.#digest) this.#digest = digest;
    return this.#digest;
  }
}

/** Equal for equal sets of values that the same is joined for. */
export function keyOf({ values, joined }: CohortQuery): string {
  return JSON.stringify(joined ? [joined.key, ...values] : values);
}

/** Errors that say the same have the same digest, which is that of no answer. */
export function digestOfError(error: unknown): string {
  return error instanceof EngineError ? `error ${error.code} ${error.path} ${error.message}` : `error ${String(error)}`;
}
