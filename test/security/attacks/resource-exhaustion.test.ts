/** Small requests do not keep the database or the server busy for long. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { query } from "../../support/database.ts";
import { startTestServer, type TestServer } from "../../support/server.ts";

const schema = `
  create table node (id integer primary key, parent integer references node, name text);
  insert into node select i, nullif(i / 2, 0), 'n' || i from generate_series(1, 300) i;
  create view session_setting as select current_setting('jit') as jit;
  create view slow as select 1 as id, pg_sleep(20)::text as nothing;`;

const configuration = (more: object) => ({
  connection_info: { database_url: { from_env: "ENGINE_GRAPHQL_DATABASE_URL" }, ...more },
});
const select_permissions = [{ role: "user", permission: { columns: "*", filter: {} } }];
const tables = [
  {
    table: "node",
    select_permissions,
    object_relationships: [{ name: "up", using: { foreign_key_constraint_on: "parent" } }],
    array_relationships: [{ name: "down", using: { foreign_key_constraint_on: { table: "node", column: "parent" } } }],
  },
  { table: "session_setting", select_permissions },
  { table: "slow", select_permissions },
];
const metadata = (connection: object, more: object = {}) => ({
  version: 3,
  sources: [{ name: "default", kind: "postgres", configuration: configuration(connection), tables }],
  ...more,
});
const user = { "x-engine-role": "user" };

describe("PostgreSQL's query compiler", () => {
  let server: TestServer;

  beforeAll(async () => {
    server = await startTestServer({ sealed: false });
    await query(server.databaseUrl, schema);
    // A few rows here do what many do elsewhere.
    const name = new URL(server.databaseUrl).pathname.slice(1);
    for (const cost of ["jit_above_cost", "jit_inline_above_cost", "jit_optimize_above_cost"]) {
      await query(server.databaseUrl, `alter database "${name}" set ${cost} = 0`);
    }
  }, 60_000);

  afterAll(() => server.close());

  it("is off, unless the source turns it on", async () => {
    await server.metadata("replace_metadata", metadata({}));
    expect(await server.graphql("{ session_setting { jit } }", user)).toEqual({
      data: { session_setting: [{ jit: "off" }] },
    });
    await server.metadata("replace_metadata", metadata({ jit: true }));
    const [standard] = await query(server.databaseUrl, "select current_setting('jit') as jit");
    expect(await server.graphql("{ session_setting { jit } }", user)).toEqual({
      data: { session_setting: [standard] },
    });
    const exported = await server.metadata("export_metadata", {});
    expect(exported).toMatchObject({ sources: [{ configuration: { connection_info: { jit: true } } }] });
  });

  it("does not keep a statement from ending at the time limit", async () => {
    await server.metadata("replace_metadata", metadata({}, { api_limits: { time_limit: { global: 1 } } }));
    const nested = Array.from({ length: 60 }).reduce<string>(
      (inner) => `down(limit: 1, where: {id: {_gt: 0}, name: {_neq: ""}}) { id ${inner} }`,
      "",
    );
    const text = `{ node(where: {id: {_eq: 1}}) { ${nested} } slow { nothing } }`;
    expect(text.length).toBeLessThan(4096);
    expect(await server.graphql(text, user)).toMatchObject({
      errors: [{ extensions: { code: "time-limit-exceeded" } }],
    });
    const answered = performance.now();
    const busy = async (): Promise<number> => {
      const rows = await query(
        server.databaseUrl,
        "select 1 from pg_stat_activity where datname = current_database() and state = 'active' and pid <> pg_backend_pid()",
      );
      return rows.length;
    };
    await expect.poll(busy, { timeout: 500, interval: 20 }).toBe(0);
    expect(performance.now() - answered).toBeLessThan(1000);
  });
});
