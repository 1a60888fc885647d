/** The page `docs/how-to/remote-schemas.md`: its examples run against servers that have the schemas of the examples. */
import { execFile } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parse as parseYaml } from "yaml";
import { query } from "../support/database.ts";
import { openEvents } from "../support/event-stream.ts";
import { startUploadServer, type UploadServer } from "../support/multipart.ts";
import { type RemoteGraphql, startRemoteGraphql } from "../support/remote-graphql.ts";
import { type RemoteStreamServer, startRemoteStreams } from "../support/remote-streams.ts";
import { startTestServer, type TestServer } from "../support/server.ts";
import { root } from "../support/shared-checks.ts";
import { temporaryDirectory } from "../unit/metadata-directory/temporary-directory.ts";

const paymentsSdl = `
  type Query { invoices(open: Boolean, member: ID): [Invoice!]! }
  type Invoice { id: ID! total: Float paidBy: String }
`;
const usersSdl = `
  scalar _Any
  union _Entity = Product
  type Product { sku: String! title: String }
  type User { id: ID! name: String }
  type Query { users(ids: [ID!]!): [User] _entities(representations: [_Any!]!): [_Entity]! }
`;
const filesSdl = `
  scalar Upload
  type Receipt { id: ID! }
  type Query { receipts: Int }
  type Mutation { addInvoice(file: Upload!): Receipt }
`;
const streamsSdl = `
  type Query { shops: Int }
  type Paid { id: ID! total: Float }
  type Subscription { invoicePaid(shop: Int!): Paid }
`;

async function* invoicePaid({ shop }: { shop: number }) {
  yield { invoicePaid: { id: `i${shop}`, total: 7.5 } };
}

let page: string;
let payments: RemoteGraphql;
let users: RemoteGraphql;
let files: UploadServer;
let streams: RemoteStreamServer;
let engine: TestServer;

/** Returns the text of the block in a section, by its position among the section's blocks of the language. */
function block(section: string, language: string, position = 0): string {
  const [, text = ""] = page.split(`\n## ${section}\n`);
  const blocks = [...(text.split("\n## ")[0] ?? "").matchAll(/^```(\w*)\n(.*?)^```$/gms)];
  const found = blocks.filter(([, each]) => each === language)[position]?.[2];
  if (found === undefined) throw new Error(`${section} has no ${language} block ${position + 1}`);
  return found;
}

/** Parses a JSON example; the servers of the tests have no certificates. */
const parse = (text: string) => JSON.parse(text.replace("https://", "http://"));

beforeAll(async () => {
  page = await readFile(join(root, "docs/how-to/remote-schemas.md"), "utf8");
  payments = await startRemoteGraphql(paymentsSdl, 0, {
    root: { invoices: [{ id: "1", total: 12.5, paidBy: "card" }] },
  });
  const usersRoot = {
    users: ({ ids }: { ids: readonly string[] }) => ids.toReversed().map((id) => ({ id, name: `user ${id}` })),
    _entities: ({ representations }: { representations: readonly { sku: string }[] }) =>
      representations.map(({ sku }) => ({ __typename: "Product", sku, title: `title of ${sku}` })),
  };
  users = await startRemoteGraphql(usersSdl, 0, { root: usersRoot });
  files = await startUploadServer(filesSdl, () => ({ data: { addInvoice: { id: "7" } } }));
  streams = await startRemoteStreams(streamsSdl, { root: { invoicePaid } });
  engine = await startTestServer({
    environment: {
      PAYMENTS_HOST: `127.0.0.1:${payments.port}`,
      PAYMENTS_TOKEN: "Bearer p",
      USERS: `http://127.0.0.1:${users.port}`,
      FILES: files.url,
      STREAMS: `http://127.0.0.1:${streams.port}`,
      ENGINE_GRAPHQL_ENABLE_REMOTE_SCHEMA_PERMISSIONS: "true",
    },
  });
  await query(
    engine.databaseUrl,
    `create table member (id int primary key, name text not null, owner_id int, sku text);
     insert into member values (1, 'Ines', 5, 'a'), (2, 'Yuki', 6, 'b');`,
  );
  await engine.metadata("pg_track_table", { table: "member" });
  const { type, args } = parse(/-d '(.*?)'$/ms.exec(block("Getting started", "sh"))?.[1] ?? "");
  await engine.metadata(type, args);
});
afterAll(async () => {
  await engine?.close();
  for (const server of [payments, users, files, streams]) await server?.close();
});

