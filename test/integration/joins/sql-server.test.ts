/**
 * Relationships to and from SQL Server tables over HTTP and TDS, with a fake server: the statements that it receives,
 * and the results built from its responses.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type ActionHandlerServer, startActionHandler } from "../../support/action-handler.ts";
import { query } from "../../support/database.ts";
import { shopRows, shopTables } from "../../support/mssql-shop.ts";
import { type RemoteGraphql, startRemoteGraphql } from "../../support/remote-graphql.ts";
import { startTestServer, type TestServer } from "../../support/server.ts";
import { startTdsPeer, type TdsAnswer, type TdsPeer, type TdsRequest } from "../../support/tds-peer.ts";
import { problemsOfTsql } from "../../support/tsql.ts";

const sdl = `
  type Member { id: Int! name: String! buyer: Int }
  type Query { member(id: Int!): Member members: [Member!]! }
`;
const member = (id: number) => ({ id, name: `member ${id}`, buyer: id === 3 ? null : id + 6 });
const root = { member: ({ id }: { id: number }) => member(id), members: () => [1, 2, 3].map(member) };

const toSource = (relationship_type: string, source: string, table: unknown, field_mapping: object) => ({
  to_source: { relationship_type, source, table, field_mapping },
});
const customer = { schema: "dbo", name: "customer" };
const relationship = (name: string, definition: object) => ({ name, definition });

let peer: TdsPeer;
let remote: RemoteGraphql;
let handler: ActionHandlerServer;
let server: TestServer;

type Executed = Extract<TdsRequest, { kind: "execute" }>;
/** Statements that read rows, and the responses for them, in order. */
const statements: Executed[] = [];
const answers: (readonly (readonly (string | null)[])[])[] = [];

function texts(rows: readonly (readonly (string | null)[])[]): TdsAnswer {
  return { columns: (rows[0] ?? []).map(() => ({ name: "", type: "nvarchar" as const })), rows };
}

/** Returns a row of a join statement: its location, and values with the indexes of their keys. */
const placed = (place: number, ...values: readonly unknown[]): readonly string[] => [
  String(place),
  values.map((value, i) => `${i}\u001f${JSON.stringify(value)}`).join("\u001e"),
];

beforeAll(async () => {
  peer = await startTdsPeer((request) => {
    if (request.kind !== "execute") return [];
    if (request.text.includes("sys.columns")) return [texts(shopRows)];
    statements.push(request);
    return [texts(answers.shift() ?? [])];
  });
  remote = await startRemoteGraphql(sdl, 0, { root });
  handler = await startActionHandler((_, response) => response.end('[{"buyer":7},{"buyer":null},{"buyer":7}]'));
  server = await startTestServer({
    environment: {
      MEMBERS: `http://127.0.0.1:${remote.port}/graphql`,
      HANDLER: `http://127.0.0.1:${handler.port}`,
      SHOP: `mssql://sa:secret@127.0.0.1:${peer.port}/shop?encrypt=false`,
    },
  });
  const shopConfiguration = { connection_info: { connection_string: { from_env: "SHOP" } } };
  await query(
    server.databaseUrl,
    `create table author (id int primary key, name text, shopper int);
     insert into author values (1, 'Ada', 7), (2, 'Jo', 8), (3, 'Kim', 7), (4, 'Lu', null);`,
  );
  const { json: exported } = await server.post("/v1/metadata", { type: "export_metadata", args: {} });
  const [own] = (exported as { sources: readonly object[] }).sources;
  const metadata = {
    version: 3,
    sources: [
      {
        ...own,
        tables: [
          {
            table: "author",
            remote_relationships: [
              relationship("customer", toSource("object", "shop", customer, { shopper: "id" })),
              relationship("namesakes", toSource("array", "shop", customer, { name: "name" })),
            ],
          },
        ],
      },
      {
        ...{ name: "shop", kind: "mssql", configuration: shopConfiguration },
        tables: shopTables.map((table) => {
          if (table.table !== "customer") return table;
          return {
            ...table,
            remote_relationships: [
              relationship("authors", toSource("array", "default", "author", { id: "shopper" })),
              relationship("elsewhere", toSource("object", "branch", customer, { id: "id" })),
              relationship("member", {
                to_remote_schema: {
                  remote_schema: "members",
                  lhs_fields: ["id"],
                  remote_field: { member: { arguments: { id: "$id" } } },
                },
              }),
            ],
          };
        }),
      },
      {
        ...{
          name: "branch",
          kind: "mssql",
          configuration: shopConfiguration,
          customization: { type_names: { prefix: "branch_" }, root_fields: { prefix: "branch_" } },
        },
        tables: [{ table: "customer" }],
      },
    ],
    remote_schemas: [
      {
        name: "members",
        definition: { url_from_env: "MEMBERS" },
        remote_relationships: [
          {
            type_name: "Member",
            relationships: [relationship("customer", toSource("object", "shop", customer, { buyer: "id" }))],
          },
        ],
      },
    ],
    custom_types: {
      objects: [
        {
          name: "Sale",
          fields: [{ name: "buyer", type: "Int" }],
          relationships: [],
          remote_relationships: [relationship("customer", toSource("object", "shop", customer, { buyer: "id" }))],
        },
      ],
    },
    actions: [
      {
        name: "sales",
        definition: {
          kind: "synchronous",
          type: "query",
          handler: "{{HANDLER}}",
          arguments: [],
          output_type: "[Sale]",
        },
      },
    ],
  };
  const args = { allow_inconsistent_metadata: false, metadata };
  const { json } = await server.post("/v1/metadata", { type: "replace_metadata", version: 2, args });
  expect(json).toMatchObject({ is_consistent: true });
}, 60_000);

