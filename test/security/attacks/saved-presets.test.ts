/** Saved operations with remote fields use the presets of the role and session of the request. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { planSources } from "../../support/plan-sources.ts";
import { type RemoteGraphql, startRemoteGraphql } from "../../support/remote-graphql.ts";
import { startTestServer, type TestServer } from "../../support/server.ts";

const sdl = `
  input Filter { owner: ID zone: String text: String }
  type Letter { owner: ID zone: String text: String note(of: ID): String }
  type Query { letter(id: ID, filter: Filter, of: ID): Letter }
`;
const letter = ({ filter = {}, of }: { filter?: object; of?: string }) => ({
  ...filter,
  note: (args: { of?: string }) => `${of} ${args.of}`,
});

/** Returns a permission document in which the role sets the zone, and the session the owner of the letters. */
const documentOf = (zone: string) =>
  sdl
    .replace(
      "input Filter { owner: ID zone: String",
      `input Filter { owner: ID @preset(value: "x-engine-user-id") zone: String @preset(value: "${zone}")`,
    )
    .replaceAll("of: ID", 'of: ID @preset(value: "x-engine-user-id")');

const roles = { north: "north secret", south: "south secret" };

const operations = {
  beside: `query Beside($text: String, $filter: Filter = {text: "standard"}) {
    box { letter(filter: {text: $text}) { owner zone text note } other: letter(filter: $filter) { owner zone text } }
  }`,
  root: "query Root($filter: Filter) { letter(filter: $filter) { owner zone text note } }",
};

const toLetter = {
  to_remote_schema: {
    remote_schema: "post",
    lhs_fields: ["id"],
    remote_field: { letter: { arguments: { id: "$id" } } },
  },
};
const metadata = {
  version: 3,
  sources: [
    {
      name: "default",
      kind: "postgres",
      configuration: { connection_info: { database_url: { from_env: "ENGINE_GRAPHQL_DATABASE_URL" } } },
      tables: [
        {
          table: "box",
          remote_relationships: [{ name: "letter", definition: toLetter }],
          select_permissions: [...Object.keys(roles), "stranger"].map((role) => ({
            role,
            permission: { columns: ["id"], filter: {} },
          })),
        },
      ],
    },
  ],
  remote_schemas: [
    {
      name: "post",
      definition: { url: "{{POST}}" },
      permissions: Object.entries(roles).map(([role, zone]) => ({ role, definition: { schema: documentOf(zone) } })),
    },
  ],
  query_collections: [
    { name: "desk", definition: { queries: Object.entries(operations).map(([name, query]) => ({ name, query })) } },
  ],
};

let post: RemoteGraphql;

beforeAll(async () => {
  post = await startRemoteGraphql(sdl, 0, { root: { letter } });
});

afterAll(() => post?.close());

beforeEach(() => {
  post.requests.length = 0;
});

describe.each([
  ["the live server", false],
  ["an artifact", true],
])("Presets of saved remote operations on %s", (_, sealed) => {
  let server: TestServer;

  beforeAll(async () => {
    server = await startTestServer({
      sealed,
      environment: {
        POST: `http://127.0.0.1:${post.port}/graphql`,
        ENGINE_GRAPHQL_ENABLE_REMOTE_SCHEMA_PERMISSIONS: "true",
        ENGINE_GRAPHQL_ENABLED_APIS: "metadata,graphql,metrics",
      },
    });
    const sql = "create table box (id int primary key); insert into box values (1)";
    await server.post("/v2/query", { type: "run_sql", args: { sql } });
    await server.metadata("replace_metadata", { metadata });
  }, 180_000);

  afterAll(() => server?.close());

  const ask = (query: string, role: string, id: string | undefined, variables: object = {}) =>
    server.graphql(query, { "x-engine-role": role, ...(id !== undefined && { "x-engine-user-id": id }) }, variables);

  it("Each role and session has its own presets, even in concurrent requests", async () => {
    const before = await planSources(server);
    const all = Object.entries(roles).flatMap(([role, zone]) => ["1", "2", "3"].map((id) => ({ role, zone, id })));
    const answers = await Promise.all(
      all.flatMap(({ role, id }) => [
        ask(operations.beside, role, id, { text: `${role} ${id}` }),
        ask(operations.root, role, id, { filter: { text: `${role} ${id}` } }),
      ]),
    );
    const expected = all.flatMap(({ role, zone, id }) => {
      const own = { owner: id, zone, text: `${role} ${id}`, note: `${id} ${id}` };
      const other = { owner: id, zone, text: "standard" };
      return [{ data: { box: [{ letter: own, other }] } }, { data: { letter: own } }];
    });
    expect(answers).toEqual(expected);
    expect(await planSources(server)).toEqual({ ...before, saved: before.saved + answers.length });
    if (sealed) expect(server.sealing?.live).toEqual({});
    for (const { query, variables } of post.requests) {
      const text = JSON.stringify({ query, variables });
      expect(text.includes("north") && text.includes("south")).toBe(false);
    }
    const strange = (await ask(operations.root, "stranger", "1")) as { errors: { message: string }[] };
    expect(strange.errors[0]?.message).toContain("not found in type");
  });

  it("A request cannot set the value of a preset", async () => {
    const before = await planSources(server);
    for (const filter of [{ owner: "2" }, { zone: "south secret" }, { text: "x", owner: "2" }]) {
      expect(await ask(operations.root, "north", "1", { filter })).toMatchObject({
        errors: [{ message: expect.stringMatching(/^field '(owner|zone)' not found in type: 'Filter'$/) }],
      });
      expect(await ask(operations.beside, "north", "1", { filter })).toMatchObject({ errors: [expect.anything()] });
    }
    const given = { session_x_engine_user_id_ID: "2", filter: { text: "x" } };
    expect(await ask(operations.root, "north", "1", given)).toMatchObject({ errors: [expect.anything()] });
    expect(post.requests).toEqual([]);
    expect((await planSources(server)).miss).toBe(before.miss);
  });

  it("A session without the preset's variable sends no request, even after a session that has it", async () => {
    const before = await planSources(server);
    expect(await ask(operations.root, "south", "1")).toMatchObject({ data: { letter: { note: "1 1" } } });
    post.requests.length = 0;
    for (const query of Object.values(operations)) {
      expect(await ask(query, "south", undefined, { filter: {} })).toMatchObject({
        errors: [{ message: 'missing session variable: "x-engine-user-id"', extensions: { code: "not-found" } }],
      });
    }
    expect(post.requests).toEqual([]);
    expect(await planSources(server)).toEqual({ ...before, saved: before.saved + 3 });
  });
});
