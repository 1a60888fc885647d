/** `engine compile --client`: documents that type-check and run on a server. */
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { transform } from "esbuild";
import { type DocumentNode, print } from "graphql";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { compileCommand } from "../../runtime/cli/commands/compile.ts";
import { readMetadataDirectory } from "../../runtime/cli/metadata-directory/read.ts";
import { startTestServer, type TestServer } from "../support/server.ts";

const repository = join(import.meta.dirname, "../..");
const library = join(repository, "fixtures/library");

let folder: string;
let server: TestServer;

beforeAll(async () => {
  vi.spyOn(process.stdout, "write").mockReturnValue(true);
  folder = await mkdtemp(join(tmpdir(), "client-"));
  await symlink(join(repository, "node_modules"), join(folder, "node_modules"));
  const out = join(folder, "out");
  const metadata = join(library, "metadata");
  expect(await compileCommand({ metadata, shape: join(library, "shape.json"), out, client: true })).toBe(0);
  server = await startTestServer();
  for (const file of ["schema.sql", "seed.sql"]) {
    const sql = await readFile(join(library, "postgres", file), "utf8");
    await server.post("/v2/query", { type: "run_sql", args: { sql } });
  }
  await server.metadata("replace_metadata", (await readMetadataDirectory(metadata)).metadata);
});

afterAll(async () => {
  vi.restoreAllMocks();
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

const use = `
import type { TypedDocumentNode } from "@graphql-typed-document-node/core";
import { BookDocument, FindBooksDocument, LendDocument, SearchDocument } from "./out/client.js";

declare function ask<R, V>(document: TypedDocumentNode<R, V>, variables: V): R;

const found = ask(FindBooksDocument, { title: "%" });
export const title: string | undefined = found.book[0]?.title;
export const genres: readonly string[] | undefined = found.book[0]?.genres;
const book = ask(BookDocument, { id: 1, withReviews: true }).book_by_pk;
export const author: string | undefined = book?.author?.name;
export const stars: number | undefined = book?.reviews?.[0]?.stars;
ask(LendDocument, { copy: 1, member: "x", until: "2024-01-01" });
ask(SearchDocument, { where: { _and: [{ title: { _ilike: "%" } }], author: { name: { _eq: "A" } } } });
// @ts-expect-error the title has to be given
ask(FindBooksDocument, {});
// @ts-expect-error an id is a number
ask(BookDocument, { id: "1" });
// @ts-expect-error books have no such field
export const none = book?.isbn;
// @ts-expect-error there may be no such book
export const text: string = book.title;
// @ts-expect-error there is no such operator
ask(SearchDocument, { where: { title: { _like_this: "%" } } });
`;

it("The generated client passes the type checker", { timeout: 60_000 }, async () => {
  await writeFile(join(folder, "use.ts"), use);
  const options = [
    "--noEmit",
    "--strict",
    "--exactOptionalPropertyTypes",
    "--module",
    "nodenext",
    "--target",
    "es2022",
  ];
  const compiler = join(repository, "node_modules/.bin/tsc");
  const run = promisify(execFile)(compiler, [...options, "use.ts"], { cwd: folder, encoding: "utf8" });
  const { stdout } = await run.catch((error: { readonly stdout: string }) => error);
  expect(stdout).toBe("");
});

it("The operations of the generated client run as saved operations", async () => {
  const source = await readFile(join(folder, "out/client.ts"), "utf8");
  const { code } = await transform(source, { loader: "ts", format: "esm" });
  await writeFile(join(folder, "client.mjs"), code);
  const documents = (await import(pathToFileURL(join(folder, "client.mjs")).href)) as Record<string, DocumentNode>;
  const { BookDocument } = documents;
  const query = BookDocument ? print(BookDocument) : "";
  expect(await server.graphql(query, {}, { id: 1 })).toMatchObject({
    data: { book_by_pk: { title: expect.any(String) } },
  });
});
