/**
 * Object relationships that may be absent from a row or hidden from a role: the schema declares them nullable, and the
 * value is null.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { query } from "../support/database.ts";
import { startTestServer, type TestServer } from "../support/server.ts";

const tables = ["author", "checked", "unchecked", "parent", "child", "hidden", "to_hidden", "part", "view_of"] as const;

describe.each([
  ["live", false],
  ["sealed", true],
])("Object relationships of a %s server", (_, sealed) => {
  const reader = sealed ? "reader_sealed" : "reader_live";
  let server: TestServer;

  beforeAll(async () => {
    server = await startTestServer({ sealed });
    await query(
      server.databaseUrl,
      `create table author (id int primary key, name text);
       insert into author values (1, 'a'), (2, 'b');
       create table checked (id int primary key, author_id int not null references author);
       insert into checked values (1, 1), (2, 2);
       create table unchecked (id int primary key, author_id int not null);
       insert into unchecked values (1, 1), (2, 77);
       alter table unchecked add foreign key (author_id) references author not valid;
       create table parent (id int primary key, author_id int not null references author);
       create table child (more int) inherits (parent);
       insert into child values (1, 77, 0);
       create table hidden (id int primary key);
       insert into hidden values (1);
       create table to_hidden (id int primary key, hidden_id int not null references hidden);
       insert into to_hidden values (1, 1);
       alter table hidden enable row level security;
       create table part (id int primary key, author_id int not null references author) partition by range (id);
       create table part_1 partition of part for values from (0) to (9);
       insert into part values (1, 1);
       create view view_of as select * from checked;
       create role ${reader} login password 'reader'; grant usage on schema public to ${reader};
       grant all on all tables in schema public to ${reader}`,
    );
    const url = new URL(server.databaseUrl);
    url.username = reader;
    url.password = "reader";
    const manual = { remote_table: "author", column_mapping: { author_id: "id" } };
    const byKey = (name: string, column: string) => [{ name, using: { foreign_key_constraint_on: column } }];
    await server.metadata("replace_metadata", {
      metadata: {
        version: 3,
        sources: [
          {
            name: "default",
            kind: "postgres",
            configuration: { connection_info: { database_url: url.href } },
            tables: tables.map((table) => ({
              table,
              select_permissions: [
                {
                  role: "one",
                  permission: { columns: "*", filter: table === "author" ? { id: { _eq: 1 } } : {} },
                },
                { role: "all", permission: { columns: "*", filter: { _and: [{}, { _or: [{}, {}] }] } } },
              ],
              object_relationships: ["checked", "unchecked", "parent", "part"].includes(table)
                ? byKey("author", "author_id")
                : table === "to_hidden"
                  ? byKey("hidden", "hidden_id")
                  : table === "view_of" || table === "child"
                    ? [{ name: "author", using: { manual_configuration: manual } }]
                    : [],
            })),
          },
        ],
      },
    });
  }, 60_000);

  afterAll(async () => {
    await query(server.databaseUrl, `drop owned by ${reader}; drop role ${reader}`);
    await server.close();
  });

  /** Returns the kind of a field's type. */
  async function kindOf(type: string, field: string, role: string): Promise<string> {
    const text = `{ __type(name: "${type}") { fields { name type { kind } } } }`;
    const { data } = (await server.graphql(text, { "x-engine-role": role })) as {
      data: { __type: { fields: { name: string; type: { kind: string } }[] } };
    };
    return data.__type.fields.find(({ name }) => name === field)?.type.kind ?? "none";
  }

  it("An object relationship is nullable if its row may be missing or hidden from the role", async () => {
    const cases = [
      ["checked", "author", "admin", "NON_NULL"],
      ["part", "author", "admin", "NON_NULL"],
      ["checked", "author", "all", "NON_NULL"],
      ["checked", "author", "one", "OBJECT"],
      ["unchecked", "author", "admin", "OBJECT"],
      ["parent", "author", "admin", "OBJECT"],
      ["child", "author", "admin", "OBJECT"],
      ["view_of", "author", "admin", "OBJECT"],
      ["to_hidden", "hidden", "admin", "OBJECT"],
    ] as const;
    for (const [type, field, role, kind] of cases) {
      expect([type, role, await kindOf(type, field, role)]).toEqual([type, role, kind]);
    }
    const answer = await server.graphql(`{
      unchecked(order_by: {id: asc}) { author { id } } parent { author { id } } to_hidden { hidden { id } }
    }`);
    expect(answer).toEqual({
      data: {
        unchecked: [{ author: { id: 1 } }, { author: null }],
        parent: [{ author: null }],
        to_hidden: [{ hidden: null }],
      },
    });
    const asOne = await server.graphql("{ checked(order_by: {id: asc}) { author { id } } }", {
      "x-engine-role": "one",
    });
    expect(asOne).toEqual({ data: { checked: [{ author: { id: 1 } }, { author: null }] } });
  });
});
