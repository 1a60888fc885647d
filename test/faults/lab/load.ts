/** A mixed load that remembers what was acknowledged, and how long everything took. */
import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { type Answer, Follower, graphql, request } from "./client.ts";
import type { Row } from "./cluster.ts";
import { within } from "./processes.ts";
import { ledgerStream, liveCounter, read, write } from "./tables.ts";

export interface LoadSettings {
  readonly writers?: number;
  readonly readers?: number;
  /** Readers of the REST endpoint. */
  readonly restReaders?: number;
  readonly followers?: number;
  /** Between two requests of a client. */
  readonly pause?: number;
}

type Kind = "write" | "read";

interface Done {
  readonly kind: Kind;
  readonly began: number;
  readonly answer: Answer;
}

/** Asks the database, past everything that is broken. */
export type Ask = (sql: string, values?: readonly unknown[]) => Promise<readonly Row[]>;

export interface LoadFigures {
  readonly requests: number;
  readonly failed: number;
  readonly failedReads: number;
  /** In milliseconds, also of requests that have no answer yet. */
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

  /** @param urls of the servers that the clients are spread over */
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
      // One in five follows a stream; ids of rows are never less than the counter.
      this.#followers.push(new Follower(this.#url(n), n % 5 === 4 ? ledgerStream : liveCounter));
    }
  }

  /** Resolves when every request has its answer, or after some time. */
  async stop(patience = 10_000): Promise<void> {
    this.#isStopped = true;
    await Promise.race([Promise.all(this.#running), delay(patience, undefined, { ref: false })]);
  }

  close(): void {
    this.#isStopped = true;
    for (const follower of this.#followers) follower.close();
  }

  /** Whether every client got a good answer to a request that it sent after a moment. */
  hasRecoveredSince(moment: number): boolean {
    return this.#workers.every(({ latestSuccess }) => latestSuccess > moment);
  }

  /** Whether every subscription has seen a value at least that new. */
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

  /** What failed requests were answered, each text once. */
  failures(): readonly string[] {
    return [
      ...new Set(this.#done.filter(({ answer }) => !answer.isGood).map(({ answer }) => answer.text.slice(0, 200))),
    ];
  }

  /** Milliseconds that good answers took, sorted; those before are forgotten. */
  takeTimes(): { readonly times: readonly number[]; readonly failed: number } {
    const done = this.#done;
    this.#done = [];
    const good = done.filter(({ answer }) => answer.isGood);
    return {
      times: good.map(({ answer }) => answer.milliseconds).sort((a, b) => a - b),
      failed: done.length - good.length,
    };
  }

  /** What is wrong with what the database holds, once the load has stopped, and with what subscriptions saw of it. */
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
      // A client that is refused does not come back at once.
      await delay(answer.isGood ? this.#settings.pause : 100);
    }
  }
}
