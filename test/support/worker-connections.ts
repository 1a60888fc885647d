/** Connections to a server of several processes. Each connection stays with one worker while it is open. */
import { randomUUID } from "node:crypto";
import { Agent, request } from "node:http";
import { vi } from "vitest";
import type { EngineProcess } from "./engine-process.ts";

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}

export type RequestHeaders = Readonly<Record<string, string>>;

/** One connection that is reused for requests, and replaced when it is closed. */
export class WorkerConnection {
  readonly #url: string;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1, keepAliveMsecs: 60_000 });

  constructor(url: string) {
    this.#url = url;
  }

  /** Rejects if the connection is cut, or no response arrives within 20 seconds. */
  send(path: string, body: unknown, headers: RequestHeaders = {}): Promise<Answer> {
    const method = body === undefined ? "GET" : "POST";
    return new Promise((resolve, reject) => {
      const sent = request(`${this.#url}${path}`, { agent: this.#agent, method, headers }, (response) => {
        let text = "";
        response.setEncoding("utf8").on("data", (piece) => (text += piece));
        response.on("error", reject);
        response.on("end", () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }));
      });
      sent.setTimeout(20_000, () => sent.destroy(new Error("nothing was answered within 20 seconds")));
      sent.on("error", reject);
      sent.end(body === undefined ? undefined : JSON.stringify(body));
    });
  }

  async graphql(query: string, headers: RequestHeaders = {}): Promise<unknown> {
    return JSON.parse((await this.send("/v1/graphql", { query }, headers)).text);
  }

  async metadata(type: string, args: unknown, headers: RequestHeaders = {}): Promise<unknown> {
    return JSON.parse((await this.send("/v1/metadata", { type, args }, headers)).text);
  }

  close(): void {
    this.#agent.destroy();
  }
}

/** Returns the worker that serves a connection, by the log. */
export async function workerOf(server: EngineProcess, connection: WorkerConnection, headers: RequestHeaders = {}) {
  const id = randomUUID();
  await connection.graphql("{ __typename }", { ...headers, "x-request-id": id });
  for (;;) {
    const line = server.log().find((each) => each.includes(id));
    if (line !== undefined) return (JSON.parse(line) as { readonly worker: number }).worker;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

interface WorkerLine {
  readonly worker: number;
  readonly detail: { readonly info: { readonly pid: number } };
}

/**
 * Returns the process id of a worker, by the log: that of the newest worker with this number that became ready. Waits
 * for the first. Never 0, which as a target of a signal means the process group of the tests.
 */
export function pidOf(server: Pick<EngineProcess, "log">, worker: number): Promise<number> {
  const find = (): number => {
    const ready = server.log().filter((line) => line.includes('"kind":"worker"'));
    const lines = ready.map((line) => JSON.parse(line) as WorkerLine);
    const newest = lines.findLast((line) => line.worker === worker);
    if (newest === undefined) throw new Error(`worker ${worker} did not get ready`);
    return newest.detail.info.pid;
  };
  return vi.waitFor(find, { timeout: 30_000 });
}
