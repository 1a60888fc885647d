/** Requests whose joined source or remote schema fails during the request, and requests afterwards. */
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { createDatabase, query, type TestDatabase } from "../../support/database.ts";
import { type DatabaseProxy, startProxy } from "../../support/database-proxy.ts";
import { startTestServer, type TestServer } from "../../support/server.ts";

const introspection = JSON.stringify({
  data: {
    __schema: {
      queryType: { name: "Query" },
      mutationType: null,
      subscriptionType: null,
      directives: [],
      types: [
        { kind: "SCALAR", name: "Int" },
        { kind: "SCALAR", name: "String" },
        {
          kind: "OBJECT",
          name: "Query",
          interfaces: [],
          fields: [
            {
              name: "label",
              args: [{ name: "id", type: { kind: "SCALAR", name: "Int" } }],
              type: { kind: "SCALAR", name: "String" },
            },
          ],
        },
      ],
    },
  },
});

let databases: readonly TestDatabase[] = [];
let proxy: DatabaseProxy;
let remote: Server;
/** The behaviour of the remote server. */
let behaviour: "answer" | "hang up" | "hang" = "answer";
/** Texts of the requests that it received. */
const remoteRequests: string[] = [];
let server: TestServer;

beforeAll(async () => {
  databases = [await createDatabase("faults_left"), await createDatabase("faults_right")];
  const [left = "", right = ""] = databases.map(({ url }) => url);
  await query(
    left,
    "create table item (id int primary key, title text); insert into item select n, 'item ' || n from generate_series(1, 20) n",
  );
  await query(
    right,
    `create table part (id int primary key); insert into part select generate_series(1, 20);
     create view slow_part as select id, pg_sleep(0.1)::text as waited from part;`,
  );
  proxy = await startProxy(right);
  remote = createServer((request, response) => {
    let text = "";
    request.on("data", (chunk) => (text += chunk));
    request.on("end", () => {
      if (text.includes("__schema")) {
        response.end(introspection);
        return;
      }
      remoteRequests.push(text);
      if (behaviour === "hang up") request.socket.destroy();
      else if (behaviour === "answer") {
        const aliases = [...text.matchAll(/(f\d+):/g)].map(([, alias]) => `"${alias}":"a label"`);
        response.end(`{"data":{${aliases.join(",")}}}`);
      }
    });
  });
  await new Promise<void>((resolve) => remote.listen(0, "127.0.0.1", resolve));
  server = await startTestServer({
    environment: {
      ENGINE_GRAPHQL_DATABASE_URL: left,
      RIGHT: proxy.url,
      REMOTE: `http://127.0.0.1:${(remote.address() as AddressInfo).port}/graphql`,
    },
  });
  const connection_info = { database_url: { from_env: "RIGHT" }, pool_settings: { max_connections: 3 } };
  await server.metadata("pg_add_source", { name: "right", configuration: { connection_info } });
  await server.metadata("pg_track_table", { table: "item" });
  for (const table of ["part", "slow_part"]) await server.metadata("pg_track_table", { source: "right", table });
  const definition = { url_from_env: "REMOTE", timeout_seconds: 1 };
  await server.metadata("add_remote_schema", { name: "remote", definition });
  const relate = (source: string, table: string, name: string, to: object) =>
    server.metadata("pg_create_remote_relationship", { source, table, name, definition: to });
  const toTable = (table: string) => ({
    to_source: { source: "right", table, relationship_type: "object", field_mapping: { id: "id" } },
  });
  const label = { label: { arguments: { id: "$id" } } };
  const toRemote = { to_remote_schema: { remote_schema: "remote", lhs_fields: ["id"], remote_field: label } };
  await relate("default", "item", "part", toTable("part"));
  await relate("default", "item", "slow", toTable("slow_part"));
  await relate("default", "item", "label", toRemote);
  for (const table of ["part", "slow_part"]) await relate("right", table, "label", toRemote);
}, 60_000);

afterAll(async () => {
  await server?.close();
  await proxy?.close();
  remote?.closeAllConnections();
  remote?.close();
  await Promise.all(databases.map((database) => database.drop()));
});

afterEach(() => {
  behaviour = "answer";
});

const ask = async (text: string) => (await server.post("/v1/graphql", { query: text })).json;

/** Checks the recovery: requests succeed, and no connection is busy or in a transaction. */
async function expectRecovered(): Promise<void> {
  await vi.waitFor(async () => {
    const answer = await ask("{ item(limit: 1) { id part { id label } label } }");
    expect(answer).toEqual({ data: { item: [{ id: 1, part: { id: 1, label: "a label" }, label: "a label" }] } });
  }, 15_000);
  const names = databases.map(({ name }) => `'${name}'`).join(", ");
  await vi.waitFor(async () => {
    const busy = await query(
      databases[0]?.url ?? "",
      `select datname, state, query from pg_stat_activity
       where datname in (${names}) and state <> 'idle' and pid <> pg_backend_pid()`,
    );
    expect(busy).toEqual([]);
  }, 15_000);
}

