/** Several servers over one metadata database. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { query } from "../support/database.ts";
import { startTestServer, type TestServer } from "../support/server.ts";

let first: TestServer;
let second: TestServer;

beforeAll(async () => {
  first = await startTestServer();
  await query(first.databaseUrl, "create table note (id integer primary key); insert into note values (1)");
  second = await startTestServer({ on: first });
});

afterAll(async () => {
  await second?.stop();
  await first?.close();
});

/** Repeats a request until its result is as expected. Fails after two seconds, the limit of the specification. */
async function within2Seconds<T>(ask: () => Promise<T>, isExpected: (answer: T) => boolean): Promise<void> {
  const end = Date.now() + 2000;
  for (;;) {
    const answer = await ask();
    if (isExpected(answer)) return;
    if (Date.now() > end) throw new Error(`still ${JSON.stringify(answer)}`);
  }
}

describe("Several instances", () => {
  it("An instance serves a change of another instance", async () => {
    await first.metadata("pg_track_table", { table: "note" });
    await within2Seconds(
      () => second.graphql("{ note { id } }"),
      (answer) => JSON.stringify(answer) === '{"data":{"note":[{"id":1}]}}',
    );
  });

  it("All instances have the same introspection after a database change", async () => {
    const run = async (server: TestServer, sql: string) =>
      expect((await server.post("/v2/query", { type: "run_sql", args: { sql } })).status).toBe(200);
    await run(first, "create table later (id integer primary key, name text); insert into later values (1, 'one')");
    await first.metadata("pg_track_table", { table: "later" });
    await expect
      .poll(() => second.graphql("{ later { id name } }"), { timeout: 20_000 })
      .toEqual({ data: { later: [{ id: 1, name: "one" }] } });
    // The metadata does not use these columns.
    await run(second, "alter table later rename column name to title; alter table later add column size integer");
    await expect
      .poll(() => first.graphql("{ later { title size } }"), { timeout: 20_000 })
      .toEqual({ data: { later: [{ title: "one", size: null }] } });
    await query(first.databaseUrl, "alter table later add column weight integer");
    await first.metadata("reload_metadata", { reload_sources: true });
    await expect
      .poll(() => second.graphql("{ later { weight } }"), { timeout: 20_000 })
      .toEqual({ data: { later: [{ weight: null }] } });
    expect(await second.metadata("get_inconsistent_metadata", {})).toEqual([]);
  }, 90_000);

  it("A new instance reuses the unchanged introspection of another", async () => {
    await query(first.databaseUrl, "create table earlier (id integer primary key)");
    const third = await startTestServer({ on: first });
    try {
      await third.metadata("pg_track_table", { table: "earlier" });
      for (const server of [first, second]) {
        await expect
          .poll(() => server.graphql("{ earlier { id } }"), { timeout: 20_000 })
          .toEqual({ data: { earlier: [] } });
      }
    } finally {
      await third.stop();
    }
  }, 90_000);

  it("Concurrent metadata changes of two instances are all kept", async () => {
    const roles = Array.from({ length: 200 }, (_, i) => `role${i}`);
    const answers = await Promise.all(
      roles.map((role, i) =>
        (i % 2 ? first : second).post("/v1/metadata", {
          type: "pg_create_select_permission",
          args: { table: "note", role, permission: { columns: "*", filter: {} } },
        }),
      ),
    );
    expect(
      new Set(answers.map(({ status, json }) => (status === 200 ? "success" : `${status} ${json.code}`))),
    ).toSatisfy((outcomes: Set<string>) =>
      [...outcomes].every((outcome) => outcome === "success" || outcome === "409 conflict"),
    );
    const succeeded = roles.filter((_, i) => answers[i]?.status === 200);
    expect(succeeded.length).toBeGreaterThan(0);
    const stored = async (server: TestServer) => {
      const exported = JSON.stringify(await server.metadata("export_metadata", {}));
      return roles.filter((role) => exported.includes(`"role":"${role}"`));
    };
    // Both have exactly the successful changes. The last change may still be on its way from the other instance.
    for (const server of [first, second]) {
      await within2Seconds(
        () => stored(server),
        (found) => JSON.stringify(found) === JSON.stringify(succeeded),
      );
    }
  });

  it("A source that was unreachable is served again", async () => {
    const [{ name } = { name: "" }] = (await query(first.databaseUrl, "select current_database() as name")) as {
      name: string;
    }[];
    await query(first.databaseUrl, `create database "${name}_late"`);
    const url = new URL(first.databaseUrl);
    url.pathname = `/${name}_gone`;
    await first.metadata("replace_metadata", {
      allow_inconsistent_metadata: true,
      metadata: {
        version: 3,
        sources: [
          {
            name: "late",
            kind: "postgres",
            configuration: { connection_info: { database_url: url.href } },
            tables: [{ table: { schema: "public", name: "letter" } }],
          },
        ],
      },
    });
    expect(await first.graphql("{ letter { id } }")).toHaveProperty("errors");
    url.pathname = `/${name}_late`;
    await query(url.href, "create table letter (id integer primary key)");
    await query(first.databaseUrl, `alter database "${name}_late" rename to "${name}_gone"`);
    const end = Date.now() + 15_000;
    while (JSON.stringify(await first.graphql("{ letter { id } }")) !== '{"data":{"letter":[]}}') {
      if (Date.now() > end) throw new Error("the source did not come back");
    }
    await first.metadata("clear_metadata", {});
    await query(first.databaseUrl, `drop database "${name}_gone" with (force)`);
  });
});
