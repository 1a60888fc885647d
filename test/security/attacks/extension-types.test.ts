/**
 * A row filter over an extension type holds regardless of the extension's schema and of operators that other users
 * create.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { query } from "../../support/database.ts";
import { startTestServer, type TestServer } from "../../support/server.ts";

const acct = { schema: "public", name: "acct" };
const select = (role: string, filter: object) => ({ role, permission: { columns: ["email"], filter } });

const metadata = (url: string, filters: readonly ReturnType<typeof select>[], more: object = {}) => ({
  version: 3,
  sources: [
    {
      name: "default",
      kind: "postgres",
      configuration: { connection_info: { database_url: url } },
      tables: [{ table: acct, select_permissions: filters, ...more }],
    },
  ],
});

const filters = [
  select("without", { email: { _neq: "boss@x.org" } }),
  select("with", { email: { _eq: "BOSS@x.org" } }),
  select("listed", { email: { _nin: ["boss@x.org"] } }),
  select("own", { email: { _eq: "X-Engine-Email" } }),
];

let server: TestServer;
let url: string;
const user = `tenant_${process.pid}_${Date.now()}`;
const other = `other_${process.pid}_${Date.now()}`;

beforeAll(async () => {
  server = await startTestServer({ sealed: false });
  await query(
    server.databaseUrl,
    `create schema ext;
     create extension citext schema ext;
     create extension hstore schema ext;
     create table acct (id serial primary key, email ext.citext, tags ext.hstore);
     insert into acct (email, tags) values ('Boss@x.org', 'a=>1'), ('a@x.org', 'b=>2');
     create user ${user} password 'tenant';
     create user ${other} password 'other';
     grant usage on schema ext to ${user}, ${other};
     grant create, usage on schema public to ${other};
     grant create on database "${new URL(server.databaseUrl).pathname.slice(1)}" to ${user};
     alter table acct owner to ${user};`,
  );
  const source = new URL(server.databaseUrl);
  source.username = user;
  source.password = "tenant";
  url = source.href;
}, 60_000);

afterAll(async () => {
  const postgres = new URL(server.databaseUrl);
  await server.close();
  postgres.pathname = "/postgres";
  await query(postgres.href, `drop user ${user}; drop user ${other}`);
});

async function rows(role: string, headers: Record<string, string> = {}): Promise<readonly string[]> {
  const { json } = await server.post(
    "/v1/graphql",
    { query: "{ acct(order_by: {email: asc}) { email } }" },
    { "x-engine-role": role, ...headers },
  );
  return json.data.acct.map(({ email }: { email: string }) => email);
}

async function expectToHold(): Promise<void> {
  expect(await rows("without")).toEqual(["a@x.org"]);
  expect(await rows("with")).toEqual(["Boss@x.org"]);
  expect(await rows("listed")).toEqual(["a@x.org"]);
  expect(await rows("own", { "x-engine-email": "BOSS@X.ORG" })).toEqual(["Boss@x.org"]);
}

describe("Row filters over types of extensions", () => {
  it("A row filter holds if the extension's schema is outside of the search path", async () => {
    await server.metadata("replace_metadata", metadata(url, filters));
    await expectToHold();
  });

  it("A row filter holds against operators that another user creates in the search path", async () => {
    const attacker = new URL(server.databaseUrl);
    attacker.username = other;
    attacker.password = "other";
    await query(
      attacker.href,
      `create function public.yes(ext.citext, ext.citext) returns boolean language sql immutable as 'select true';
       create operator public.= (leftarg = ext.citext, rightarg = ext.citext, function = public.yes);
       create operator public.<> (leftarg = ext.citext, rightarg = ext.citext, function = public.yes);
       create function public.more(ext.hstore, ext.hstore) returns boolean language sql immutable as 'select true';
       create operator public.> (leftarg = ext.hstore, rightarg = ext.hstore, function = public.more);`,
    );
    await server.metadata("reload_metadata", { reload_sources: true });
    await expectToHold();
  });

  it("A row filter is refused if its type lacks the operator, and no other operator replaces it", async () => {
    const answer = await server.post("/v1/metadata", {
      type: "replace_metadata",
      args: metadata(url, [...filters, select("more", { tags: { _gt: "a=>1" } })]),
    });
    expect(answer.status).toBe(400);
    expect(answer.text).toContain('is of type \\"ext.hstore\\"; this operator works only on columns of type');
    await expectToHold();
  });

  it("The explained SQL qualifies the operator of a row filter with its schema", async () => {
    const { text } = await server.post(
      "/v1/graphql/explain",
      { query: { query: "{ acct { email } }" }, user: { "x-engine-role": "without" } },
      {},
    );
    expect(text).toContain("operator(ext.<>)");
  });
});

describe("Event triggers over types of extensions", () => {
  it("An event trigger detects changes by the equality of the column's type", async () => {
    const trigger = {
      name: "moved",
      definition: { enable_manual: false, update: { columns: ["email"] } },
      retry_conf: { num_retries: 0, interval_sec: 10, timeout_sec: 60 },
      webhook: "http://127.0.0.1:9/",
    };
    await query(server.databaseUrl, `grant create on schema public to ${user}`);
    await server.metadata("replace_metadata", metadata(url, filters, { event_triggers: [trigger] }));
    const recorded = async () =>
      (await query(server.databaseUrl, "select count(*)::int as n from engine_catalog.event_log"))[0]?.n;
    await query(url, "update public.acct set email = 'BOSS@X.ORG' where id = 1");
    expect(await recorded()).toBe(0);
    await query(url, "update public.acct set email = null where id = 1");
    expect(await recorded()).toBe(1);
    await query(url, "update public.acct set email = 'Boss@x.org' where id = 1");
    expect(await recorded()).toBe(2);
  });

  it("The condition of an event trigger uses the equality of the column's type", async () => {
    const trigger = {
      name: "of_the_boss",
      definition: { enable_manual: false, insert: { columns: "*" }, delete: { columns: "*" } },
      condition: { _or: [{ new: { email: { _eq: "BOSS@x.org" } } }, { old: { email: { _nin: ["A@X.ORG"] } } }] },
      retry_conf: { num_retries: 0, interval_sec: 10, timeout_sec: 60 },
      webhook: "http://127.0.0.1:9/",
    };
    await server.metadata("replace_metadata", metadata(url, filters, { event_triggers: [trigger] }));
    const recorded = async () => {
      const events = "select payload ->> 'op' as op from engine_catalog.event_log where trigger_name = 'of_the_boss'";
      return (await query(server.databaseUrl, `${events} order by created_at`)).map(({ op }) => op);
    };
    await query(url, "insert into public.acct (id, email) values (10, 'boss@X.org'), (11, 'a@x.org')");
    expect(await recorded()).toEqual(["INSERT"]);
    await query(url, "delete from public.acct where id = 11");
    expect(await recorded()).toEqual(["INSERT"]);
    await query(url, "delete from public.acct where id = 10");
    expect(await recorded()).toEqual(["INSERT", "DELETE"]);
  });
});
