/** All subscriptions of a server: finds for each the poller that asks its statement, and moves them when plans change. */
import { setImmediate as nextTurn } from "node:timers/promises";
import type { DatabaseSource } from "../../databases/sources/source.ts";
import type { Continuity } from "../../ports/continuity.ts";
import type { Subscription, SubscriptionSink } from "../../ports/graphql.ts";
import { type Meters, noMeters } from "../../ports/metrics.ts";
import { type Clock, systemClock } from "./clock.ts";
import type { Subscriber } from "./cohort.ts";
import { KindCounting, type LiveCounters } from "./counters.ts";
import { withCursor } from "./delivery.ts";
import { type LastPoll, type LiveQueryEntry, lastPollOf, liveQueryEntry } from "./list-entry.ts";
import type { LiveQuery, LiveStatement, SubscriptionKind } from "./live-query.ts";
import { measurePoll, type PollDetail, pollDetail } from "./poll-report.ts";
import { Poller, type PollSettings } from "./poller.ts";

export type LiveSettings = Readonly<Record<SubscriptionKind, PollSettings>>;

/** So many subscriptions are planned anew before other work gets its turn. */
const plannedAtOnce = 100;

/** A subscription, and how it is planned for the schema as it is then. */
export interface Subscribable {
  readonly query: LiveQuery;
  /** @throws EngineError when it is not valid any more */
  readonly replan: () => LiveQuery;
}

interface Entry {
  readonly poller: Poller;
  readonly statement: LiveStatement;
  /** `null`: it has not asked again yet. */
  lastPoll: LastPoll | null;
}

/** A subscription whose poller has been retired. */
interface Moving {
  readonly subscriber: Subscriber;
  /** What it was polled with. */
  readonly before: LiveQuery;
}

export interface LiveParts {
  readonly settings: LiveSettings;
  readonly continuity: Continuity;
  /** That of the system unless given. */
  readonly clock?: Clock;
  /** Called after each poll; absent: nobody wants to know. */
  readonly onPoll?: (detail: PollDetail) => void;
  /** Absent: nobody reads them. */
  readonly meters?: Meters;
}

export class LiveQueries {
  readonly #settings: LiveSettings;
  readonly #continuity: Continuity;
  readonly #clock: Clock;
  readonly #onPoll: LiveParts["onPoll"];
  readonly #meters: Meters;
  #entries = new Map<DatabaseSource, Map<string, Entry>>();
  readonly #counting = { live: new KindCounting(), stream: new KindCounting() };

  constructor({ settings, continuity, clock = systemClock, onPoll, meters = noMeters }: LiveParts) {
    this.#settings = settings;
    this.#continuity = continuity;
    this.#clock = clock;
    this.#onPoll = onPoll;
    this.#meters = meters;
    meters.onRead(() => {
      for (const [kind, { activePollers, pollersInErrorState }] of Object.entries(this.#counting)) {
        const labels = { subscription_kind: kind === "live" ? "live-query" : "streaming" };
        meters.pollers.set(activePollers, labels);
        meters.failingPollers.set(pollersInErrorState, labels);
      }
    });
  }

  get counters(): LiveCounters {
    return this.#counting;
  }

  /** Those that run now, the statements with most subscriptions first. */
  list(): readonly LiveQueryEntry[] {
    return [...this.#entries.values()]
      .flatMap((ofSource) => [...ofSource.values()])
      .map(({ poller, statement, lastPoll }) => liveQueryEntry(statement, poller.subscribers, lastPoll))
      .sort((one, other) => other.subscribers - one.subscribers);
  }

  /**
   * Delivers answers to the sink until it is stopped; resolves when there is a first one.
   * @throws EngineError when there is none; then the sink is never called
   */
  async subscribe({ query, replan }: Subscribable, sink: SubscriptionSink): Promise<Subscription> {
    const { kind } = query.statement;
    const beginning = { hasEnded: false, seen: null, after: 0, waiting: null, leave: null };
    const subscriber: Subscriber = { sink, replan, kind, ...beginning };
    const first = new Promise<void>((resolve, reject) => {
      subscriber.waiting = { resolve, reject };
    });
    this.#counting[kind].activeSubscriptions++;
    this.#join(subscriber, query);
    try {
      await first;
    } catch (error) {
      this.#end(subscriber);
      throw error;
    }
    return { stop: () => this.#end(subscriber) };
  }

  /** Plans everything anew; what is not valid any more ends with an error. */
  async metadataChanged(): Promise<void> {
    const entries = [...this.#entries.values()].flatMap((ofSource) => [...ofSource.values()]);
    this.#entries = new Map();
    const moving = entries.flatMap(({ poller, statement }) =>
      poller.retire().map(([subscriber, values]): Moving => ({ subscriber, before: { statement, values } })),
    );
    for (const [i, each] of moving.entries()) {
      if (i > 0 && i % plannedAtOnce === 0) await nextTurn();
      if (!each.subscriber.hasEnded) this.#move(each);
    }
  }

  #move({ subscriber, before }: Moving): void {
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
    this.#counting[subscriber.kind].activeSubscriptions--;
    this.#counting[statement.kind].activeSubscriptions++;
    subscriber.kind = statement.kind;
    const { cursor } = before.statement;
    // A stream goes on where it was.
    const goesOn = cursor !== undefined && cursor.of === statement.cursor?.of;
    const values = goesOn ? withCursor(query.values, statement, before.values[cursor.value]) : query.values;
    this.#join(subscriber, { ...query, values });
  }

  #end(subscriber: Subscriber): void {
    if (subscriber.hasEnded) return;
    subscriber.hasEnded = true;
    subscriber.leave?.();
    this.#counting[subscriber.kind].activeSubscriptions--;
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
      counters: this.#counting[kind],
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
