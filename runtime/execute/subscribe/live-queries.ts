/**
 * Assigns each subscription of a server to the poller of its statement, and reassigns all of them when plans change.
 */
import { setImmediate as nextTurn } from "node:timers/promises";
import type { DatabaseSource } from "../../databases/sources/source.ts";
import type { Continuity } from "../../ports/continuity.ts";
import type { Subscription, SubscriptionSink } from "../../ports/graphql.ts";
import { type Meters, noMeters } from "../../ports/metrics.ts";
import type { Subscriber } from "./cohort.ts";
import { type LiveCounters, MutableKindCounters } from "./counters.ts";
import { withCursor } from "./delivery.ts";
import type { Cursor, LiveQuery, LiveStatement, SubscriptionKind } from "./live-query.ts";
import { labelsOf, measurePoll, type PollDetail, type PollReport, pollDetail } from "./poll-report.ts";
import { Poller, type PollSettings } from "./poller.ts";
import { type Clock, systemClock } from "./schedule.ts";

export type LiveSettings = Readonly<Record<SubscriptionKind, PollSettings>>;

/** Number of subscriptions to replan before yielding to the event loop. */
const replansPerTurn = 100;

/** A planned subscription that can be replanned on a new schema. */
export interface Subscribable {
  readonly query: LiveQuery;
  /** @throws EngineError if the subscription is no longer valid */
  readonly replan: () => LiveQuery;
}

interface Entry {
  readonly poller: Poller;
  readonly statement: LiveStatement;
  /** `null` before the first poll. */
  lastPoll: LastPoll | null;
}

/** A subscriber whose poller has been retired. */
interface MovingSubscriber {
  readonly subscriber: Subscriber;
  /** Its previous statement and values. */
  readonly before: LiveQuery;
}

export interface LiveParts {
  readonly settings: LiveSettings;
  readonly continuity: Continuity;
  readonly clock?: Clock;
  readonly onPoll?: (detail: PollDetail) => void;
  readonly meters?: Meters;
}

export class LiveQueries {
  readonly #settings: LiveSettings;
  readonly #continuity: Continuity;
  readonly #clock: Clock;
  readonly #onPoll: LiveParts["onPoll"];
  readonly #meters: Meters;
  #entries = new Map<DatabaseSource, Map<string, Entry>>();
  readonly #counters = { live: new MutableKindCounters(), stream: new MutableKindCounters() };

  constructor({ settings, continuity, clock = systemClock, onPoll, meters = noMeters }: LiveParts) {
    this.#settings = settings;
    this.#continuity = continuity;
    this.#clock = clock;
    this.#onPoll = onPoll;
    this.#meters = meters;
    meters.onRead(() => {
      for (const [kind, { activePollers, pollersInErrorState }] of Object.entries(this.#counters)) {
        const labels = { subscription_kind: kind === "live" ? "live-query" : "streaming" };
        meters.pollers.set(activePollers, labels);
        meters.failingPollers.set(pollersInErrorState, labels);
      }
    });
  }

  get counters(): LiveCounters {
    return this.#counters;
  }

  /** Returns the running statements, in descending order of their number of subscribers. */
  list(): readonly LiveQueryEntry[] {
    return [...this.#entries.values()]
      .flatMap((ofSource) => [...ofSource.values()])
      .map(({ poller, statement, lastPoll }) => liveQueryEntry(statement, poller.subscribers, lastPoll))
      .sort((one, other) => other.subscribers - one.subscribers);
  }

  /**
   * Delivers results to the sink until it is stopped. Resolves with the first result.
   * @throws EngineError if there is no first result; the sink is then never called
   */
  async subscribe({ query, replan }: Subscribable, sink: SubscriptionSink): Promise<Subscription> {
    const { kind } = query.statement;
    const initialState = { hasEnded: false, seen: null, currentAt: null, after: 0, waiting: null, leave: null };
    const subscriber: Subscriber = { sink, replan, kind, ...initialState };
    const first = new Promise<void>((resolve, reject) => {
      subscriber.waiting = { resolve, reject };
    });
    this.#counters[kind].activeSubscriptions++;
    this.#join(subscriber, query);
    try {
      await first;
    } catch (error) {
      this.#end(subscriber);
      throw error;
    }
    return { stop: () => this.#end(subscriber) };
  }

  /** Replans all subscriptions. Subscriptions that are no longer valid end with an error. */
  async metadataChanged(): Promise<void> {
    const entries = [...this.#entries.values()].flatMap((ofSource) => [...ofSource.values()]);
    this.#entries = new Map();
    const subscribers = entries.flatMap(({ poller, statement }) =>
      poller.retire().map(([subscriber, values]): MovingSubscriber => ({ subscriber, before: { statement, values } })),
    );
    for (const [i, each] of subscribers.entries()) {
      if (i > 0 && i % replansPerTurn === 0) await nextTurn();
      if (!each.subscriber.hasEnded) this.#move(each);
    }
  }

  #move({ subscriber, before }: MovingSubscriber): void {
    let query: LiveQuery;
    try {
      query = subscriber.replan();
    } catch (error) {
      this.#end(subscriber);
      if (subscriber.waiting) subscriber.waiting.reject(error);
      else {
        subscriber.sink.error(error);
        subscriber.sink.complete();
      }
      return;
    }
    const { statement } = query;
    this.#counters[subscriber.kind].activeSubscriptions--;
    this.#counters[statement.kind].activeSubscriptions++;
    subscriber.kind = statement.kind;
    // A stream continues at its position.
    const values = withCursor(query.values, statement, positionFor(statement.cursor, before));
    this.#join(subscriber, { ...query, values });
  }

  #end(subscriber: Subscriber): void {
    if (subscriber.hasEnded) return;
    subscriber.hasEnded = true;
    subscriber.leave?.();
    this.#counters[subscriber.kind].activeSubscriptions--;
  }

  #join(subscriber: Subscriber, query: LiveQuery): void {
    this.#pollerOf(query.statement).join(subscriber, query);
  }

  #pollerOf(statement: LiveStatement): Poller {
    const { source, key } = statement;
    let ofSource = this.#entries.get(source);
    if (!ofSource) {
      ofSource = new Map();
      this.#entries.set(source, ofSource);
    }
    return ofSource.get(key)?.poller ?? this.#open(ofSource, statement);
  }

