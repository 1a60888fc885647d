/** The schema with and without comments of database objects as descriptions. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { startTestServer, type TestServer } from "../support/server.ts";

let usual: TestServer;

beforeAll(async () => {
  usual = await startTestServer({ sealed: false });
  const sql = `
    create table note (id int primary key, text text);
    create function recent() returns setof note language sql stable as 'select * from note';
    create function shout(note) returns text language sql stable as 'select upper($1.text)';
    comment on table note is 'hidden: of the table';
    comment on column note.text is 'hidden: of the column';
    comment on function recent is 'hidden: of the function';
    comment on function shout is 'hidden: of the computed field'`;
  await usual.post("/v2/query", { type: "run_sql", args: { sql } });
  await usual.metadata("pg_track_table", { table: "note" });
  await usual.metadata("pg_track_function", { function: "recent" });
  await usual.metadata("pg_add_computed_field", { table: "note", name: "shout", definition: { function: "shout" } });
}, 60_000);

afterAll(() => usual.close());

const question = `{
  note: __type(name: "note") { description fields { name description } }
  query: __type(name: "query_root") { fields { name description } }
}`;

it("Inferred descriptions are shown unless --infer-descriptions is off", async () => {
  const shown = JSON.stringify(await usual.graphql(question));
  for (const object of ["table", "column", "function", "computed field"])
    expect(shown).toContain(`hidden: of the ${object}`);
  const server = await startTestServer({
    sealed: false,
    on: usual,
    environment: { ENGINE_GRAPHQL_INFER_DESCRIPTIONS: "false" },
  });
  const without = JSON.stringify(await server.graphql(question));
  await server.stop();
  expect(without).not.toContain("hidden");
  expect(without).toContain('columns and relationships of \\"note\\"');
});
