/** The instructions of `docs/how-to/tracing.md` are carried out: its collector receives the spans that the page shows. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createDatabase, type TestDatabase } from "../../support/database.ts";
import { type OtlpReceiver, startOtlpReceiver } from "../../support/otlp-receiver.ts";
import { startTestServer, type TestServer } from "../../support/server.ts";
import { root } from "../../support/shared-checks.ts";
import { type StatementLog, startStatementLog } from "../../support/statement-log.ts";

const page = await readFile(join(root, "docs/how-to/tracing.md"), "utf8");
const [, address = ""] = /OTEL_ENDPOINT=(\S+) npm start/.exec(page) ?? [];
const commands = [...page.matchAll(/```sh\n(curl .*?)```/gs)].map(([, command = ""]) => command);
const [, comment = ""] = /```sql\n(.*?)\n```/s.exec(page) ?? [];

let collector: OtlpReceiver;
let database: TestDatabase;
let log: StatementLog;
let server: TestServer;

beforeAll(async () => {
  collector = await startOtlpReceiver();
  database = await createDatabase();
  log = await startStatementLog(database.url);
  expect(address).toBe("http://localhost:4318");
  server = await startTestServer({
    sealed: false,
    environment: { OTEL_ENDPOINT: collector.url, ENGINE_GRAPHQL_DATABASE_URL: log.url },
  });
  await server.post("/v2/query", { type: "run_sql", args: { sql: "create table author (id int primary key)" } });
  await server.metadata("pg_track_table", { table: "author" });
}, 60_000);

afterAll(async () => {
  await server?.close();
  await collector?.close();
  await log?.close();
  await database?.drop();
});

describe("The page about traces", () => {
  it("The traces page has three commands", () => expect(commands).toHaveLength(3));

  it.each(commands)("The command on the traces page works: %s", async (command) => {
    const [, path = ""] = /http:\/\/localhost:8080(\S+)/.exec(command) ?? [];
    const [, body = ""] = /-d '([^']*)'/s.exec(command) ?? [];
    const [, name = "accept", value = "*/*"] = /-H '([^:]*): ([^']*)'/.exec(command) ?? [];
    const { status, text } = await server.post(path, body, { [name]: value });
    expect(status, text).toBe(200);
    expect(text).not.toContain('"errors"');
  });

  it("The comment on the traces page matches a real statement", async () => {
    await server.graphql("query Authors { author { id } }");
    const form = comment.replace(/=[0-9a-f]{40}/, "=HASH");
    const statement = log.statements.findLast((text) => text.includes("author")) ?? "";
    expect(statement.replace(/=[0-9a-f]{40}/, "=HASH").endsWith(form)).toBe(true);
  });

  it("The commands of the traces page export traces, logs and metrics", async () => {
    await server.metadata("set_opentelemetry_status", "disabled");
    const trace = /traceparent: 00-(\w{32})/.exec(page)?.[1];
    const waiting = { timeout: 20_000, interval: 100 };
    await expect.poll(() => collector.spans.some(({ traceId }) => traceId === trace), waiting).toBe(true);
    expect(collector.spans.find(({ traceId }) => traceId === trace)?.resource).toMatchObject({
      "deployment.environment.name": "staging",
    });
    await expect.poll(() => collector.logs.length, waiting).toBeGreaterThan(0);
    await expect.poll(() => collector.metrics.size, waiting).toBeGreaterThan(10);
  });

  it("The traces page names the attributes of spans", async () => {
    const spans = collector.spans.filter(({ kind }) => kind === 2);
    expect(spans.length).toBeGreaterThan(0);
    for (const name of Object.keys(spans[0]?.attributes ?? {})) {
      const listed = page.includes(`\`${name}\``) || page.includes(`\`${name.split(".")[0]}.*\``);
      expect(listed, name).toBe(true);
    }
  });
});
