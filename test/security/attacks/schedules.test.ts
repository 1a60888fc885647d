/** Scheduled operations do not bypass the permissions of their role. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { query } from "../../support/database.ts";
import { startTestServer, type TestServer } from "../../support/server.ts";

let engine: TestServer;

beforeAll(async () => {
  engine = await startTestServer({ sealed: false, environment: { ENGINE_GRAPHQL_ENABLE_ALLOWLIST: "true" } });
  await query(
    engine.databaseUrl,
    "create table secret (id serial primary key, owner text); insert into secret (owner) values ('7'), ('8')",
  );
  await engine.metadata("pg_track_table", { table: "secret" });
  const permission = { columns: ["id"], filter: { owner: "x-engine-user-id" } };
  await engine.metadata("pg_create_select_permission", { table: "secret", role: "member", permission });
  const queries = [
    { name: "ids", query: "query { secret { id } }" },
    { name: "owners", query: "query { secret { id owner } }" },
    { name: "listed", query: "query Listed { secret { id } }" },
  ];
  await engine.metadata("create_query_collection", { name: "all", definition: { queries } });
  await engine.metadata("create_query_collection", { name: "allowed", definition: { queries: queries.slice(1) } });
  await engine.metadata("add_collection_to_allowlist", { collection: "allowed" });
});
afterAll(() => engine?.close());

/** Runs an operation and returns its entries in the invocation log. */
async function run(name: string, operation: object): Promise<string> {
  const trigger = { name, schedule: "0 0 1 1 *", include_in_metadata: true, operation };
  await engine.metadata("create_cron_trigger", trigger);
  await query(
    engine.metadataUrl,
    `update engine_catalog.engine_cron_events set scheduled_time = now()
     where id = (select id from engine_catalog.engine_cron_events where trigger_name = $1 order by scheduled_time limit 1)`,
    [name],
  );
  const log = `select l.response::text from engine_catalog.engine_cron_event_invocation_logs l
    join engine_catalog.engine_cron_events e on e.id = l.event_id where e.trigger_name = $1`;
  for (const end = performance.now() + 15_000; performance.now() < end; ) {
    const [row] = await query(engine.metadataUrl, log, [name]);
    if (row) return String(row.response);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error("it did not run");
}

const member = { role: "member", session_variables: { "x-engine-user-id": "7", "x-engine-role": "admin" } };

describe("Operations run by a schedule", () => {
  it("A scheduled operation sees the rows of its session, even if its variables name another role", async () => {
    expect(await run("listed", { collection: "all", query: "listed", ...member })).toContain(
      String.raw`{\"secret\":[{\"id\":1}]}`,
    );
  });

  it("A scheduled operation cannot select a hidden column", async () => {
    expect(await run("owners", { collection: "all", query: "owners", ...member })).toContain("field 'owner' not found");
  });

  it("A scheduled operation outside of the allow-list is refused", async () => {
    expect(await run("ids", { collection: "all", query: "ids", ...member })).toContain("query is not allowed");
  });
});
