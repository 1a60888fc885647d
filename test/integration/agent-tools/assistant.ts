/** A database with a role for assistants, and tools on it. */
import { afterAll, beforeAll } from "vitest";
import { agentToolService } from "../../../runtime/execute/tools/agent-tool-service.ts";
import type { AgentToolLimits, RoleTool } from "../../../runtime/model/definitions/tools/agent-tool.ts";
import type { AgentToolService } from "../../../runtime/ports/agent-tools.ts";
import { AdmittedSession } from "../../../runtime/values/admitted-session.ts";
import { execution, TestEngine } from "../../support/compiled.ts";
import { createDatabase, query, type TestDatabase } from "../../support/database.ts";

export const rowsSql = `
insert into member select n, 'member ' || n from generate_series(1, 5) n;
insert into loan (id, member, book) select n, 1 + n % 5, 'book ' || n from generate_series(1, 30) n;
insert into fine select id, 5 from loan where id <= 3;`;

const schema = `
create table member (id int primary key, name text not null, secret text default 's');
create table loan (id int primary key, member int references member on delete cascade, book text not null,
  due date default '2026-01-01', stars int[] default '{}', facts jsonb default '[1, 2, 3]');
create table fine (loan int references loan on delete cascade, amount int);
create table audit (entry text);
create table visit (id int, day date) partition by range (day);
create table visit_2026 partition of visit for values from ('2026-01-01') to ('2027-01-01');
create function note_loan() returns trigger language plpgsql as $$
  begin insert into audit values (new.book); return new; end $$;
create trigger note after insert on loan for each row execute function note_loan();
create function add_visit(nr int) returns setof member language sql volatile as $$
  insert into visit values (nr, '2026-02-02'); select * from member where id = nr $$;
create function add_visit_q(nr int) returns setof member language sql volatile as $$
  insert into visit values (nr, '2026-02-02'); select * from member where id = nr $$;
create view slow as select 1 as id from pg_sleep(20);
${rowsSql}`;

export const role = "assistant";
const reads = { role, permission: { filter: {}, columns: "*" } };
const deletes = { role, permission: { filter: {} } };
const using = (foreign_key_constraint_on: unknown) => ({ foreign_key_constraint_on });

const tables = [
  {
    table: "member",
    select_permissions: [{ role, permission: { filter: {}, columns: ["id", "name"], allow_aggregations: true } }],
    insert_permissions: [{ role, permission: { check: {}, columns: ["id", "name"] } }],
    update_permissions: [{ role, permission: { filter: {}, columns: ["name"] } }],
    delete_permissions: [deletes],
    array_relationships: [{ name: "loans", using: using({ table: "loan", column: "member" }) }],
  },
  {
    table: "loan",
    select_permissions: [reads],
    insert_permissions: [{ role, permission: { check: { id: { _lt: 1000 } }, columns: "*" } }],
    update_permissions: [{ role, permission: { filter: {}, columns: "*" } }],
    delete_permissions: [deletes],
  },
  { table: "fine" },
  { table: "slow", select_permissions: [reads] },
  { table: "visit", select_permissions: [reads] },
];

const functions = [
  { function: "add_visit", configuration: { exposed_as: "mutation" }, permissions: [{ role }] },
  { function: "add_visit_q", configuration: { exposed_as: "query" }, permissions: [{ role }] },
];

/** Its SQL calls a function that writes. */
const nativeQueries = {
  logical_models: [
    {
      name: "visitor",
      fields: [{ name: "id", type: { scalar: "integer", nullable: true } }],
      select_permissions: [{ role, permission: { columns: ["id"], filter: {} } }],
    },
  ],
  native_queries: [
    {
      root_field_name: "visit_natively",
      returns: "visitor",
      code: "select id from add_visit({{nr}})",
      arguments: { nr: { type: "integer", nullable: false } },
    },
  ],
};

const limits: AgentToolLimits = { rows: 1000, bytes: 100_000, seconds: 10 };

/** Returns a tool for an operation. */
export function tool(text: string, more: Partial<AgentToolLimits> = {}): RoleTool {
  const kind = text.startsWith("mutation") ? "mutation" : "query";
  return {
    tool: {
      name: "tool",
      description: "A tool.",
      operation: { collection: "tools", name: "tool", kind, text, variables: {} },
      limits: { ...limits, ...more },
    },
    hints: { readOnly: kind === "query", destructive: true, idempotent: false, openWorld: false },
    input: {},
    output: {},
  };
}

export const by = new AdmittedSession({ role, variables: new Map(), backendOnly: false });

/** Returns the service for an engine, with limits of queries: depth 3, 5 nodes, 20 rows, 10,000 bytes, 5 seconds. */
export function serviceOf(engine: TestEngine): AgentToolService {
  const { generation } = engine.served();
  return agentToolService(() => generation, execution, { depth: 3, nodes: 5, rows: 20, bytes: 10_000, seconds: 5 });
}

export interface Assistant {
  readonly service: AgentToolService;
  /** Runs an operation as a tool and returns its data. */
  run(text: string, limits?: Partial<AgentToolLimits>): Promise<unknown>;
  /** Runs SQL. */
  sql(text: string): Promise<readonly unknown[]>;
}

/** Starts the database before the tests of the file. */
export function useAssistant(): Assistant {
  let database: TestDatabase;
  let engine: TestEngine;
  let service: AgentToolService;
  beforeAll(async () => {
    database = await createDatabase();
    await query(database.url, schema);
    engine = new TestEngine(database.url);
    const configuration = { connection_info: { database_url: "postgres://unused" } };
    await engine.load({
      version: 3,
      sources: [{ name: "default", kind: "postgres", tables, functions, ...nativeQueries, configuration }],
    });
    service = serviceOf(engine);
  });
  afterAll(async () => {
    await engine.close();
    await database.drop();
  });
  return {
    get service() {
      return service;
    },
    run: async (text, more) => JSON.parse(await service.run(tool(text, more), {}, by)),
    sql: (text) => query(database.url, text),
  };
}
