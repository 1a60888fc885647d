/** Attempts to read or replay dead letters without the admin role, or to reach other rows through their ids. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { query } from "../../support/database.ts";
import { startTestServer, type TestServer } from "../../support/server.ts";

let server: TestServer;

const admin = { "x-engine-admin-secret": "very-secret" };
const payload = "a payload that no log contains";

beforeAll(async () => {
  server = await startTestServer({ environment: { ENGINE_GRAPHQL_ADMIN_SECRET: "very-secret" } });
  await query(
    server.metadataUrl,
    `insert into engine_catalog.engine_scheduled_events (webhook_conf, scheduled_time, payload, status)
     values ('"http://127.0.0.1:9"', now(), to_json($1::text), 'error')`,
    [payload],
  );
}, 60_000);

afterAll(() => server?.close());

const send = (type: string, args: object, headers: Record<string, string> = admin, path = "/v1/metadata") =>
  server.post(path, { type, args }, headers);

it("Only administrators list and replay dead letters", async () => {
  const operations = [
    ["get_dead_letters", {}],
    ["replay_dead_letters", { kind: "one_off" }],
  ] as const;
  for (const [type, args] of operations) {
    for (const headers of [{ ...admin, "x-engine-role": "user" }, { "x-engine-admin-secret": "wrong" }, {}]) {
      const { status, text } = await send(type, args, headers);
      expect(status, type).toBeGreaterThanOrEqual(400);
      expect(text).not.toContain(payload);
    }
    const { json } = await send("bulk", [{ type, args }], { ...admin, "x-engine-role": "user" });
    expect(json.code).toBe("access-denied");
    for (const path of ["/v1/query", "/v2/query"]) {
      expect((await send(type, args, admin, path)).status, path).toBe(400);
    }
  }
  const { json } = await send("get_dead_letters", {});
  expect(json.dead_letters).toMatchObject([{ kind: "one_off", payload }]);
});

it("Ids and names are values of statements, not text of them", async () => {
  const hostile = ["' or true --", "x') or ('1'='1", "{a,b}", '"', "\\", "%"];
  for (const id of hostile) {
    const letters = ["cron", "one_off", "action"].map((kind) => ({ kind, id }));
    const { json } = await send("replay_dead_letters", { letters });
    expect(json).toEqual({ replayed: 0, skipped: 3 });
    expect((await send("get_dead_letters", { name: id })).json.code).toBe("not-exists");
  }
  const nul = await send("replay_dead_letters", { letters: [{ kind: "cron", id: "a\u0000b" }] });
  expect(nul.json.code).toBe("parse-failed");
  expect((await send("get_dead_letters", {})).json.dead_letters).toHaveLength(1);
});

it("A list of ids replays only letters of their own kind that are dead", async () => {
  const [{ id } = {}] = await query(
    server.metadataUrl,
    `insert into engine_catalog.engine_scheduled_events (webhook_conf, scheduled_time, status)
     values ('"http://127.0.0.1:9"', now(), 'delivered') returning id`,
  );
  const letters = ["cron", "one_off", "action"].map((kind) => ({ kind, id }));
  expect((await send("replay_dead_letters", { letters })).json).toEqual({ replayed: 0, skipped: 3 });
});

it("Logs contain no payload of a letter", async () => {
  await send("get_dead_letters", { get_rows_count: true });
  expect(server.log.join("\n")).not.toContain(payload);
});
