/**
 * Rotation of secrets in files under load, as `docs/how-to/rotate-secrets.md` describes it: admin secret, JWT keys, users
 * of databases, secrets of webhooks.
 */
import { createHmac } from "node:crypto";
import { mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { createDatabase, query, type TestDatabase } from "../support/database.ts";
import { type EngineProcess, startEngine } from "../support/engine-process.ts";
import { ensureBuilt } from "../support/shared-checks.ts";
import { startWebhookReceiver, type WebhookReceiver } from "../support/webhook-receiver.ts";

const roles = ["rotated_before", "rotated_after"] as const;
let folder: string;
let database: TestDatabase;
let webhook: WebhookReceiver;
let engine: EngineProcess;

/** Replaces a file as a container platform does. */
async function put(name: string, value: string): Promise<void> {
  await writeFile(join(folder, `.${name}`), `${value}\n`);
  await rename(join(folder, `.${name}`), join(folder, name));
}

const urlAs = (role: string): string => {
  const url = new URL(database.url);
  url.username = role;
  url.password = "p";
  return url.href;
};

/** The server finds the key of a token by its issuer. */
const issuerOf = (key: string) => `https://issuer.test/${key}`;
const jwt = (key: string) => JSON.stringify([{ type: "HS256", key: key.repeat(32), issuer: issuerOf(key) }]);

function token(key: string): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const claims = { "x-engine-default-role": "reader", "x-engine-allowed-roles": ["reader"] };
  const text = `${part({ alg: "HS256", typ: "JWT" })}.${part({ iss: issuerOf(key), "https://engine.io/jwt/claims": claims })}`;
  return `${text}.${createHmac("sha256", key.repeat(32)).update(text).digest("base64url")}`;
}

const asAdmin = (secret: string) => ({ "x-engine-admin-secret": secret });
const asReader = (key: string) => ({ authorization: `Bearer ${token(key)}` });

async function send(path: string, body: unknown, headers: Readonly<Record<string, string>>): Promise<string> {
  const response = await fetch(engine.url + path, { method: "POST", body: JSON.stringify(body), headers });
  return `${response.status} ${await response.text()}`;
}

const read = (headers: Readonly<Record<string, string>>) =>
  send("/v1/graphql", { query: "{ note { text } }" }, headers);
const insert = (text: string, secret: string) =>
  send("/v1/graphql", { query: `mutation { insert_note_one(object: {text: "${text}"}) { text } }` }, asAdmin(secret));

/** Sends SIGHUP, and resolves when the new values are applied. */
async function rotate(...names: readonly string[]): Promise<void> {
  engine.child.kill("SIGHUP");
  const applied = `Applied new values of ${names.join(", ")}`;
  await vi.waitFor(() => expect(engine.log().some((line) => line.includes(applied))).toBe(true), 10_000);
}

beforeAll(async () => {
  await ensureBuilt();
  folder = await mkdtemp(join(tmpdir(), "engine-rotation-"));
  database = await createDatabase("rotation");
  for (const role of roles) {
    await query(database.url, `drop role if exists ${role}; create role ${role} superuser login password 'p'`);
  }
  await query(
    database.url,
    "create table note (id serial primary key, text text); insert into note (text) values ('a')",
  );
  webhook = await startWebhookReceiver();
  await Promise.all([
    put("ENGINE_GRAPHQL_ADMIN_SECRETS", '["first"]'),
    put("ENGINE_GRAPHQL_JWT_SECRETS", jwt("1")),
    put("HOOK_TOKEN", "token-1"),
    put("url", urlAs(roles[0])),
  ]);
  engine = await startEngine({
    ENGINE_GRAPHQL_SECRETS_DIRECTORY: folder,
    ENGINE_GRAPHQL_DATABASE_URL_FILE: join(folder, "url"),
    HOOK: webhook.url,
  });
  const bulk = [
    { type: "pg_track_table", args: { table: "note" } },
    {
      type: "pg_create_select_permission",
      args: { table: "note", role: "reader", permission: { columns: "*", filter: {} } },
    },
    {
      type: "pg_create_event_trigger",
      args: {
        name: "written",
        table: "note",
        webhook: "{{HOOK}}/written",
        insert: { columns: "*" },
        headers: [{ name: "x-token", value_from_env: "HOOK_TOKEN" }],
      },
    },
  ];
  expect(await send("/v1/metadata", { type: "bulk", args: bulk }, asAdmin("first"))).toMatch(/^200/);
}, 240_000);

afterAll(async () => {
  engine?.child.kill("SIGTERM");
  await engine?.ended;
  await webhook?.close();
  if (database) {
    const url = database.url;
    await query(url, `drop owned by ${roles.join(", ")}`).catch(() => undefined);
    await database.drop();
  }
  if (folder) await rm(folder, { recursive: true, force: true });
});

