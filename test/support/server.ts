/** A real engine on a real socket, with databases of its own. */
import { startServer } from "../../runtime/cli/server.ts";
import type { Environment } from "../../runtime/config/options.ts";
import { parseOptions } from "../../runtime/config/options.ts";
import { createLog } from "../../runtime/observe/log.ts";
import { createDatabase } from "./database.ts";

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  readonly json: any;
}

export interface TestServer {
  readonly url: string;
  /** The source `default`. */
  readonly databaseUrl: string;
  readonly metadataUrl: string;
  readonly log: readonly string[];
  post(path: string, body: unknown, headers?: Record<string, string>): Promise<Answer>;
  /** One operation of `/v1/metadata`; fails the test unless it succeeds. */
  metadata(type: string, args: unknown): Promise<unknown>;
  graphql(query: string, headers?: Record<string, string>, variables?: unknown): Promise<unknown>;
  /** Ends the server; its databases stay, for another server on them. */
  stop(): Promise<void>;
  /** Ends the server and drops its databases. */
  close(): Promise<void>;
}

export interface TestServerSettings {
  readonly environment?: Environment;
  /** Databases of an earlier server. */
  readonly on?: Pick<TestServer, "databaseUrl" | "metadataUrl">;
}

export async function startTestServer({ environment = {}, on }: TestServerSettings = {}): Promise<TestServer> {
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
    demo: false,
  });
  const url = `http://127.0.0.1:${server.port}`;
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
    post,
    async metadata(type, args) {
      const answer = await post("/v1/metadata", { type, args });
      if (answer.status !== 200) throw new Error(`${type}: ${answer.status} ${answer.text}`);
      return answer.json;
    },
    async graphql(query, headers, variables) {
      return (await post("/v1/graphql", { query, variables }, headers)).json;
    },
    stop: () => server.close(),
    async close() {
      await server.close();
      for (const database of created) await database.drop();
    },
  };
}
