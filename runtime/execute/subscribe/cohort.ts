/**
 * A cohort consists of the subscribers of one statement with equal values and equal joins. It is one variable set of a
 * batch. Only a hash of the last result is stored, so that memory does not depend on the size of results.
 */
import { createHash } from "node:crypto";
import type { ByteValues, SqlValue } from "../../databases/sources/source.ts";
import type { SubscriptionSink } from "../../ports/graphql.ts";
import type { Caller } from "../../values/caller.ts";
import { EngineError } from "../../values/errors.ts";
import type { LiveQuery, LiveResult, SubscriptionKind } from "./live-query.ts";

export interface Subscriber {
  readonly sink: SubscriptionSink;
  /**
   * Plans the subscription on the current schema.
   * @throws EngineError if it is no longer valid
   */
  readonly replan: () => LiveQuery;
  /** The kind whose counters include the subscriber. */
  kind: SubscriptionKind;
  hasEnded: boolean;
  /** Digest of the last result or error that was delivered; `null` before the first. */
  seen: string | null;
  /** The last result contains all changes committed before this time; `null` before the first result. */
  currentAt: number | null;
  /** Results of runs up to this number are skipped: they may lack earlier writes of the client. */
  after: number;
  /** Settles the promise of `subscribe`; `null` after the first result. */
  waiting: { readonly resolve: () => void; readonly reject: (error: unknown) => void } | null;
  /** Leaves the current cohort; `null` outside of cohorts. */
  leave: (() => void) | null;
}

/** The properties that all subscribers share. */
export type CohortQuery = Pick<LiveQuery, "values" | "joined">;

export class Cohort implements Caller {
  readonly key: string;
  readonly values: readonly SqlValue[];
  readonly joined: LiveQuery["joined"];
  readonly members = new Set<Subscriber>();
  /**
   * `new`: the statement has not run with the values yet. `proven`: it succeeded, and the values run in batches.
   * `suspect`: it failed with these values but not with others, and the values run alone until it succeeds.
   */
  state: "new" | "proven" | "suspect" = "new";
  /** Joins in progress. Polls skip the cohort until they finish. */
  pendingJoins = 0;
  /** Number of the run that returned the last result. */
  lastRun = 0;
  #digest = "";

  constructor(key: string, { values, joined }: CohortQuery) {
    this.key = key;
    this.values = values;
    this.joined = joined;
  }

  /** True if all subscribers have disconnected. */
  get aborted(): boolean {
    for (const { sink } of this.members) if (sink.aborted !== true) return false;
    return true;
  }

  /** True if any subscriber can receive a result now. */
  get isReady(): boolean {
    for (const { sink } of this.members) if (!sink.isBusy()) return true;
    return false;
  }

  /** Returns the digest of a result; the same string object as before if the result is unchanged. */
  digestOf(row: ByteValues): string {
    const hash = createHash("sha256");
    // Each value is preceded by its length in bytes, so that values with the same concatenation have different digests,
    // and the same row as text and as bytes the same one.
    for (const value of row) {
      hash.update(value === null ? "null;" : `${Buffer.byteLength(value)};`).update(value ?? "");
    }
    const digest = hash.digest("base64");
    if (digest !== this.#digest) this.#digest = digest;
    return this.#digest;
  }
}

/** Returns the key of a cohort: equal for equal values and joins. */
export function keyOf({ values, joined }: CohortQuery): string {
  return JSON.stringify(joined ? [joined.key, ...values] : values);
}

/** Returns the digest of a result with field errors, which differs from the digest of any complete result. */
export function digestOfPartial({ data, errors }: LiveResult): string {
  const hash = createHash("sha256").update(data.toString());
  for (const { message, fieldPath } of errors) hash.update(JSON.stringify([message, fieldPath]));
  return `partial ${hash.digest("base64")}`;
}

/** Returns the digest of an error, which differs from the digest of any result. */
export function digestOfError(error: unknown): string {
  return error instanceof EngineError ? `error ${error.code} ${error.path} ${error.message}` : `error ${String(error)}`;
}

// The cohorts of one statement.

export class Cohorts {
  readonly #byKey = new Map<string, Cohort>();
  readonly #onRemoved: (cohort: Cohort) => void;

  /** @param onRemoved called after the last subscriber has left a cohort */
  constructor(onRemoved: (cohort: Cohort) => void) {
    this.#onRemoved = onRemoved;
  }

  get size(): number {
    return this.#byKey.size;
  }

  all(): Iterable<Cohort> {
    return this.#byKey.values();
  }

  of(query: CohortQuery): Cohort {
    const key = keyOf(query);
    let cohort = this.#byKey.get(key);
    if (!cohort) {
      cohort = new Cohort(key, query);
      this.#byKey.set(key, cohort);
    }
    return cohort;
  }

  enter(cohort: Cohort, subscriber: Subscriber): void {
    cohort.members.add(subscriber);
    subscriber.leave = () => {
      cohort.members.delete(subscriber);
      subscriber.leave = null;
      this.removeIfEmpty(cohort);
    };
  }

  removeIfEmpty(cohort: Cohort): void {
    if (cohort.members.size > 0 || this.#byKey.get(cohort.key) !== cohort) return;
    this.#byKey.delete(cohort.key);
    this.#onRemoved(cohort);
  }

  /**
   * Removes all cohorts without calling `onRemoved`.
   * @returns the subscribers with their current values
   */
  dissolve(): readonly (readonly [Subscriber, LiveQuery["values"]])[] {
    const subscribers: (readonly [Subscriber, LiveQuery["values"]])[] = [];
    for (const { members, values } of this.#byKey.values()) {
      for (const member of members) {
        member.leave = null;
        subscribers.push([member, values]);
      }
      members.clear();
    }
    this.#byKey.clear();
    return subscribers;
  }
}
