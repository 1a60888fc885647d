/** Connections to a server of several processes, each of them to one of its workers for as long as it is open. */
import { randomUUID } from "node:crypto";
import { Agent, request } from "node:http";
import { vi } from "vitest";
import type { EngineProcess } from "./engine-process.ts";

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}

export type Asked = Readonly<Record<string, string>>;

/** One connection that is kept between requests; a new one takes its place when it is closed. */
export class WorkerConnection {
  readonly #url: string;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1, keepAliveMsecs: 60_000 });

  constructor(url: string) {
    this.#url = url;
  }

  /** Rejects where the connection is cut, or nothing is answered within 20 seconds. */
  send(path: string, body: unknown, headers: Asked = {}): Promise<Answer> {
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

  async graphql(query: string, headers: Asked = {}): Promise<unknown> {
    return JSON.parse((await this.send("/v1/graphql", { query }, headers)).text);
  }

  async metadata(type: string, args: unknown, headers: Asked = {}): Promise<unknown> {
    return JSON.parse((await this.send("/v1/metadata", { type, args }, headers)).text);
  }

  close(): void {
    this.#agent.destroy();
  }
}

/** Which worker answers on a connection, by the log. */
export async function workerOf(server: EngineProcess, connection: WorkerConnection, headers: Asked = {}) {
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
 * The process of a worker, by the log: that of the newest one with this number that got ready. Waits for the first.
 * Never 0, which as a process to end stands for those of the tests themselves.
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