afterAll(async () => {
  await server?.close();
  await Promise.all([peer?.close(), remote?.close(), handler?.close()]);
});

beforeEach(() => {
  statements.length = 0;
  answers.length = 0;
});

const ask = async (text: string) => (await server.post("/v1/graphql", { query: text })).json;

describe("Joins to SQL Server tables", () => {
  it("A join from PostgreSQL reads SQL Server in one statement for all rows and relationships", async () => {
    answers.push([placed(0, { name: "Kim" }, null), placed(1, [], [{ id: 8 }], [], [])]);
    expect(await ask("{ author(order_by: {id: asc}) { customer { name } namesakes { id } } }")).toEqual({
      data: {
        author: [
          { customer: { name: "Kim" }, namesakes: [] },
          { customer: null, namesakes: [{ id: 8 }] },
          { customer: { name: "Kim" }, namesakes: [] },
          { customer: null, namesakes: [] },
        ],
      },
    });
    expect(statements.map(({ values }) => values)).toEqual([['["7","8"]', '["Ada","Jo","Kim","Lu"]']]);
    expect(statements.flatMap(({ text }) => problemsOfTsql(text))).toEqual([]);
  });

  it("A join to SQL Server works from remote objects and from actions", async () => {
    answers.push([placed(0, { name: "Kim" }, { name: "Jo" })]);
    expect(await ask("{ members { name customer { name } } }")).toEqual({
      data: {
        members: [
          { name: "member 1", customer: { name: "Kim" } },
          { name: "member 2", customer: { name: "Jo" } },
          { name: "member 3", customer: null },
        ],
      },
    });
    answers.push([placed(0, { name: "Kim" })]);
    expect(await ask("{ sales { buyer customer { name } } }")).toEqual({
      data: {
        sales: [
          { buyer: 7, customer: { name: "Kim" } },
          { buyer: null, customer: null },
          { buyer: 7, customer: { name: "Kim" } },
        ],
      },
    });
    expect(statements.map(({ values }) => values)).toEqual([['["7","8"]'], ['["7"]']]);
  });

  it("A join from another SQL Server works level by level", async () => {
    answers.push([['[{"elsewhere":7},{"elsewhere":8}]']], [placed(0, { name: "Kim" }, null)]);
    expect(await ask("{ customer { elsewhere { name } } }")).toEqual({
      data: { customer: [{ elsewhere: { name: "Kim" } }, { elsewhere: null }] },
    });
    expect(statements).toHaveLength(2);
  });
});

describe("Joins from SQL Server tables", () => {
  it("A join from SQL Server reaches PostgreSQL and a remote schema", async () => {
    answers.push([['[{"id":7,"authors":7,"member":7},{"id":9,"authors":9,"member":9}]']]);
    expect(await ask("{ customer { id authors(order_by: {id: asc}) { name } member { name } } }")).toEqual({
      data: {
        customer: [
          { id: 7, authors: [{ name: "Ada" }, { name: "Kim" }], member: { name: "member 7" } },
          { id: 9, authors: [], member: { name: "member 9" } },
        ],
      },
    });
    expect(statements).toHaveLength(1);
    expect(statements[0]?.text).toContain("t1.[id] as [id], t1.[id] as [authors], t1.[id] as [member]");
  });

  it("A join from SQL Server and back runs in one request", async () => {
    answers.push([['[{"authors":7}]']], [placed(0, { name: "Kim" })]);
    expect(await ask("{ customer { authors(order_by: {id: asc}) { name customer { name } } } }")).toEqual({
      data: {
        customer: [
          {
            authors: [
              { name: "Ada", customer: { name: "Kim" } },
              { name: "Kim", customer: { name: "Kim" } },
            ],
          },
        ],
      },
    });
    expect(statements.map(({ values }) => values)).toEqual([[], ['["7"]']]);
  });

  it("A join from SQL Server works on rows of a mutation", async () => {
    answers.push([['[{"id":7,"authors":7}]', "1"]]);
    const text = `mutation { update_customer(where: {id: {_eq: 7}}, _set: {name: "Kim"}) {
      affected_rows returning { id authors(order_by: {id: asc}) { name } } } }`;
    expect(await ask(text)).toEqual({
      data: {
        update_customer: { affected_rows: 1, returning: [{ id: 7, authors: [{ name: "Ada" }, { name: "Kim" }] }] },
      },
    });
    expect(statements.flatMap(({ text: statement }) => problemsOfTsql(statement))).toEqual([]);
  });
});