  #open(ofSource: Map<string, Entry>, statement: LiveStatement): Poller {
    const { key, kind, source } = statement;
    const onPoll = this.#onPoll;
    const meters = this.#meters;
    const poller: Poller = new Poller({
      statement,
      settings: this.#settings[kind],
      continuity: this.#continuity,
      clock: this.#clock,
      counters: this.#counters[kind],
      lag: meters.subscriptionLag.of(labelsOf(statement)),
      onPoll: (report) => {
        entry.lastPoll = lastPollOf(report);
        onPoll?.(pollDetail(report));
        if (meters.isOn) measurePoll(meters, report);
      },
      onEmpty: () => {
        if (ofSource.get(key)?.poller === poller) ofSource.delete(key);
        if (ofSource.size === 0 && this.#entries.get(source) === ofSource) this.#entries.delete(source);
      },
    });
    const entry: Entry = { poller, statement, lastPoll: null };
    ofSource.set(key, entry);
    return poller;
  }
}

/** Returns the position at which a stream continues, without the key if another one orders rows of equal value now. */
function positionFor(next: Cursor | undefined, { statement: { cursor }, values }: LiveQuery): LiveQuery["values"] {
  if (cursor === undefined || cursor.of[0] !== next?.of[0]) return [];
  const isSameKey = JSON.stringify(cursor.of) === JSON.stringify(next?.of);
  const indexes = isSameKey ? cursor.values : cursor.values.slice(0, 1);
  return indexes.map((index) => values[index] ?? null);
}

// Rows of `get_live_queries`: one per shared statement. Times are in seconds, as in the log.

/** Duration and failures of the last poll. */
interface LastPoll {
  /** ISO 8601. */
  readonly at: string;
  readonly total_time: number;
  /** Number of variable sets that failed. */
  readonly failed: number;
}

interface LiveQueryEntry {
  readonly kind: "live-query" | "streaming";
  /** Name of the operation that opened the poller. */
  readonly operation_name: string | null;
  readonly role: string;
  readonly source: string;
  readonly subscribers: number;
  /** The batched statement. */
  readonly generated_sql: string;
  /** `null` before the first poll. */
  readonly last_poll: LastPoll | null;
}

function lastPollOf({ batches, totalSeconds }: PollReport): LastPoll {
  const outcomes = batches.flatMap(({ result }) => result.outcomes);
  const failed = outcomes.filter(({ kind }) => kind === "failed").length;
  return { at: new Date().toISOString(), total_time: totalSeconds, failed };
}

function liveQueryEntry(
  { kind, name, role, source, multiplexed }: LiveStatement,
  subscribers: number,
  last_poll: LastPoll | null,
): LiveQueryEntry {
  return {
    kind: kind === "live" ? "live-query" : "streaming",
    operation_name: name,
    role,
    source: source.name,
    subscribers,
    generated_sql: multiplexed.text,
    last_poll,
  };
}
