/**
 * The effect of a signal on a server with work in progress: the live server and an artifact, each in a separate
 * process.
 */
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { engine } from "../support/artifact.ts";
import { createDatabase, query, type TestDatabase } from "../support/database.ts";
import { type EngineProcess, startEngine } from "../support/engine-process.ts";
import { ensureBuilt } from "../support/shared-checks.ts";
import { WebsocketClient } from "../support/websocket.ts";

const timeoutSeconds = 2;

let source: TestDatabase;
let metadata: TestDatabase;
let folder: string;
let server: EngineProcess;

const nap = (name: string) => ({
  function: name,
  configuration: { exposed_as: "mutation" },
});

const catalog = {
  version: 3,
  sources: [
    {
      name: "default",
      kind: "postgres",
      configuration: { connection_info: { database_url: { from_env: "ENGINE_GRAPHQL_DATABASE_URL" } } },
      tables: [{ table: { schema: "public", name: "note" } }],
      functions: [nap("write_slowly"), { function: "read_slowly" }],
    },
  ],
};

beforeAll(async () => {
  await ensureBuilt();
  [source, metadata] = [await createDatabase("shutdown"), await createDatabase("shutdown_metadata")];
  await query(
    source.url,
    `create table note (id serial primary key, text text);
     create function read_slowly(seconds float8) returns setof note language sql stable
       as 'select note.* from pg_sleep(seconds) cross join note where note.id = 1';
     create function write_slowly(seconds float8) returns setof note language plpgsql as
       'begin insert into note (text) values (''written''); perform pg_sleep(seconds); return query select * from note; end';
     insert into note (text) values ('first')`,
  );
  folder = await mkdtemp(join(tmpdir(), "shutdown-"));
}, 120_000);

afterEach(async () => {
  server.child.kill("SIGKILL");
  await server.ended;
  await query(
    source.url,
    "select pg_terminate_backend(pid) from pg_stat_activity where query like '%_slowly%' and pid <> pg_backend_pid()",
  );
  await query(source.url, "delete from note where id > 1");
});

afterAll(async () => {
  await Promise.all([source?.drop(), metadata?.drop()]);
  await rm(folder, { recursive: true, force: true });
});

async function start(): Promise<void> {
  server = await startEngine({
    ENGINE_GRAPHQL_DATABASE_URL: source.url,
    ENGINE_GRAPHQL_METADATA_DATABASE_URL: metadata.url,
    ENGINE_GRAPHQL_GRACEFUL_SHUTDOWN_TIMEOUT: String(timeoutSeconds),
  });
  const answer = await fetch(`${server.url}/v1/metadata`, {
    method: "POST",
    body: JSON.stringify({ type: "replace_metadata", args: catalog }),
  });
  expect(await answer.json()).toMatchObject({ message: "success" });
}

async function ask(text: string): Promise<unknown> {
  const answer = await fetch(`${server.url}/v1/graphql`, { method: "POST", body: JSON.stringify({ query: text }) });
  return answer.json();
}

const read = (seconds: number) => `{ read_slowly(args: {seconds: ${seconds}}) { text } }`;
const write = (seconds: number) => `mutation { write_slowly(args: {seconds: ${seconds}}) { text } }`;

/** Returns the number of sleeping statements in the database. */
async function sleeping(): Promise<number> {
  const text = `select 1 from pg_stat_activity
    where datname = current_database() and state = 'active' and query like '%_slowly%' and pid <> pg_backend_pid()`;
  return (await query(source.url, text)).length;
}

/** Resolves when no new connections are accepted. */
async function closed(): Promise<void> {
  const connecting = () =>
    new Promise((resolve) => {
      const socket = connect(server.port, "127.0.0.1", () => resolve(socket.destroy()));
      socket.on("error", () => resolve("refused"));
    });
  await expect.poll(connecting, { interval: 20 }).toBe("refused");
}

const cutOff = { errors: [{ message: "the server is shutting down", extensions: { path: "$", code: "unexpected" } }] };