describe("Rotation of secrets in files", () => {
  it("All secrets are rotated under load without a failed request", async () => {
    let secret = "first";
    let key = "1";
    let isEnded = false;
    let requests = 0;
    const failures: string[] = [];
    const load = Array.from({ length: 4 }, async (_, client) => {
      while (!isEnded) {
        const result =
          client === 0 ? await insert("load", secret) : await read(client === 1 ? asAdmin(secret) : asReader(key));
        requests++;
        if (!result.startsWith('200 {"data"')) failures.push(result);
      }
    });

    // Both values are valid while clients change to the new one.
    await put("ENGINE_GRAPHQL_ADMIN_SECRETS", '["first", "second"]');
    await put("ENGINE_GRAPHQL_JWT_SECRETS", JSON.stringify([...JSON.parse(jwt("1")), ...JSON.parse(jwt("2"))]));
    await rotate("ENGINE_GRAPHQL_ADMIN_SECRETS", "ENGINE_GRAPHQL_JWT_SECRETS");
    secret = "second";
    key = "2";
    await delay(300); // requests with the earlier values end
    await put("ENGINE_GRAPHQL_ADMIN_SECRETS", '["second"]');
    await put("ENGINE_GRAPHQL_JWT_SECRETS", jwt("2"));
    await vi.waitFor(
      async () => expect(await read(asAdmin("first"))).toMatch(/^(401|200).*invalid x-engine-admin-secret/),
      15_000,
    );
    expect(await read(asReader("1"))).not.toContain('"data"');

    await put("url", urlAs(roles[1]));
    await rotate("ENGINE_GRAPHQL_DATABASE_URL");
    await query(database.url, `alter role ${roles[0]} nologin`);
    // More requests at once than the pool has connections.
    const slow = { query: '{ note(where: {text: {_eq: "a"}}) { id } }' };
    const burst = await Promise.all(Array.from({ length: 100 }, () => send("/v1/graphql", slow, asAdmin("second"))));
    failures.push(...burst.filter((result) => !result.startsWith('200 {"data"')));
    await put("HOOK_TOKEN", "token-2");
    await rotate("HOOK_TOKEN");
    expect(await insert("after", secret)).toMatch(/^200/);
    isEnded = true;
    await Promise.all(load);
    expect(failures).toEqual([]);
    expect(requests).toBeGreaterThan(50);
    const tokenOf = (text: string) =>
      webhook.received.find(({ body }) => JSON.parse(body).event.data.new.text === text)?.headers["x-token"];
    await vi.waitFor(() => expect(tokenOf("after")).toBe("token-2"), 30_000);
    expect(tokenOf("load")).toBe("token-1");
  }, 120_000);

  it("New connections use the new user of the database", async () => {
    await query(database.url, `select pg_terminate_backend(pid) from pg_stat_activity where usename = '${roles[0]}'`);
    await vi.waitFor(async () => expect(await read(asAdmin("second"))).toMatch(/^200 \{"data"/), 15_000);
    await vi.waitFor(async () => {
      const users = await query(
        database.url,
        `select distinct usename::text from pg_stat_activity where datname = current_database() and usename like 'rotated%'`,
      );
      expect(users).toEqual([{ usename: roles[1] }]);
    }, 20_000);
  }, 60_000);

  it("Invalid values are refused with a log line without them, and the earlier values remain", async () => {
    await put("ENGINE_GRAPHQL_JWT_SECRETS", '{"type": "HS256", "key": "kept-quiet"');
    engine.child.kill("SIGHUP");
    await vi.waitFor(() => expect(engine.log().join("\n")).toContain("Kept the previous secrets"), 10_000);
    expect(await read(asReader("2"))).toMatch(/^200 \{"data"/);
    await put("ENGINE_GRAPHQL_JWT_SECRETS", jwt("2"));
    // An empty list must not turn authentication off.
    await put("ENGINE_GRAPHQL_ADMIN_SECRETS", "[]");
    engine.child.kill("SIGHUP");
    await vi.waitFor(
      () => expect(engine.log().filter((line) => line.includes("Kept the previous"))).toHaveLength(2),
      10_000,
    );
    expect(await read({})).not.toContain('"data"');
    expect(await read(asAdmin("second"))).toMatch(/^200 \{"data"/);
    await put("ENGINE_GRAPHQL_ADMIN_SECRETS", '["second"]');
  });

  it("The log and standard error contain no value of a secret", () => {
    const written = engine.log().join("\n") + engine.errors();
    for (const value of ["first", "second", "token-1", "token-2", "kept-quiet", "1".repeat(32), ":p@"]) {
      expect(written).not.toContain(`"${value}"`);
      if (value.length > 8 || value === ":p@") expect(written).not.toContain(value);
    }
  });
});
