/**
 * Projects of the original engine in older formats and with unsupported features: checked without a server, deployed
 * from a folder whose name needs quoting, and queried as each of their roles.
 */
import { join } from "node:path";
import { afterEach, expect, it } from "vitest";
import { startActionHandler } from "../../support/action-handler.ts";
import { runCommand } from "../../support/command-line.ts";
import { startRemoteGraphql } from "../../support/remote-graphql.ts";
import { startTestServer, type TestServer } from "../../support/server.ts";
import { startWebhookReceiver } from "../../support/webhook-receiver.ts";
import { temporaryDirectory } from "../../unit/metadata-directory/temporary-directory.ts";

const projects = join(import.meta.dirname, "../../golden/import");
const ended: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const end of ended.splice(0).reverse()) await end();
});

/** Runs the commands that a user types to move a project to an empty server. */
async function move(name: string, environment: Record<string, string>) {
  const server: TestServer = await startTestServer({ environment });
  ended.push(() => server.close());
  const out = join(await temporaryDirectory(), `mein ${name} – проект`);
  const imported = await runCommand("import", join(projects, name, "project"), "--out", out);
  expect(imported).toMatchObject({ code: 0, stderr: "" });
  const checked = await runCommand("check", "--project", out);
  expect(checked).toMatchObject({ code: 0, stdout: expect.stringContaining("valid: metadata") });
  const deployed = await runCommand("deploy", "--project", out, "--endpoint", server.url);
  expect(deployed).toMatchObject({ code: 0, stderr: "" });
  expect(await runCommand("deploy", "--project", out, "--endpoint", server.url)).toMatchObject({
    stdout: "applied the metadata\n",
  });
  return { server, out, imported };
}

it("Metadata of version 1 with YAML migrations is imported", { timeout: 120_000 }, async () => {
  const { server } = await move("forum-v1", {});
  const ann = { "x-engine-role": "member", "x-engine-user-id": "ann" };
  const bo = { ...ann, "x-engine-user-id": "bo" };
  const write = (board: string, title: string) =>
    `mutation { insert_topic_one(object: {board: ${board}, title: "${title}"}) { author board } }`;
  expect(await server.graphql(write("general", "Hello"), ann)).toEqual({
    data: { insert_topic_one: { author: "ann", board: "general" } },
  });
  expect(await server.graphql(write("support", "Help"), bo)).toMatchObject({
    data: { insert_topic_one: { author: "bo" } },
  });
  expect(await server.graphql(write("elsewhere", "Lost"), bo)).toMatchObject({ errors: [{}] });
  expect(await server.graphql('{ find_topics(args: {words: "h"}, order_by: {title: asc}) { title } }', bo)).toEqual({
    data: { find_topics: [{ title: "Hello" }, { title: "Help" }] },
  });
  expect(await server.graphql("{ topic { title } }", { "x-engine-role": "guest" })).toEqual({
    data: { topic: [{ title: "Hello" }] },
  });
  expect(await server.graphql("mutation { delete_topic(where: {}) { returning { title } } }", bo)).toEqual({
    data: { delete_topic: { returning: [{ title: "Help" }] } },
  });
  const { json } = await server.post("/v2/query", { type: "run_sql", args: { sql: "select * from audit order by 1" } });
  expect(json.result.slice(1)).toEqual([
    ["ann", "Hello"],
    ["bo", "Help"],
  ]);
});

it("A project with an event view and an unsupported database kind is imported", {
  timeout: 120_000,
}, async () => {
  const handler = await startActionHandler((_, response) => response.end('{"id": 7}'));
  const hooks = await startWebhookReceiver();
  const weather = await startRemoteGraphql("type Query { report(city: String): String }", 0, {
    root: { report: ({ city }: { city: string }) => `rain in ${city}` },
  });
  ended.push(
    () => handler.close(),
    () => hooks.close(),
    () => weather.close(),
  );
  const { server, imported } = await move("shop-v3", {
    ORDER_HANDLER: `http://127.0.0.1:${handler.port}/order`,
    HASURA_GRAPHQL_HOOKS: hooks.url,
    HASURA_CRON: hooks.url,
    HOOK_SECRET: "hook-secret",
    WEATHER: `http://127.0.0.1:${weather.port}/`,
    ENGINE_GRAPHQL_OUTBOUND_ALLOW: "127.0.0.1",
    ENGINE_GRAPHQL_ENABLE_REMOTE_SCHEMA_PERMISSIONS: "true",
  });
  expect(imported.stdout).toContain("ledger is left out: databases of kind bigquery are not supported");
  const sql = "insert into item (shop, city) values ('north', 'Oslo'), ('south', 'Rome')";
  expect((await server.post("/v2/query", { type: "run_sql", args: { sql } })).status).toBe(200);
  const clerk = {
    "x-engine-role": "clerk",
    "x-engine-user-id": "42",
    "x-engine-shops": "{north}",
    "x-engine-city": "Bonn",
  };
  expect(await server.graphql("{ item { shop } report }", clerk)).toEqual({
    data: { item: [{ shop: "north" }], report: "rain in Bonn" },
  });
  expect(await server.graphql("{ item(order_by: {id: asc}) { weather } }")).toEqual({
    data: { item: [{ weather: "rain in Oslo" }, { weather: "rain in Rome" }] },
  });
  expect(await server.graphql("mutation { order(item: 1) { id } }", clerk)).toEqual({ data: { order: { id: 7 } } });
  const [received] = handler.requests;
  // The upstream expects the header under this name.
  expect(received?.headers).toMatchObject({ "x-hasura-clerk": "42" });
  expect(JSON.parse(received?.text ?? "null")).toEqual({ user: "42", item: 1 });
  await expect.poll(() => hooks.received.length, { timeout: 15_000 }).toBe(2);
  expect(hooks.received[0]).toMatchObject({ path: "/x-hasura-path", headers: { "x-hasura-secret": "hook-secret" } });
  const waiting = () => server.graphql("{ waiting { events } }", { "x-engine-role": "manager" });
  await expect.poll(waiting, { timeout: 15_000 }).toEqual({ data: { waiting: [{ events: 0 }] } });
});