/** Resolves when the other database runs the statement of a join. */
async function slowStatement(): Promise<void> {
  await vi.waitFor(async () => {
    const running = await query(
      databases[1]?.url ?? "",
      "select 1 from pg_stat_activity where state = 'active' and query like '%slow_part%' and pid <> pg_backend_pid()",
    );
    expect(running).toHaveLength(1);
  }, 10_000);
}

const connectionError = {
  errors: [{ message: "connection error", extensions: { path: "$", code: "postgres-error" } }],
};

describe("Database faults during joins", () => {
  it("A connection cut during a join fails the request, and the next one succeeds", async () => {
    const answer = ask("{ item { id slow { id waited } } }");
    await slowStatement();
    proxy.cut();
    expect(await answer).toMatchObject(connectionError);
    await expectRecovered();
  });

  it("A connection ended by a shutdown during a join is replaced and the statement repeated", async () => {
    const answer = ask("{ item { id slow { id waited } } }");
    await slowStatement();
    const running = "from pg_stat_activity where query like '%slow_part%' and pid <> pg_backend_pid()";
    const ended = await query(databases[1]?.url ?? "", `select pg_terminate_backend(pid) as ended ${running}`);
    expect(ended).toEqual([{ ended: true }]);
    const { data } = await answer;
    expect(data.item.map(({ slow }: { slow: { id: number } }) => slow.id)).toHaveLength(20);
    await expectRecovered();
  });

  it("An unreachable joined source does not affect requests without the join", async () => {
    const { name = "", url = "" } = databases[1] ?? {};
    const main = databases[0]?.url ?? "";
    await query(main, `alter database "${name}" allow_connections false`);
    await query(main, `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`);
    const asking = Array.from({ length: 10 }, () => ask("{ item { id part { id } } }"));
    for (const answer of await Promise.all(asking)) expect(answer).toMatchObject(connectionError);
    expect(await ask("{ item(limit: 1) { id label } }")).toEqual({ data: { item: [{ id: 1, label: "a label" }] } });
    await query(main, `alter database "${name}" allow_connections true`);
    await query(url, "select 1");
    await expectRecovered();
  });

  it("A join that fails after a write keeps the write and returns the error", async () => {
    const text = `mutation { update_item(where: {id: {_lte: 20}}, _set: {title: "written"}) { returning { id slow { waited } } } }`;
    const answer = ask(text);
    await slowStatement();
    proxy.cut();
    expect(await answer).toMatchObject(connectionError);
    const rows = await query(databases[0]?.url ?? "", "select distinct title from item");
    expect(rows).toEqual([{ title: "written" }]);
    await expectRecovered();
  });
});

describe("Remote server faults during joins", () => {
  it("A remote server that fails between two levels fails the request", async () => {
    behaviour = "hang up";
    const { data, errors } = await ask("{ item { id part { id label } } }");
    expect(data).toBeUndefined();
    expect(errors).toMatchObject([{ extensions: { code: "remote-schema-error" } }]);
    behaviour = "answer";
    await expectRecovered();
  });

  it("A remote server that times out fails the request", async () => {
    behaviour = "hang";
    const began = Date.now();
    const { data, errors } = await ask("{ item { id label } }");
    expect(data).toBeUndefined();
    expect(errors).toMatchObject([{ extensions: { code: "remote-schema-error" } }]);
    expect(Date.now() - began).toBeLessThan(10_000);
    behaviour = "answer";
    await expectRecovered();
  });

  it("A failing remote server fails the request without waiting for a slow database", async () => {
    behaviour = "hang up";
    const answer = await ask("{ item { id slow { waited } label } }");
    expect(answer.errors).toMatchObject([{ extensions: { code: "remote-schema-error" } }]);
    behaviour = "answer";
    await expectRecovered();
  });

  it("A remote server is not called if the client disconnects before its level", async () => {
    remoteRequests.length = 0;
    const gone = new AbortController();
    const body = JSON.stringify({ query: "{ item { id slow { waited label } } }" });
    const answer = fetch(`${server.url}/v1/graphql`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body,
      signal: gone.signal,
    });
    const aborted = expect(answer).rejects.toThrow();
    await slowStatement();
    gone.abort();
    await aborted;
    await vi.waitFor(async () => {
      const running = "select 1 from pg_stat_activity where state = 'active' and query like '%slow_part%'";
      expect(await query(databases[1]?.url ?? "", `${running} and pid <> pg_backend_pid()`)).toEqual([]);
    }, 10_000);
    expect(remoteRequests).toEqual([]);
    await expectRecovered();
  });
});
