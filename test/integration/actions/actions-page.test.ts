/** Runs the commands of `docs/how-to/actions.md`. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { type ActionHandlerServer, startActionHandler } from "../../support/action-handler.ts";
import { query } from "../../support/database.ts";
import { startTestServer, type TestServer } from "../../support/server.ts";
import { root } from "../../support/shared-checks.ts";

let page: string;
let handler: ActionHandlerServer;
let server: TestServer;

beforeAll(async () => {
  page = await readFile(join(root, "docs/how-to/actions.md"), "utf8");
  handler = await startActionHandler((_, response) => void response.end('{"id": 1, "buyer": 7}'));
  server = await startTestServer({ environment: { HANDLER: `http://127.0.0.1:${handler.port}` } });
  await query(
    server.databaseUrl,
    "create table person (id int primary key, name text); insert into person values (7, 'Ann')",
  );
  const permission = { columns: ["name"], filter: {} };
  await server.metadata("pg_track_table", { table: "person" });
  await server.metadata("pg_create_select_permission", { table: "person", role: "user", permission });
  for (const name of ["metadata", "asynchronous"]) {
    const { type, args } = JSON.parse(block(name));
    await server.metadata(type, args);
  }
}, 60_000);

afterAll(async () => {
  await server?.close();
  await handler?.close();
});

const block = (name: string): string => {
  const text = new RegExp(`<!-- ${name} -->\n\`\`\`\\w+\n(.*?)\`\`\``, "s").exec(page)?.[1];
  if (text === undefined) throw new Error(`the page has no ${name}`);
  return text;
};

const inline = (start: string): string => {
  const [text] = page.split("`").filter((each) => each.startsWith(start));
  if (text === undefined) throw new Error(`the page has no ${start}`);
  return text;
};

const user = { "x-engine-role": "user", "x-engine-user-id": "42" };
const buyer = { id: 1, person: { name: "Ann" } };

it("The example of a synchronous action returns the result of its handler", async () => {
  expect(await server.graphql(inline("mutation { place_order"), user)).toEqual({ data: { place_order: buyer } });
});

it("The example of an asynchronous action returns an id by which its result is read", async () => {
  const { json: called } = await server.post("/v1/graphql", { query: inline("mutation { print_order") }, user);
  const body = { query: block("result"), variables: { id: called.data.print_order } };
  await vi.waitFor(async () => {
    const { json } = await server.post("/v1/graphql", body, user);
    expect(json).toMatchObject({ data: { print_order: { errors: null, output: buyer } } });
  }, 10_000);
  const other = await server.post("/v1/graphql", body, { ...user, "x-engine-user-id": "43" });
  expect(other.json).toEqual({ data: { print_order: null } });
  expect(await server.metadata("get_action_logs", { action_name: "print_order" })).toMatchObject({
    calls: [{ id: called.data.print_order, status: "completed", role: "user", input: { id: 1 }, errors: null }],
  });
  const { type, args } = JSON.parse(block("calls"));
  expect(await server.metadata(type, args)).toEqual({ calls: [], count: 0 });
});

it("The example of retries adds them to the asynchronous action", async () => {
  const { type, args } = JSON.parse(block("retries"));
  expect(await server.metadata(type, args)).toEqual({ message: "success" });
  const { json } = await server.post("/v1/metadata", { type: "export_metadata", args: {} });
  const printOrder = json.actions.find(({ name }: { readonly name: string }) => name === "print_order");
  expect(printOrder.definition.retry_conf).toEqual(args.definition.retry_conf);
});
