/** A mixed load that records acknowledged writes and latencies. */
import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { type Answer, Follower, graphql, request } from "./client.ts";
import type { Row } from "./cluster.ts";
import { within } from "./processes.ts";
import { ledgerStream, liveCounter, read, write } from "./tables.ts";

export interface LoadSettings {
  readonly writers?: number;
  readonly readers?: number;
  /** Number of readers of the REST endpoint. */
  readonly restReaders?: number;
  readonly followers?: number;
  /** Pause between two requests of a client, in milliseconds. */
  readonly pause?: number;
}

type Kind = "write" | "read";

interface Done {
  readonly kind: Kind;
  readonly began: number;
  readonly answer: Answer;
}

/** Queries the database directly, bypassing all faults. */
export type Ask = (sql: string, values?: readonly unknown[]) => Promise<readonly Row[]>;

export interface LoadFigures {
  readonly requests: number;
  readonly failed: number;
  readonly failedReads: number;
  /** Longest latency in milliseconds, including requests without a response so far. */
  readonly longestWait: number;
}

export class Load {
  readonly #urls: readonly string[];
  readonly #settings: Required<LoadSettings>;
  readonly #followers: Follower[] = [];
  readonly #workers: { latestSuccess: number }[] = [];
  readonly #running = new Set<Promise<void>>();
  readonly #open = new Map<object, number>();
  readonly #acknowledged: string[] = [];
  #done: Done[] = [];
  #isStopped = false;

  /** Starts the clients. @param urls servers among which the clients are distributed */
  constructor(urls: readonly string[], settings: LoadSettings = {}) {
    this.#urls = urls;
    this.#settings = { writers: 3, readers: 4, restReaders: 1, followers: 5, pause: 20, ...settings };
  }

  start(): void {
    const { writers, readers, restReaders, followers } = this.#settings;
    const asking = (url: string) => () => graphql(url, read, { shelf: Math.floor(Math.random() * 50) });
    const resting = (url: string) => () => request(url, { path: "/api/rest/shelf/7", method: "GET" });
    for (let n = 0; n < writers; n++) this.#work("write", () => this.#write(this.#url(n)));
    for (let n = 0; n < readers; n++) this.#work("read", asking(this.#url(n)));
    for (let n = 0; n < restReaders; n++) this.#work("read", resting(this.#url(n)));
    for (let n = 0; n < followers; n++) {
      // One in five is a stream, whose row ids are never less than the counter.
      this.#followers.push(new Follower(this.#url(n), n % 5 === 4 ? ledgerStream : liveCounter));
    }
  }

  /** Stops the load. Resolves when every request has its response, or after `patience` milliseconds. */
  async stop(patience = 10_000): Promise<void> {
    this.#isStopped = true;
    await Promise.race([Promise.all(this.#running), delay(patience, undefined, { ref: false })]);
  }

  close(): void {
    this.#isStopped = true;
    for (const follower of this.#followers) follower.close();
  }

  /** Returns whether every client received a good response to a request sent after `moment`. */
  hasRecoveredSince(moment: number): boolean {
    return this.#workers.every(({ latestSuccess }) => latestSuccess > moment);
  }

  /** Returns whether every subscription has received this value or a newer one. */
  hasSeen(value: number): boolean {
    return this.#followers.every(({ latest }) => latest >= value);
  }

  figures(since = 0): LoadFigures {
    const done = this.#done.filter(({ began, answer }) => began + answer.milliseconds >= since);
    const failed = done.filter(({ answer }) => !answer.isGood);
    const now = performance.now();
    const waits = [...done.map(({ answer }) => answer.milliseconds), ...[...this.#open.values()].map((at) => now - at)];
    return {
      requests: done.length,
      failed: failed.length,
      failedReads: failed.filter(({ kind }) => kind === "read").length,
      longestWait: waits.reduce((most, wait) => Math.max(most, wait), 0),
    };
  }

  /** Returns the number of failed requests that overlap no outage. */
  failuresOutside(outages: readonly { readonly from: number; readonly to: number }[], since: number): number {
    return this.#done.filter(({ began, answer }) => {
      const ended = began + answer.milliseconds;
      return !answer.isGood && ended >= since && !outages.some(({ from, to }) => began <= to && ended >= from);
    }).length;
  }

  /** Returns the distinct responses of failed requests. */
  failures(): readonly string[] {
    return [
      ...new Set(this.#done.filter(({ answer }) => !answer.isGood).map(({ answer }) => answer.text.slice(0, 200))),
    ];
  }

  /**
   * Returns the sorted latencies in milliseconds of successful requests since the last call, and the number of failed
   * ones.
   */
  takeTimes(): { readonly times: readonly number[]; readonly failed: number } {
    const done = this.#done;
    this.#done = [];
    const good = done.filter(({ answer }) => answer.isGood);
    return {
      times: good.map(({ answer }) => answer.milliseconds).sort((a, b) => a - b),
      failed: done.length - good.length,
    };
  }

  /** Checks the contents of the database after the load has stopped, and the results that subscriptions received. */
  async faultsOf(ask: Ask, freshness = 5000): Promise<readonly string[]> {
    const [state] = await ask(
      `select count(*)::int as rows, (select value::int from counter) as counter,
        (select count(*)::int from (select key from ledger group by key having count(*) > 1) d) as doubled,
        (select count(*)::int from unnest($1::text[]) a(key) where not exists (select from ledger l where l.key = a.key)) as lost
      from ledger`,
      [this.#acknowledged],
    );
    const faults: string[] = [];
    const { rows, counter, doubled, lost } = state ?? {};
    if (lost !== 0) faults.push(`${lost} of ${this.#acknowledged.length} acknowledged writes are lost`);
    if (doubled !== 0) faults.push(`${doubled} writes were done twice`);
    if (rows !== counter) faults.push(`${rows} rows, but the counter is ${counter}: half a transaction was kept`);
    if (this.#acknowledged.length === 0 && this.#settings.writers > 0) faults.push("no write was acknowledged");
    if (!(await within(freshness, () => this.hasSeen(Number(counter))))) {
      const stale = this.#followers.filter(({ latest }) => latest < Number(counter));
      const seen = stale.map(({ latest }) => latest).join(", ");
      faults.push(`${stale.length} of ${this.#followers.length} subscriptions are stale: ${seen} of ${counter}`);
    }
    return faults;
  }

  #url(number: number): string {
    return this.#urls[number % this.#urls.length] ?? "";
  }

  async #write(url: string): Promise<Answer> {
    const key = randomUUID();
    const answer = await graphql(url, write, { key });
    if (answer.isGood) this.#acknowledged.push(key);
    return answer;
  }

  #work(kind: Kind, send: () => Promise<Answer>): void {
    const worker = { latestSuccess: 0 };
    this.#workers.push(worker);
    const running = this.#loop(kind, send, worker);
    this.#running.add(running);
    void running.finally(() => this.#running.delete(running));
  }

  async #loop(kind: Kind, send: () => Promise<Answer>, worker: { latestSuccess: number }): Promise<void> {
    while (!this.#isStopped) {
      const began = performance.now();
      this.#open.set(worker, began);
      const answer = await send();
      this.#open.delete(worker);
      this.#done.push({ kind, began, answer });
      if (answer.isGood) worker.latestSuccess = began;
      // A client whose request failed pauses before the next one.
      await delay(answer.isGood ? this.#settings.pause : 100);
    }
  }
}
