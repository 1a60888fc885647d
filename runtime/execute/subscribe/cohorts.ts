/** The subscriptions of one statement, grouped by their values. */
import { Cohort, type CohortQuery, keyOf, type Subscriber } from "./cohort.ts";
import type { LiveQuery } from "./live-query.ts";

export class Cohorts {
  readonly #byKey = new Map<string, Cohort>();
  readonly #onForgotten: (cohort: Cohort) => void;

  /** @param onForgotten called after the last subscription has left a cohort */
  constructor(onForgotten: (cohort: Cohort) => void) {
    this.#onForgotten = onForgotten;
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
      this.forgetIfEmpty(cohort);
    };
  }

  forgetIfEmpty(cohort: Cohort): void {
    if (cohort.members.size > 0 || this.#byKey.get(cohort.key) !== cohort) return;
    this.#byKey.delete(cohort.key);
    this.#onForgotten(cohort);
  }

  /** Forgets all of them without a call, and hands over their subscriptions with the values that these have now. */
  dissolve(): readonly (readonly [Subscriber, LiveQuery["values"]])[] {
    const left: (readonly [Subscriber, LiveQuery["values"]])[] = [];
    for (const { members, values } of this.#byKey.values()) {
      for (const member of members) {
        member.leave = null;
        left.push([member, values]);
      }
      members.clear();
    }
    this.#byKey.clear();
    return left;
  }
}
