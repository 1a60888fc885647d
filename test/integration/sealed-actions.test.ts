/** Asynchronous actions of sealed artifacts: they run with a metadata database, and are reported without one. */

import { mkdtemp, rm, writeFile } from "node:fs/promises";
import type { ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, expect, it, vi } from "vitest";
import { type ActionHandlerServer, startActionHandler } from "../support/action-handler.ts";
import { type ArtifactProcess, engine, startArtifact } from "../support/artifact.ts";
import { createDatabase, query, type TestDatabase } from "../support/database.ts";
import { ensureBuilt } from "../support/shared-checks.ts";

let folder: string;
let database: TestDatabase;
let handler: ActionHandlerServer;
let answer: (response: ServerResponse) => void;
const servers: ArtifactProcess[] = [];

beforeAll(async () => {
  await ensureBuilt();
  folder = await mkdtemp(join(tmpdir(), "sealed-actions-"));
  database = await createDatabase("sealed_actions");
  handler = await startActionHandler((_, response) => answer(response));
  const definition = {
    handler: `http://127.0.0.1:${handler.port}`,
    type: "mutation",
    kind: "asynchronous",
    output_type: "Int",
  };
  const permissions = [{ role: "user" }];
  const repeated = { ...definition, retry_conf: { num_retries: 1, interval_sec: 0 } };
  const actions = [
    { name: "say", definition, permissions },
    { name: "say_again", definition: repeated, permissions },
  ];
  const metadata = { version: 3, sources: [], actions };
  await writeFile(join(folder, "metadata.json"), JSON.stringify(metadata));
  const built = await engine(["build", "--metadata", "metadata.json", "--out", join(folder, "artifact")], folder);
  expect(built).toMatchObject({ code: 0, stdout: expect.stringMatching(/--metadata-database-url: say, say_again\n$/) });
}, 120_000);

afterEach(async () => {
  for (const server of servers.splice(0)) await server.stop();
});

afterAll(async () => {
  await handler?.close();
  await database?.drop();
  await rm(folder, { recursive: true, force: true });
});

async function start(environment: Readonly<Record<string, string>> = {}): Promise<ArtifactProcess> {
  const server = await startArtifact(join(folder, "artifact"), { environment });
  servers.push(server);
  return server;
}

const kept = () => ({ ENGINE_GRAPHQL_METADATA_DATABASE_URL: database.url });

async function ask({ url }: ArtifactProcess, text: string, headers: Readonly<Record<string, string>> = {}) {
  const body = JSON.stringify({ query: text });
  const response = await fetch(`${url}/v1/graphql`, { method: "POST", body, headers });
  return JSON.parse(await response.text());
}

const outputOf = async (server: ArtifactProcess, id: string, headers?: Readonly<Record<string, string>>) =>
  (await ask(server, `{ say(id: "${id}") { output } }`, headers)).data.say?.output;

it("Asynchronous actions of several artifacts are called by any of them and visible to their own session", async () => {
  answer = (response) => response.end("1");
  const [one, other] = [await start(kept()), await start(kept())];
  const user = { "x-engine-role": "user", "x-engine-user-id": "1" };
  const id = (await ask(one, "mutation { say }", user)).data.say;
  await vi.waitFor(async () => expect(await outputOf(other, id, user)).toBe(1), { timeout: 10_000 });
  expect(await outputOf(other, id)).toBe(1);
  expect(await outputOf(one, id, { ...user, "x-engine-user-id": "2" })).toBeUndefined();
}, 60_000);

it("An artifact repeats a failed call of an asynchronous action with retry_conf", async () => {
  let attempts = 0;
  answer = (response) => (++attempts === 1 ? response.destroy() : response.end("4"));
  const server = await start(kept());
  const id = (await ask(server, "mutation { say_again }")).data.say_again;
  const output = async () => (await ask(server, `{ say_again(id: "${id}") { output } }`)).data.say_again.output;
  await vi.waitFor(async () => expect(await output()).toBe(4), { timeout: 20_000, interval: 50 });
  expect(attempts).toBe(2);
}, 60_000);

it("Asynchronous actions of a killed artifact are resumed by another", async () => {
  const held: ServerResponse[] = [];
  answer = (response) => void held.push(response);
  const one = await start(kept());
  const id = (await ask(one, "mutation { say }")).data.say;
  await vi.waitFor(() => expect(held).toHaveLength(1), { timeout: 10_000 });
  process.kill(one.pid, "SIGKILL");
  answer = (response) => response.end("2");
  const other = await start(kept());
  await vi.waitFor(async () => expect(await outputOf(other, id)).toBe(2), { timeout: 30_000, interval: 100 });
}, 60_000);

it("A terminated artifact waits for its asynchronous actions", async () => {
  const held: ServerResponse[] = [];
  answer = (response) => void held.push(response);
  const server = await start(kept());
  const id = (await ask(server, "mutation { say }")).data.say;
  await vi.waitFor(() => expect(held).toHaveLength(1), { timeout: 10_000 });
  const stopped = server.stop();
  setTimeout(() => held[0]?.end("3"), 300);
  await stopped;
  const status = `select status, response_payload as output from engine_catalog.engine_action_log where id = '${id}'`;
  expect(await query(database.url, status)).toEqual([{ status: "completed", output: 3 }]);
}, 60_000);

it("Without a metadata database, asynchronous actions fail and a start names them", async () => {
  const server = await start();
  await vi.waitFor(() => expect(server.log.join("")).toContain("Asynchronous actions are not served"), 10_000);
  for (const text of ["mutation { say }", '{ say(id: "00000000-0000-0000-0000-000000000000") { output } }']) {
    expect((await ask(server, text)).errors).toMatchObject([
      { message: expect.stringContaining("--metadata-database-url"), extensions: { code: "not-supported" } },
    ]);
  }
}, 60_000);
