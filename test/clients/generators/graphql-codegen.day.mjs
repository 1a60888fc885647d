/** GraphQL Code Generator with its client preset: typed documents that TypeScript checks. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { endpoint, headersOf, seed } from "../premises.mjs";
import { documents, Program, reported, reportSource, transport } from "./program.mjs";

let program;

const config = JSON.stringify({
  schema: [{ [endpoint]: { headers: headersOf("codegen") } }],
  documents: ["src/program.ts"],
  generates: { "src/gql/": { preset: "client", config: { documentMode: "string", useTypeImports: true } } },
});

const start = `
import { graphql } from "./gql/gql.js";
import { send } from "./transport.js";
import type { TypedDocumentString } from "./gql/graphql.js";

const ask = <R, V>(url: string, headers: Record<string, string>, document: TypedDocumentString<R, V>, variables: V): Promise<R> =>
  send(url, headers, document.toString(), variables);
`;

const source = `${start}
const list = graphql(\`${documents.list}\`);
const create = graphql(\`${documents.create}\`);
const update = graphql(\`${documents.update}\`);
const remove = graphql(\`${documents.remove}\`);

export async function day(url: string, headers: Record<string, string>) {
  const page = await ask(url, headers, list, { where: { folder: { name: { _eq: "Archive" } } }, offset: 1 });
  const titles: string[] = page.note.map(({ title, folder }) => title + " in " + folder.name);
  const created = await ask(url, headers, create, { object: { title: "new", folder_id: 1 } });
  const id = created.insert_note_one?.id;
  const updated = await ask(url, headers, update, { id, stars: 4 });
  const stars: number | undefined = updated.update_note_by_pk?.stars;
  const removed = await ask(url, headers, remove, { id });
  const refused = await ask(url, headers, create, { object: { title: "", folder_id: 1 } }).catch((error: Error) => error.message);
  return { titles, stars, isRemoved: removed.delete_note_by_pk?.id === id, refused };
}
`;

before(async () => {
  await seed("codegen", 6);
  program = await Program.open({
    "codegen.json": config,
    "src/transport.ts": transport,
    "src/program.ts": source,
  });
});
after(() => program.close());

test("graphql-codegen writes types that a program compiles with and works by", async () => {
  await program.run("graphql-codegen", "--config", "codegen.json");
  await program.check();
  const { day } = await program.load();
  assert.deepEqual(await day(endpoint, headersOf("codegen")), {
    titles: ["note 04 in Archive", "note 06 in Archive"],
    stars: 4,
    isRemoved: true,
    refused: "permission-error",
  });
  assert.deepEqual((await day(endpoint, headersOf("codegen-2"))).titles, []);
});

test("graphql-codegen refuses a field that the role does not see", async () => {
  const wrong = source.replace("id title folder", "id owner folder");
  await program.write({ "src/program.ts": wrong });
  await assert.rejects(program.run("graphql-codegen", "--config", "codegen.json"), /owner/);
});

test("graphql-codegen writes types of groups, of the first rows of groups, and of writes and changes of rows", async () => {
  const user = "codegen-3";
  await seed(user, 5);
  const source = reportSource(start);
  await program.write({ "src/program.ts": source });
  await program.run("graphql-codegen", "--config", "codegen.json");
  await program.check();
  const { day } = await program.load();
  assert.deepEqual(await day(endpoint, headersOf(user)), reported);
  await program.write({ "src/program.ts": source.replace("change.old?.stars", "change.old.stars") });
  await assert.rejects(program.check(), /'change.old' is possibly 'null'/);
});
