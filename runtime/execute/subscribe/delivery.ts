/** What a database answered for a cohort → its subscriptions, where it is news to them. */
import { setImmediate as nextTurn } from "node:timers/promises";
import type { TextRow } from "../../databases/sources/source.ts";
import type { Continuity } from "../../ports/continuity.ts";
import type { Outcome, Row } from "./ask.ts";
import { type Cohort, digestOfError, type Subscriber } from "./cohort.ts";
import type { Cohorts } from "./cohorts.ts";
import type { KindCounting } from "./counters.ts";
import type { JoinedAnswer, LiveQuery, LiveStatement } from "./live-query.ts";

/** So many answers are sent before other work of the server gets its turn. */
const deliveredAtOnce = 200;

export interface DeliveryParts {
  readonly statement: LiveStatement;
  readonly cohorts: Cohorts;
  /** An answer in which every field is null or an empty list is not delivered. */
  readonly skipEmpty: boolean;
  readonly continuity: Continuity;
  readonly counters: KindCounting;
  /** Called when something is left to deliver: more rows, or what a client did not take. */
  readonly onLeft: () => void;
}

export class Delivery {
  readonly #parts: DeliveryParts;
  /** Since other work had its turn. */
  #delivered = 0;

  constructor(parts: DeliveryParts) {
    this.#parts = parts;
  }

  /** @param run the number of the run that gave it: an older answer never follows a newer one */
  async take(cohort: Cohort, row: Row, run: number): Promise<void> {
    cohort.state = "proven";
    if (run < cohort.lastRun) return;
    cohort.lastRun = run;
    if (this.#parts.statement.cursor) await this.#takeStreamed(cohort, row, run);
    else await this.#takeAnswer(cohort, row, run);
  }

  /** Those who wait for their first answer end with the error, others are told once. */
  fail(cohort: Cohort, { error, alone }: Extract<Outcome, { kind: "failed" }>, run: number): void {
    this.#parts.counters.failures++;
    if (run < cohort.lastRun) return;
    cohort.lastRun = run;
    cohort.state = alone ? "suspect" : "proven";
    const digest = digestOfError(error);
    for (const member of [...cohort.members]) {
      if (run <= member.after) continue;
      if (member.waiting) {
        const { reject } = member.waiting;
        member.waiting = null;
        member.leave?.();
        reject(error);
      } else if (member.seen !== digest) {
        member.seen = digest;
        member.sink.error(error);
      }
    }
  }

  async #takeAnswer(cohort: Cohort, row: Row, run: number): Promise<void> {
    const { skipEmpty } = this.#parts;
    if (row === undefined || (skipEmpty && row.every(isEmpty))) {
      for (const member of cohort.members) if (run > member.after) begin(member);
      return;
    }
    const digest = cohort.digestOf(row);
    let answer: string | undefined;
    for (const member of cohort.members) {
      if (run <= member.after) continue;
      if (member.seen !== digest) {
        if (answer === undefined) {
          answer = await this.#answer(cohort, row);
          // Those who left meanwhile are gone from the list; a newer answer comes by itself.
          if (run < cohort.lastRun) return;
          if (!cohort.members.has(member)) continue;
        }
        if (this.#deliver(member, answer)) member.seen = digest;
      }
      begin(member);
      if (this.#isTurnOver()) await this.#giveTurn();
      // A newer answer is being delivered to all of them.
      if (run < cohort.lastRun) return;
    }
  }

  /** Who took the rows goes on after them, together; who could not stays where it was. */
  async #takeStreamed(cohort: Cohort, row: Row, run: number): Promise<void> {
    const { statement, cohorts, onLeft } = this.#parts;
    const position = statement.cursor && row?.[statement.cursor.column];
    const rest = row?.filter((_, i) => i !== statement.cursor?.column) ?? [];
    const answer = position === null || position === undefined ? undefined : await this.#answer(cohort, rest);
    // Those who stand here now: a place that the database writes less exactly than it compares is the same one again.
    for (const member of [...cohort.members]) {
      if (run <= member.after || !cohort.members.has(member)) continue;
      member.seen = null;
      if (answer !== undefined && this.#deliver(member, answer)) {
        // There may be more rows than one batch takes.
        onLeft();
        const values = withCursor(cohort.values, statement, position);
        const next = cohorts.of({ values, ...(cohort.joined && { joined: cohort.joined }) });
        next.state = "proven";
        cohort.members.delete(member);
        cohorts.enter(next, member);
      }
      begin(member);
      if (this.#isTurnOver()) await this.#giveTurn();
    }
    cohorts.forgetIfEmpty(cohort);
  }

  #answer(cohort: Cohort, row: TextRow): string | Promise<string> {
    return cohort.joined ? joinedAnswer(cohort, cohort.joined, row) : this.#parts.statement.answer(row);
  }

  /** @returns whether the client takes it now */
  #deliver({ sink }: Subscriber, answer: string): boolean {
    const { counters, onLeft } = this.#parts;
    if (sink.isBusy()) {
      counters.passedOver++;
      onLeft();
      return false;
    }
    this.#delivered++;
    counters.results++;
    counters.resultCharacters += answer.length;
    sink.next(answer);
    return true;
  }

  /** Whether so much has been delivered that other work of the server comes first. */
  #isTurnOver(): boolean {
    if (this.#delivered < deliveredAtOnce) return false;
    this.#delivered = 0;
    return true;
  }

  async #giveTurn(): Promise<void> {
    await nextTurn();
    await this.#parts.continuity.settled();
  }
}

async function joinedAnswer(cohort: Cohort, joined: JoinedAnswer, row: TextRow): Promise<string> {
  cohort.pendingJoins++;
  try {
    return await joined.answer(row, cohort);
  } finally {
    cohort.pendingJoins--;
  }
}

/** The values of a stream that stands somewhere else. */
export function withCursor(
  values: LiveQuery["values"],
  { cursor }: LiveStatement,
  position: string | null | undefined,
): LiveQuery["values"] {
  return values.map((value, i) => (i === cursor?.value && position !== undefined ? position : value));
}

/** Its first answer has come. */
function begin(member: Subscriber): void {
  member.waiting?.resolve();
  member.waiting = null;
}

const isEmpty = (value: string | null): boolean => value === null || value === "null" || value === "[]";
