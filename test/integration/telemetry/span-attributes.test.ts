/** The table of attributes in `docs/how-to/tracing.md` equals the attributes that spans have. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type SpanAttributeRow, spanAttributeTable } from "../../../runtime/values/span-attributes.ts";
import { startActionHandler } from "../../support/action-handler.ts";
import { type OtlpReceiver, startOtlpReceiver } from "../../support/otlp-receiver.ts";
import { startRemoteGraphql } from "../../support/remote-graphql.ts";
import { startTestServer, type TestServer } from "../../support/server.ts";
import { root } from "../../support/shared-checks.ts";

const rows = Object.entries<SpanAttributeRow>(spanAttributeTable);
const current = rows.map(([name]) => name);
const old = rows.flatMap(([, { old }]) => old ?? []);

let collector: OtlpReceiver;
let server: TestServer;
const closing: (() => Promise<unknown>)[] = [];

const exported = () => ({
  status: "enabled",
  data_types: ["traces"],
  exporter_otlp: { otlp_traces_endpoint: `${collector.url}/v1/traces` },
  batch_span_processor: { max_export_batch_size: 1 },
});

beforeAll(async () => {
  collector = await startOtlpReceiver();
  const handler = await startActionHandler((_, response) => void response.end('{"id": 1}'));
  const remote = await startRemoteGraphql("type Query { about(id: Int!): String }");
  server = await startTestServer({
    sealed: false,
    environment: {
      ENGINE_GRAPHQL_ENABLE_QUERY_TRACING: "true",
      ENGINE_GRAPHQL_TRACES_OLD_ATTRIBUTES: "true",
      HOOK: `http://127.0.0.1:${handler.port}`,
    },
  });
  closing.push(handler.close, remote.close, () => server.close());
  const sql = "create table book (id serial primary key, title text not null check (title <> 'bad'))";
  await server.post("/v2/query", { type: "run_sql", args: { sql } });
  await server.metadata("pg_track_table", { table: "book" });
  await server.metadata("add_remote_schema", {
    name: "abouts",
    definition: { url: `http://127.0.0.1:${remote.port}` },
  });
  const remote_field = { about: { arguments: { id: "$id" } } };
  const definition = { to_remote_schema: { remote_schema: "abouts", lhs_fields: ["id"], remote_field } };
  await server.metadata("pg_create_remote_relationship", { table: "book", name: "about", definition });
  const trigger = { name: "on_book", table: "book", webhook: "{{HOOK}}", insert: { columns: "*" } };
  await server.metadata("pg_create_event_trigger", trigger);
  await server.metadata("set_custom_types", { objects: [{ name: "Order", fields: [{ name: "id", type: "Int!" }] }] });
  const action = { kind: "asynchronous", type: "mutation", handler: "{{HOOK}}", output_type: "Order" };
  await server.metadata("create_action", { name: "order", definition: action });
  await server.metadata("set_opentelemetry_config", exported());
}, 60_000);

afterAll(async () => {
  for (const close of closing.reverse()) await close();
  await collector?.close();
});

const namesOf = () => [...new Set(collector.spans.flatMap(({ attributes }) => Object.keys(attributes)))].sort();

it("The page on traces lists every attribute with its convention and its old name", async () => {
  const page = await readFile(join(root, "docs/how-to/tracing.md"), "utf8");
  const [, table = ""] = /^## Attributes\n.*?\n\| ---[^\n]*\n(.*?)\n\n/ms.exec(page) ?? [];
  expect(table.split("\n")).toEqual(
    rows.map(([name, { convention, old: before, help }]) => {
      return `| \`${name}\` | ${convention ?? "–"} | ${before === undefined ? "–" : `\`${before}\``} | ${help} |`;
    }),
  );
});

it("Spans have every attribute of the table, under the old names too if the option is on, and no other", async () => {
  await server.graphql('mutation Add { insert_book_one(object: {title: "good"}) { id } }', {
    "user-agent": "tester/1",
  });
  await server.graphql('mutation Add { insert_book_one(object: {title: "bad"}) { id } }');
  await server.graphql("query Books { book { id about } }");
  await server.graphql("mutation { order }");
  await fetch(`${server.url}/v1/version`, { method: "PROPFIND" });
  await expect.poll(namesOf, { timeout: 20_000 }).toEqual([...current, ...old].sort());
  const books = collector.spans.find(({ attributes }) => attributes["graphql.operation.name"] === "Books");
  expect(books?.attributes).toMatchObject({
    "user.roles": ["admin"],
    "enduser.role": "admin",
    "graphql.document": "query Books { book { id about } }",
    "graphql.query": "query Books { book { id about } }",
  });
});

it("Spans have no old names by default", async () => {
  const other = await startTestServer({ sealed: false, on: server, environment: { HOOK: "http://127.0.0.1:9" } });
  try {
    await other.graphql("query Default { book { id } }");
    const found = () => collector.spans.find(({ attributes }) => attributes["graphql.operation.name"] === "Default");
    await expect.poll(found, { timeout: 20_000 }).toBeDefined();
    const names = Object.keys(found()?.attributes ?? {});
    expect(names.filter((name) => old.includes(name))).toEqual([]);
    expect(names).toContain("user.roles");
  } finally {
    await other.stop();
  }
});
