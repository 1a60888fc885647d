/** The example of `docs/how-to/graphql-schema.md`, run by Node as a program that has the package installed, or an artifact. */
import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readMetadataDirectory } from "../../runtime/cli/metadata-directory/read.ts";
import { engine } from "../support/artifact.ts";
import { query } from "../support/database.ts";
import { startTestServer, type TestServer } from "../support/server.ts";
import { ensureBuilt, root } from "../support/shared-checks.ts";

const library = join(root, "fixtures/library");

let server: TestServer;
let folder: string;
let example: string;
let answer: string;

beforeAll(async () => {
  await ensureBuilt();
  const page = await readFile(join(root, "docs/how-to/graphql-schema.md"), "utf8");
  const [, code, output] = /<!-- example -->\n```js\n(.*?)```\n\n```json\n(.*?)```/s.exec(page) ?? [];
  if (code === undefined || output === undefined) throw new Error("the page has no example");
  [example, answer] = [code, output];
  folder = await mkdtemp(join(tmpdir(), "graphql-schema-"));
  await mkdir(join(folder, "node_modules"));
  await symlink(root, join(folder, "node_modules/engine"));
  await symlink(join(root, "node_modules/graphql"), join(folder, "node_modules/graphql"));
  server = await startTestServer({ sealed: false });
  await query(server.databaseUrl, await readFile(join(library, "postgres/schema.sql"), "utf8"));
  await query(server.databaseUrl, await readFile(join(library, "postgres/seed.sql"), "utf8"));
}, 120_000);

afterAll(async () => {
  await server?.close();
  await rm(folder, { recursive: true, force: true });
});

/** Runs the example with another first line and returns its output. */
async function printed(firstLine: string): Promise<string> {
  const file = join(folder, "example.mjs");
  await writeFile(file, example.replace(/^import .*\n/, `${firstLine}\n`));
  const env = { ...process.env, DATABASE_URL: server.databaseUrl };
  return (await promisify(execFile)(process.execPath, [file], { cwd: folder, env })).stdout;
}

describe("The example of the GraphQL schema page", () => {
  it("The example runs with an artifact, which lists its exports", async () => {
    const out = join(folder, "artifact");
    const input = ["--metadata", join(library, "metadata"), "--shape", join(library, "shape.json"), "--out", out];
    expect(await engine(["build", ...input], folder)).toMatchObject({ code: 0, stderr: "" });
    const manifest = JSON.parse(await readFile(join(out, "manifest.json"), "utf8"));
    expect(Object.keys(manifest.files)).toEqual(expect.arrayContaining(["engine.mjs", "engine.d.mts"]));
    expect(await engine(["verify", out], folder)).toMatchObject({ code: 0 });
    const { components } = JSON.parse(await readFile(join(out, "bom.json"), "utf8"));
    expect(components.map(({ name }: { name: string }) => name)).toContain("@graphql-tools/schema");
    const line = 'import { openEngine } from "./artifact/engine.mjs";';
    expect(await printed(line)).toBe(answer);

    await cp(out, join(folder, "changed"), { recursive: true });
    await writeFile(join(folder, "changed/more.txt"), "");
    await expect(printed('import { openEngine } from "./changed/engine.mjs";')).rejects.toThrow("more.txt");
  }, 60_000);

  it("The example runs with the package", async () => {
    const { metadata } = await readMetadataDirectory(join(library, "metadata"));
    await server.metadata("replace_metadata", metadata);
    // The page's program expects its metadata in the database of its tables, so the test adds the URL of the metadata
    // database.
    const beside = `environment: { ENGINE_GRAPHQL_METADATA_DATABASE_URL: ${JSON.stringify(server.metadataUrl)},`;
    example = example.replace("environment: {", beside);
    expect(await printed('import { openEngine } from "engine";')).toBe(answer);
  }, 60_000);
});
