/**
 * A real engine on a real socket, with its own databases. With TEST_SEALED=1 in the environment (`npm run
 * test:sealed`), or if a test requests it, sealed artifacts of its metadata serve data requests.
 */
import { librarySample } from "../../runtime/cli/demo.ts";
import { version } from "../../runtime/cli/version.ts";
import type { Environment } from "../../runtime/config/options.ts";
import { parseOptions } from "../../runtime/config/options.ts";
import { createLog } from "../../runtime/observe/logs/log.ts";
import { startServer } from "../../runtime/server/live/start-server.ts";
import { createDatabase } from "./database.ts";
import { type SealingCounts, startSealingFront } from "./sealing-front.ts";
import { ensureBuilt } from "./shared-checks.ts";

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  readonly json: any;
}

export interface TestServer {
  readonly url: string;
  /** URL of the source `default`. */
  readonly databaseUrl: string;
  readonly metadataUrl: string;
  readonly log: readonly string[];
  /** Numbers of data requests so far, by serving program; absent if artifacts serve none. */
  readonly sealing?: SealingCounts;
  post(path: string, body: unknown, headers?: Record<string, string>): Promise<Answer>;
  /** Runs one operation of `/v1/metadata`. Fails the test unless it succeeds. */
  metadata(type: string, args: unknown): Promise<unknown>;
  graphql(query: string, headers?: Record<string, string>, variables?: unknown): Promise<unknown>;
  /** Stops the server; its databases remain for another server. */
  stop(): Promise<void>;
  /** Stops the server and drops its databases. */
  close(): Promise<void>;
}

export interface TestServerSettings {
  readonly environment?: Environment;
  /** Databases of an earlier server. */
  readonly on?: Pick<TestServer, "databaseUrl" | "metadataUrl">;
  /** True if sealed artifacts serve data requests. */
  readonly sealed?: boolean;
  /** True if the databases contain the sample library of `--demo`. */
  readonly sample?: boolean;
}

/** If true, tests of metadata changes and open connections are skipped, since an artifact does not change. */
export const isSealed = process.env.TEST_SEALED === "1";

export async function startTestServer(settings: TestServerSettings = {}): Promise<TestServer> {
  const { environment = {}, on, sealed = isSealed, sample = false } = settings;
  const created = on ? [] : [await createDatabase(), await createDatabase()];
  const databaseUrl = on?.databaseUrl ?? created[0]?.url ?? "";
  const metadataUrl = on?.metadataUrl ?? created[1]?.url ?? "";
  const variables = {
    ENGINE_GRAPHQL_DATABASE_URL: databaseUrl,
    ENGINE_GRAPHQL_METADATA_DATABASE_URL: metadataUrl,
    ENGINE_GRAPHQL_SERVER_HOST: "127.0.0.1",
    ENGINE_GRAPHQL_SERVER_PORT: "0",
    ...environment,
  };
  const log: string[] = [];
  const options = parseOptions({}, variables);
  const server = await startServer({
    options,
    environment: variables,
    log: createLog(options, { write: (line) => void log.push(line) }),
    version,
    sample: sample ? librarySample : null,
  });
  const live = `http://127.0.0.1:${server.port}`;
  if (sealed) await ensureBuilt();
  const front = sealed
    ? await startSealingFront({ live, environment: variables, onLog: (line) => log.push(`${line}\n`) })
    : undefined;
  const url = front?.url ?? live;
  const stop = async (): Promise<void> => {
    await front?.close();
    await server.close();
  };
  const post = async (path: string, body: unknown, headers: Record<string, string> = {}): Promise<Answer> => {
    const response = await fetch(`${url}${path}`, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: typeof body === "string" ? body : JSON.stringify(body),
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, text, json: JSON.parse(text) };
  };
  return {
    url,
    databaseUrl,
    metadataUrl,
    log,
    ...(front && { sealing: front.counts }),
    post,
    async metadata(type, args) {
      const answer = await post("/v1/metadata", { type, args });
      if (answer.status !== 200) throw new Error(`${type}: ${answer.status} ${answer.text}`);
      return answer.json;
    },
    async graphql(query, headers, variables) {
      return (await post("/v1/graphql", { query, variables }, headers)).json;
    },
    stop,
    async close() {
      await stop();
      for (const database of created) await database.drop();
    },
  };
}
