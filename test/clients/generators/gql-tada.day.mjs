/** gql.tada: types of documents that TypeScript infers from the schema alone. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { endpoint, headersOf, seed } from "../premises.mjs";
import { documents, Program, reported, reportSource, transport } from "./program.mjs";

let program;

const start = `
import { initGraphQLTada, type TadaDocumentNode } from "gql.tada";
import { print } from "graphql";
import type { introspection } from "./graphql-env.d.ts";
import { send } from "./transport.js";

const graphql = initGraphQLTada<{ introspection: introspection; scalars: { uuid: string } }>();

const ask = <R, V>(url: string, headers: Record<string, string>, document: TadaDocumentNode<R, V>, variables: V): Promise<R> =>
  send(url, headers, print(document), variables);
`;

const source = (list) => `${start}
const list = graphql(\`${list}\`);
const create = graphql(\`${documents.create}\`);
const update = graphql(\`${documents.update}\`);
const remove = graphql(\`${documents.remove}\`);

export async function day(url: string, headers: Record<string, string>) {
  const page = await ask(url, headers, list, { where: { stars: { _gt: 3 } }, offset: 0 });
  const titles: string[] = page.note.map(({ title, folder }) => title + " in " + folder.name);
  const { insert_note_one: created } = await ask(url, headers, create, { object: { title: "new", folder_id: 1 } });
  if (created === null) throw new Error("not created");
  const id: string = created.id;
  const updated = await ask(url, headers, update, { id, stars: 4 });
  const stars: number | undefined = updated.update_note_by_pk?.stars;
  const removed = await ask(url, headers, remove, { id });
  return { titles, stars, isRemoved: removed.delete_note_by_pk?.id === id };
}
`;

before(async () => {
  await seed("tada", 5);
  program = await Program.open({ "src/transport.ts": transport, "src/program.ts": source(documents.list) });
});
after(() => program.close());

test("gql.tada infers types that a program compiles with and works by", async () => {
  const plugin = { name: "gql.tada/ts-plugin", schema: "schema.graphql", tadaOutputLocation: "src/graphql-env.d.ts" };
  await program.write({ "tsconfig.json": JSON.stringify({ compilerOptions: { plugins: [plugin] } }) });
  const header = `authorization: ${headersOf("tada").authorization}`;
  await program.run("gql.tada", "generate-schema", endpoint, "--header", header, "--output", "schema.graphql");
  await program.run("gql.tada", "generate-output");
  await program.check();
  const { day } = await program.load();
  const done = { titles: ["note 04 in Archive", "note 05 in Inbox"], stars: 4, isRemoved: true };
  assert.deepEqual(await day(endpoint, headersOf("tada")), done);
  assert.deepEqual((await day(endpoint, headersOf("tada-2"))).titles, []);
});

test("gql.tada has no type for a field that the role does not see", async () => {
  await program.write({ "src/program.ts": source(documents.list.replace("id title", "id owner")) });
  await assert.rejects(program.check(), /program\.ts/);
});

test("gql.tada infers types of groups, of the first rows of groups, and of writes and changes of rows", async () => {
  const user = "tada-3";
  await seed(user, 5);
  await program.write({ "src/program.ts": reportSource(start) });
  await program.check();
  const { day } = await program.load();
  assert.deepEqual(await day(endpoint, headersOf(user)), reported);
});
