/** The page `docs/how-to/clients.md`: its command runs on its documents, and its programs pass the type checker. */
import { execFile, spawn } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { engine } from "../support/artifact.ts";
import { startTestServer } from "../support/server.ts";
import { ensureBuilt, root } from "../support/shared-checks.ts";

const library = join(root, "fixtures/library");
const metadata = ["--metadata", join(library, "metadata")];

let page: string;
let folder: string;

beforeAll(async () => {
  await ensureBuilt();
  page = await readFile(join(root, "docs/how-to/clients.md"), "utf8");
  folder = await mkdtemp(join(tmpdir(), "clients-"));
  for (const [, file = "", text = ""] of page.matchAll(/<!-- file: (\S+) -->\n```graphql\n(.*?)```/gs)) {
    await write(file, text);
  }
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function write(file: string, text: string): Promise<void> {
  await mkdir(dirname(join(folder, file)), { recursive: true });
  await writeFile(join(folder, file), text);
}

/** Returns the words of the first command on the page, without quotes. */
function command(): readonly string[] {
  const [, text = ""] = /```sh\nengine (.*?)\n```/s.exec(page) ?? [];
  return text.replaceAll("'", "").split(" ");
}

/** The parts of the libraries' declarations that the page uses, since the repository does not install the libraries. */
const libraries = `
interface Typed<Result, Variables> { readonly __apiType?: (variables: Variables) => Result }
declare module "@tanstack/react-query" {
  export function useQuery<T>(options: { queryKey: readonly unknown[]; queryFn: () => Promise<T> }): { data: T | undefined };
  export function useMutation<T, V>(options: { mutationFn: (variables: V) => Promise<T> }): { mutate(variables: V): void };
}
declare module "urql" {
  import type { DocumentNode } from "graphql";
  type Document<T, V> = DocumentNode & Typed<T, V>;
  export function useQuery<T, V>(args: { query: Document<T, V>; variables: V }): [{ data?: T }];
  export function useMutation<T, V>(query: Document<T, V>): [{ data?: T }, (variables: V) => Promise<{ data?: T }>];
}
declare module "@apollo/client/react" {
  import type { DocumentNode } from "graphql";
  type Document<T, V> = DocumentNode & Typed<T, V>;
  export function useQuery<T, V>(query: Document<T, V>, options: { variables: NoInfer<V> }): { data: T | undefined };
  export function useMutation<T, V>(mutation: Document<T, V>): [(options: { variables: V }) => Promise<{ data?: T }>, { data?: T | null }];
}
`;

const compilerOptions = {
  ...{ target: "es2022", module: "nodenext", lib: ["es2023", "dom"], types: [], strict: true, noEmit: true },
  ...{ exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true, verbatimModuleSyntax: true },
};

describe("The page of front-end types", () => {
  it("The programs of the page pass the type checker with the module of its command", { timeout: 60_000 }, async () => {
    const written = await engine([...command(), ...metadata], folder);
    expect(written).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^wrote src\/engine\.ts: \d+ operations\n$/),
    });
    const module = await readFile(join(folder, "src/engine.ts"), "utf8");
    for (const name of ["LoansDocument", "LoansResult", "LendVariables", "LoanFieldsFragment"])
      expect(module).toContain(` ${name}`);
    const examples = [...page.matchAll(/<!-- example: (\w+) -->\n```ts\n(.*?)```/gs)];
    expect(examples).toHaveLength(4);
    await mkdir(join(folder, "node_modules"));
    await symlink(join(root, "node_modules/graphql"), join(folder, "node_modules/graphql"));
    for (const [index, [, mode = "", text = ""]] of examples.entries()) {
      const out = join("pages", String(index), "engine.ts");
      await engine([...command().slice(0, -1), out, "--document-mode", mode, ...metadata], folder);
      await write(join("pages", String(index), "use.ts"), text);
      const misuse = text
        .replace("loan.copy.book.title", "loan.copy.book.name")
        .replace("copy.book.title", "copy.book.name");
      await write(join("pages", String(index), "misuse.ts"), misuse);
    }
    await write("package.json", '{ "type": "module" }');
    await write("libraries.d.ts", libraries);
    await write("tsconfig.json", JSON.stringify({ compilerOptions, include: ["pages", "libraries.d.ts"] }));
    const options = ["--project", folder, "--checkers", "1", "--pretty", "false"];
    const run = promisify(execFile)(join(root, "node_modules/.bin/tsc"), options, { cwd: folder });
    const { stdout } = await run.catch((error: { readonly stdout: string }) => error);
    const errors = stdout.split("\n").filter((line) => line !== "");
    expect(errors.map((line) => line.replace(/\(.*? error /, ": "))).toEqual(
      examples.map((_, index) => expect.stringMatching(`^pages/${index}/misuse\\.ts: TS2339: .*'name'`)),
    );
  });

  it("A document that the role cannot run is reported as the page shows, and the module stays", async () => {
    const [, message = ""] = /(src\/loans\.graphql:3:5: .*)\n/.exec(page) ?? [];
    const before = await readFile(join(folder, "src/engine.ts"), "utf8");
    const loans = await readFile(join(folder, "src/loans.graphql"), "utf8");
    await write("src/loans.graphql", loans.replace("...LoanFields\n    returned_on", "due_at\n    returned_on"));
    const refused = await engine([...command(), ...metadata], folder);
    expect(refused).toMatchObject({ code: 1, stdout: "" });
    expect(refused.stderr).toContain(`${message}\n`);
    expect(await readFile(join(folder, "src/engine.ts"), "utf8")).toBe(before);
    await write("src/loans.graphql", loans);
  });

  it("A role without permissions is refused, with the nearest role", async () => {
    const refused = await engine(
      [...command().map((word) => word.replace("librarian", "librarain")), ...metadata],
      folder,
    );
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('did you mean "librarian"?') });
  });

  it("Files behind symbolic links, other kinds of files and large files are refused", async () => {
    await write("elsewhere/secret.graphql", "query Secret { loan { id } }");
    await symlink(join(folder, "elsewhere"), join(folder, "linked"));
    await symlink(join(folder, "elsewhere/secret.graphql"), join(folder, "src/secret.graphql"));
    const run = (documents: string) =>
      engine(["client", "--documents", documents, "--role", "librarian", "--out", "out.ts", ...metadata], folder);
    const behind = await run("linked/*.graphql");
    expect(behind).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("linked/secret.graphql:1:1: a folder of the path is a symbolic link"),
    });
    expect((await run("src/secret.graphql")).stderr).toContain("warning: no file matches src/secret.graphql");
    await write("big/large.graphql", `#${"x".repeat(1024 * 1024)}\nquery A { loan { id } }`);
    expect(await run("big/*")).toMatchObject({ code: 1, stderr: expect.stringContaining("more than 1048576") });
    await write("big/large.graphql", "{ loan { id } }");
    await write("big/page.vue", "");
    const other = await run("big/*");
    expect(other.stderr).toContain("big/large.graphql:1:1: the query has no name");
    expect(other.stderr).toContain("big/page.vue:1:1: expected a file with one of the endings .graphql, .gql, .ts");
  });

  it("A file that was not generated is not replaced", async () => {
    await write("own.ts", "export const mine = 1;\n");
    const refused = await engine([...command().slice(0, -1), "own.ts", ...metadata], folder);
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining("own.ts was not generated") });
    expect(await readFile(join(folder, "own.ts"), "utf8")).toBe("export const mine = 1;\n");
  });

  it("Watched modules follow documents and the metadata of a server, and survive errors", {
    timeout: 60_000,
  }, async () => {
    const server = await startTestServer();
    await server.post("/v2/query", {
      type: "run_sql",
      args: { sql: "create table note (id bigint primary key, text text)" },
    });
    await server.metadata("pg_track_table", { table: "note" });
    const permit = (columns: readonly string[]) =>
      server.metadata("pg_create_select_permission", {
        table: "note",
        role: "user",
        permission: { columns, filter: {} },
      });
    await permit(["id"]);
    await write("notes/one.graphql", "query Notes { note { id } }");
    const out = join(folder, "notes.ts");
    const words = ["client", "--documents", "notes/*", "--role", "user", "--out", "notes.ts", "--endpoint", server.url];
    const child = spawn(process.execPath, [join(root, ".build/engine.mjs"), ...words, "--watch"], { cwd: folder });
    try {
      let output = "";
      for (const stream of [child.stdout, child.stderr]) stream.on("data", (data) => (output += data));
      const until = async (text: string) => {
        await vi.waitFor(() => expect(output).toContain(text), { timeout: 20_000, interval: 50 });
        output = "";
      };
      await until("wrote notes.ts: 1 operation\n");
      await write("notes/two.graphql", "query Texts { note { text ");
      await until("notes/two.graphql:1:27: Syntax Error: Expected Name, found <EOF>\n");
      await write("notes/two.graphql", "query Texts { note { text } }");
      await until('notes/two.graphql:1:22: Cannot query field "text" on type "note" (role user)\n');
      expect(await readFile(out, "utf8")).not.toContain("TextsDocument");
      await server.metadata("pg_drop_select_permission", { table: "note", role: "user" });
      await permit(["id", "text"]);
      await until("wrote notes.ts: 2 operations\n");
      expect(await readFile(out, "utf8")).toContain("TextsDocument");
    } finally {
      child.kill("SIGKILL");
      await server.close();
    }
  });
});