describe.each([
  ["the live server", start],
  ["an artifact", startSealed],
])("Shutdown of %s", (_name, startServer) => {
  it("A shutdown cancels running statements at its deadline and reports it to their callers", async () => {
    await startServer();
    const answers = [ask(read(60)), ask(read(60)), ask(write(60))];
    await expect.poll(sleeping, { timeout: 10_000 }).toBe(3);
    const signalled = performance.now();
    server.child.kill("SIGTERM");
    expect(await Promise.all(answers)).toEqual([cutOff, cutOff, cutOff]);
    const { code, at } = await server.ended;
    expect(code).toBe(0);
    expect(at - signalled).toBeGreaterThan(timeoutSeconds * 1000);
    expect(at - signalled).toBeLessThan(timeoutSeconds * 1000 + 3000);
    expect(await sleeping()).toBe(0);
    expect(await query(source.url, "select text from note")).toEqual([{ text: "first" }]);
    const line = server.log().find((each) => each.includes("work was cut off"));
    expect(JSON.parse(line ?? "{}").detail.requests).toMatchObject([1, 2, 3].map(() => ({ path: "/v1/graphql" })));
    expect(server.log().join()).toContain("3 statements were cancelled");
  }, 60_000);

  it("A shutdown completes short requests and is not ready in the meantime", async () => {
    await startServer();
    // The client keeps this connection open, so that the probe needs no new one.
    const probe = connect(server.port, "127.0.0.1");
    let heard = "";
    probe.setEncoding("latin1").on("data", (text) => (heard += text));
    const get = "GET /readyz HTTP/1.1\r\nhost: localhost\r\n";
    // The head is not complete, so the server waits for more.
    probe.write(get);
    const silent = connect(server.port, "127.0.0.1");
    const silenced = once(silent, "close");
    await Promise.all([once(probe, "connect"), once(silent, "connect")]);
    const answer = ask(read(1));
    await expect.poll(sleeping, { timeout: 10_000 }).toBe(1);
    server.child.kill("SIGTERM");
    await closed();
    probe.write("\r\n");
    await expect.poll(() => heard).toContain("503");
    expect(heard).toContain('"shutting down"');
    expect(heard.toLowerCase()).toContain("connection: close");
    await silenced;
    expect(await answer).toEqual({ data: { read_slowly: [{ text: "first" }] } });
    expect((await server.ended).code).toBe(0);
    expect(server.log().join()).not.toContain("cut off");
  }, 60_000);

  it("A shutdown closes WebSockets after their operations complete", async () => {
    await startServer();
    const client = await WebsocketClient.open(server.url, { protocol: "graphql-transport-ws" });
    client.send({ type: "connection_init" });
    client.send({ type: "subscribe", id: "1", payload: { query: read(0.5) } });
    await expect.poll(sleeping, { timeout: 10_000 }).toBe(1);
    server.child.kill("SIGTERM");
    const messages: string[] = [];
    client.ws.on("message", (data: Buffer) => messages.push(data.toString("utf8")));
    expect((await client.closed).code).toBe(1012);
    expect((await server.ended).code).toBe(0);
  }, 60_000);

  it("A second signal ends the server at once", async () => {
    await startServer();
    const answer = ask(read(60)).catch(() => "no answer");
    await expect.poll(sleeping, { timeout: 10_000 }).toBe(1);
    server.child.kill("SIGTERM");
    await closed();
    server.child.kill("SIGTERM");
    expect((await server.ended).code).toBe(143);
    expect(await answer).toBe("no answer");
  }, 60_000);
});

let artifact: string | undefined;

async function startSealed(): Promise<void> {
  const environment = { ENGINE_GRAPHQL_DATABASE_URL: source.url };
  if (artifact === undefined) {
    await writeFile(join(folder, "metadata.json"), JSON.stringify(catalog));
    artifact = join(folder, "artifact");
    const shape = await engine(["shape", "--database", source.url, "--out", "shape.json"], folder);
    expect(shape).toMatchObject({ code: 0 });
    const built = await engine(
      ["build", "--metadata", "metadata.json", "--shape", "shape.json", "--out", artifact],
      folder,
    );
    expect(built).toMatchObject({ code: 0, stderr: "" });
  }
  server = await startEngine({ ...environment, ENGINE_GRAPHQL_GRACEFUL_SHUTDOWN_TIMEOUT: String(timeoutSeconds) }, [
    join(artifact, "server.mjs"),
  ]);
}