describe("The page about remote schemas", () => {
  it("One query returns rows of a table and fields of the added server", async () => {
    expect(await engine.graphql(block("Getting started", "graphql"), {}, { member: 1 })).toEqual({
      data: { member_by_pk: { name: "Ines" }, invoices: [{ total: 12.5 }] },
    });
    expect(payments.headers.at(-1)).toMatchObject({ authorization: "Bearer p" });
  });

  it("The YAML of a project contains the added server", async () => {
    const { remote_schemas } = (await engine.metadata("export_metadata", {})) as { remote_schemas: unknown };
    expect(remote_schemas).toMatchObject(
      parseYaml(block("Getting started", "yaml").replace("https://", "http://")) as object[],
    );
    const { type, args } = parse(block("Getting started", "json"));
    expect(await engine.metadata(type, args)).toEqual({ message: "success" });
  });

  it("A role sends its own id as the preset of its permission document", async () => {
    const { type, args } = parse(block("Permissions", "json"));
    const words = (text: string) => text.split(/\s+/).filter(Boolean);
    expect(words(args.definition.schema)).toEqual(words(block("Permissions", "graphql")));
    const differing = { ...args, definition: { schema: args.definition.schema.replace("member: ID", "member: ID!") } };
    expect((await engine.post("/v1/metadata", { type, args: differing })).json.error).toContain('type of "member"');
    await engine.metadata(type, args);
    const clerk = { "x-engine-role": "clerk", "x-engine-user-id": "42" };
    expect(await engine.graphql("{ invoices { id paidBy } }", clerk)).toMatchObject({
      errors: [{ message: "field 'paidBy' not found in type: 'Invoice'" }],
    });
    const [, request = "", sent = ""] = /^request {3}(.*)\nsent {6}(.*)$/m.exec(page) ?? [];
    expect(await engine.graphql(request, clerk)).toEqual({ data: { open: [{ total: 12.5 }] } });
    expect(payments.requests.at(-1)).toMatchObject({
      query: expect.stringContaining(sent.slice(sent.indexOf("{"))),
      variables: { session_x_engine_user_id_ID: "42" },
    });
  });

  it("A batched relationship requests all keys at once, and entities need no batch", async () => {
    await engine.metadata("add_remote_schema", { name: "users", definition: { url_from_env: "USERS" } });
    const definition = parse(block("Batched relationships", "json"));
    await engine.metadata("pg_create_remote_relationship", { table: "member", name: "owner", definition });
    const remote_field = parse(block("Batched relationships", "json", 1));
    const product = { to_remote_schema: { remote_schema: "users", lhs_fields: ["sku"], remote_field } };
    await engine.metadata("pg_create_remote_relationship", { table: "member", name: "product", definition: product });
    const before = users.requests.length;
    expect(await engine.graphql("{ member(order_by: {id: asc}) { owner { name } } }")).toEqual({
      data: { member: [{ owner: { name: "user 5" } }, { owner: { name: "user 6" } }] },
    });
    expect(users.requests).toHaveLength(before + 1);
    expect(await engine.graphql("{ member(order_by: {id: asc}) { product { title } } }")).toEqual({
      data: { member: [{ product: { title: "title of a" } }, { product: { title: "title of b" } }] },
    });
  });

  it("The command for files forwards a file to the server", async () => {
    await engine.metadata("add_remote_schema", { name: "files", definition: { url_from_env: "FILES" } });
    const folder = await temporaryDirectory();
    await writeFile(join(folder, "invoice.pdf"), "a file");
    const command = block("Files", "sh").replace("localhost:8080", new URL(engine.url).host);
    const { stdout } = await promisify(execFile)("bash", ["-c", command.replace("curl", "curl -s")], { cwd: folder });
    expect(JSON.parse(stdout)).toEqual({ data: { addInvoice: { id: "7" } } });
    expect(files.uploads.at(-1)?.files).toMatchObject({ 0: { name: "invoice.pdf", text: "a file" } });
  });

  it("The subscription returns values of the server", async () => {
    const definition = { url_from_env: "STREAMS", subscriptions: true };
    await engine.metadata("add_remote_schema", { name: "streams", definition });
    const events = await openEvents(`${engine.url}/v1/graphql`, { query: block("Subscriptions", "graphql") });
    expect((await events.take())?.data).toEqual({ data: { invoicePaid: { id: "i1", total: 7.5 } } });
    events.close();
  });
});
