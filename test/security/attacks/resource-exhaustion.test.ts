/** Small requests do not keep the database or the server busy for long. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parseOptions } from "../../../runtime/config/options.ts";
import { prepareWrites } from "../../../runtime/execute/prepared-writes.ts";
import { bindWrites } from "../../../runtime/execute/write.ts";
import { bind } from "../../../runtime/model/definitions/parameters.ts";
import { planQuery } from "../../../runtime/model/planner/plan.ts";
import { planMutation } from "../../../runtime/model/planner/plan-mutation.ts";
import { budgetOf } from "../../../runtime/model/planner/request/budget.ts";
import { readOperation } from "../../../runtime/model/planner/request/document.ts";
import { roleSchema } from "../../../runtime/model/schema/role-schema.ts";
import { query } from "../../support/database.ts";
import { sampleRole } from "../../support/sample-role.ts";
import { sampleWriter } from "../../support/sample-writer.ts";
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

describe("PostgreSQL's JIT compiler", () => {
  let server: TestServer;

  beforeAll(async () => {
    server = await startTestServer({ sealed: false });
    await query(server.databaseUrl, schema);
    // Makes a few rows as expensive as many.
    const name = new URL(server.databaseUrl).pathname.slice(1);
    for (const cost of ["jit_above_cost", "jit_inline_above_cost", "jit_optimize_above_cost"]) {
      await query(server.databaseUrl, `alter database "${name}" set ${cost} = 0`);
    }
  }, 60_000);

  afterAll(() => server.close());

  it("JIT is off unless the source enables it", async () => {
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

  it("JIT does not prevent a statement from ending at its time limit", async () => {
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

describe("Oversized data operations", () => {
  let server: TestServer;
  const configuration = { connection_info: { database_url: { from_env: "ENGINE_GRAPHQL_DATABASE_URL" } } };
  const permission = { columns: "*", filter: {}, allow_aggregations: true };
  const tree = {
    table: { schema: "public", name: "node" },
    object_relationships: [
      { name: "parent", using: { foreign_key_constraint_on: "parent_id" } },
      { name: "mother", using: { foreign_key_constraint_on: "mother_id" } },
    ],
    array_relationships: [
      {
        name: "children",
        using: { foreign_key_constraint_on: { table: { schema: "public", name: "node" }, column: "parent_id" } },
      },
    ],
    select_permissions: [{ role: "user", permission }],
  };

  beforeAll(async () => {
    server = await startTestServer({ sealed: false });
    await query(
      server.databaseUrl,
      `create table node (id integer primary key, parent_id integer references node, mother_id integer references node);
       insert into node values (1, null, null), (2, 1, null)`,
    );
    const source = { name: "default", kind: "postgres", configuration, tables: [tree] };
    await server.metadata("replace_metadata", { version: 3, sources: [source] });
  }, 60_000);
  afterAll(() => server.close());

  const stars = (count: number): string => Array(count).fill("*").join(".");
  const nested = (levels: number, wrap: (inner: unknown) => unknown, inner: unknown): unknown =>
    levels === 0 ? inner : nested(levels - 1, wrap, wrap(inner));
  const relatives = (levels: number) => nested(levels, (columns) => [{ name: "children", columns }], ["id"]);
  /** Returns every path of a given length through two relationships. Different paths share no complete join. */
  const paths = (steps: number): readonly string[] =>
    Array.from({ length: 2 ** steps }, (_, i) =>
      [...Array.from({ length: steps }, (_, at) => ((i >> at) & 1 ? "parent" : "mother")), "id"].join("."),
    );
  const tooDeep = "the query is nested deeper than 250 levels";
  const tooMany = "the query selects more than 2000 fields with fields";

  const attacks: readonly (readonly [name: string, args: object, message: string])[] = [
    ["14 stars, 83 bytes", { columns: [stars(14)] }, tooMany],
    ["24 stars, which ended the process", { columns: [stars(24)] }, tooMany],
    ["100,000 stars", { columns: [stars(100_000)] }, tooDeep],
    ["8 stars a hundred times", { columns: Array(100).fill(stars(8)) }, tooMany],
    ["stars below a relationship", { columns: [{ name: "children", columns: [stars(12)] }] }, tooMany],
    [
      "2,500 relationships",
      { columns: Array.from({ length: 2500 }, (_, i) => ({ name: "parent", alias: `a${i}`, columns: ["id"] })) },
      tooMany,
    ],
    ["a filter of 300 relationships", { columns: ["id"], where: nested(300, (parent) => ({ parent }), {}) }, tooDeep],
    [
      "a filter of 240 negations in lists",
      { columns: ["id"], where: nested(240, (inner) => ({ _and: [{ _not: inner }] }), {}) },
      "nested deeper than",
    ],
    [
      "a filter in a selection",
      { columns: [{ name: "children", columns: ["id"], where: nested(300, (parent) => ({ parent }), {}) }] },
      tooDeep,
    ],
    ["an order along 50,000 relationships", { columns: ["id"], order_by: [`${"parent.".repeat(50_000)}id`] }, tooDeep],
    [
      "orders along a thousand paths",
      { columns: ["id"], order_by: paths(10) },
      "the query joins more than 500 rows to those of one list",
    ],
  ];

  describe.each([
    ["admin", {}, "2000 fields with fields"],
    ["a role", { "x-engine-role": "user" }, "1000 fields with fields"],
  ])("Data operations of %s", (_, headers, most) => {
    it.each(attacks)("The data operation is refused within time and memory limits: %s", async (_, given, text) => {
      const message = text.replace("2000 fields with fields", most);
      const operation = { type: "select", args: { table: "node", ...given } };
      const before = process.memoryUsage().rss;
      for (const body of [operation, { type: "bulk", args: [operation] }]) {
        const began = performance.now();
        const { status, json } = await server.post("/v1/query", body, headers);
        expect([status, json.error]).toEqual([400, expect.stringContaining(message)]);
        expect(performance.now() - began).toBeLessThan(3000);
      }
      expect(process.memoryUsage().rss - before).toBeLessThan(200_000_000);
    });

    it.each([
      ["count", {}],
      ["update", { $set: { parent_id: null } }],
      ["delete", {}],
    ])("An oversized filter of %s is refused", async (type, more) => {
      const args = { table: "node", where: nested(300, (parent) => ({ parent }), {}), ...more };
      const { status } = await server.post("/v1/query", { type, args }, headers);
      expect(status).toBe(400);
      expect(await query(server.databaseUrl, "select count(*)::int from node")).toEqual([{ count: 2 }]);
    });

    it("A data operation within the budgets runs", async () => {
      const ask = async (args: object) =>
        (await server.post("/v1/query", { type: "select", args: { table: "node", ...args } }, headers)).json;
      expect(await ask({ columns: [stars(4)], where: { id: 2 } })).toMatchObject([
        { parent: { children: [{ id: 2 }] } },
      ]);
      expect(await ask({ columns: relatives(100), where: { id: 2 } })).toEqual([{ children: [] }]);
      expect(await ask({ columns: ["id"], order_by: [`${"parent.".repeat(30)}id`, "id"] })).toEqual([
        { id: 1 },
        { id: 2 },
      ]);
    });
  });

  it("GraphQL has the same budgets for fragments and nested variables", async () => {
    const message = async (text: string, variables?: unknown) => {
      const answer = (await server.graphql(text, {}, variables)) as { errors: { message: string }[] };
      return answer.errors[0]?.message;
    };
    const fragment = (i: number) => `fragment F${i} on node { a: parent { ...F${i + 1} } b: parent { ...F${i + 1} } }`;
    const bomb = Array.from({ length: 12 }, (_, i) => fragment(i)).join(" ");
    expect(await message(`{ node { ...F0 } } ${bomb} fragment F12 on node { id }`)).toBe(tooMany);
    const chain = Array.from({ length: 10_000 }, (_, i) => `fragment F${i} on node { ...F${i + 1} }`).join(" ");
    expect(await message(`{ node { ...F0 } } ${chain} fragment F10000 on node { id }`)).toBe(tooDeep);
    const where = nested(300, (parent) => ({ parent }), {});
    expect(await message("query ($where: node_bool_exp) { node(where: $where) { id } }", { where })).toBe(tooDeep);
    const orders = paths(10).map((path) =>
      path.split(".").reduceRight<unknown>((inner, key) => ({ [key]: inner }), "asc"),
    );
    expect(await message("query ($by: [node_order_by!]) { node(order_by: $by) { id } }", { by: orders })).toContain(
      "joins more than 500",
    );
  });
});

describe("Requests at the size limits", () => {
  const options = { stringifyNumbers: false, nullCollapse: false };
  const reader = roleSchema(sampleRole);
  const writer = roleSchema(sampleWriter);
  const session = new Map([["x-engine-branch-id", "1"]]);
  const bytes = parseOptions({}, {}).maxBodyBytes;
  const filled = (item: (i: number) => unknown): unknown[] =>
    Array.from({ length: bytes / (JSON.stringify(item(0)).length + 1) }, (_, i) => item(i));

  /** Returns processor time, which other load does not affect; the better of two runs, without compilation. */
  function milliseconds(work: () => unknown): number {
    const times = [0, 1].map(() => {
      const began = process.cpuUsage();
      work();
      const { user, system } = process.cpuUsage(began);
      return (user + system) / 1000;
    });
    return Math.min(...times);
  }

  const insert = "mutation ($v: [book_insert_input!]!) { insert_book(objects: $v) { affected_rows } }";
  const cases: readonly { readonly name: string; readonly text: string; readonly value: () => unknown }[] = [
    { name: "rows", text: insert, value: () => filled((i) => ({ id: 1000 + (i % 9), title: "abcdef" })) },
    {
      name: "rows of other columns than the row before",
      text: insert,
      value: () => Array.from({ length: 499 }, (_, i) => (i % 2 ? { id: i } : { title: "a" })),
    },
    {
      name: "a list of values",
      text: "query ($v: [Int!]) { book(where: {id: {_in: $v}}) { id } }",
      value: () => filled(() => 1),
    },
    {
      name: "conditions",
      text: "query ($v: book_bool_exp) { book(where: $v) { id } }",
      value: () => ({ _or: Array.from({ length: 2450 }, (_, i) => ({ id: { _eq: i } })) }),
    },
    {
      name: "a JSON value",
      text: "query ($v: jsonb) { book(where: {details: {_eq: $v}}) { id } }",
      value: () => filled(() => []),
    },
  ];

  // The budget is 100 ms on an idle machine. The original defect took seconds.
  it.each(cases)(
    "A request of maximum size is planned and bound without long pauses: $name",
    { timeout: 60_000 },
    (each) => {
      const variables = { v: each.value() };
      const operation = readOperation(each.text, null);
      const isMutation = each.text.startsWith("mutation");
      const { plan } = isMutation
        ? planMutation(operation, writer, variables, options)
        : planQuery(operation, reader, variables, options);
      const writes = prepareWrites(plan.writes, { named: false });
      const planning = () =>
        isMutation
          ? planMutation(operation, writer, { ...variables }, options)
          : planQuery(operation, reader, variables, options);
      const binding = () => {
        const input = { variables: { ...variables }, session };
        for (const { slots } of plan.statements) bind(slots, input);
        for (const write of writes) bindWrites(write, input);
      };
      expect(milliseconds(planning)).toBeLessThan(200);
      expect(milliseconds(binding)).toBeLessThan(200);
    },
  );

  const repeated = (count: number, text: (i: number) => string): string =>
    Array.from({ length: count }, (_, i) => text(i)).join(" ");
  it.each([
    ["fields", `{ book { ${repeated(4990, (i) => `a${i}: id`)} } }`],
    ["rows", `mutation { insert_book(objects: [${repeated(2250, () => '{id: 1, title: "a"}')}]) { affected_rows } }`],
    ["conditions", `{ book(where: {_or: [${repeated(2490, () => "{id: {_eq: 1}}")}]}) { id } }`],
  ])("A document of maximum size is parsed and planned without long pauses: %s", { timeout: 60_000 }, (_, text) => {
    const budget = budgetOf("user");
    const serve = () => {
      const operation = readOperation(text, null, budget);
      if (text.startsWith("mutation")) planMutation(operation, writer, {}, options);
      else planQuery(operation, reader, {}, options);
    };
    expect(milliseconds(serve)).toBeLessThan(200);
  });

  it("A document has a limited number of tokens, which is higher for admins", () => {
    const text = `{ book(where: {_or: [${repeated(3000, () => "{id: {_eq: 1}}")}]}) { id } }`;
    expect(() => readOperation(text, null, budgetOf("user"))).toThrow("not a valid graphql query");
    expect(readOperation(text, null, budgetOf("admin")).measure.fields).toBe(2);
  });

  it.each([
    ["conditions", cases[3]?.text ?? "", { _or: Array.from({ length: 5000 }, () => ({})) }],
    [
      "rows with different columns",
      insert,
      Array.from({ length: 501 }, (_, i) => (i % 2 ? { id: i } : { title: "a" })),
    ],
  ])("A request has a limited number of %s", (_, text, v) => {
    const operation = readOperation(text, null);
    const plan = () =>
      text === insert ? planMutation(operation, writer, { v }, options) : planQuery(operation, reader, { v }, options);
    expect(plan).toThrow("the request has more than 5000 conditions, orderings and other parts");
  });
});
