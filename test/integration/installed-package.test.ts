/** The package as `npm pack` makes it, installed with its dependencies alone. */
import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createDatabase, query, type TestDatabase } from "../support/database.ts";
import { type EngineProcess, startEngine } from "../support/engine-process.ts";
import { ensureBuilt, root } from "../support/shared-checks.ts";

const run = promisify(execFile);

interface LockFile {
  readonly packages: Readonly<Record<string, { readonly dev?: boolean; readonly devOptional?: boolean }>>;
}

/** Links the packages that `npm install --omit=dev` would install. */
function installDependencies(folder: string): void {
  const { packages }: LockFile = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8"));
  for (const [path, { dev = false, devOptional = false }] of Object.entries(packages)) {
    // A package within a package comes with it.
    if (dev || devOptional || !/^node_modules\/(?:@[^/]+\/)?[^/]+$/.test(path)) continue;
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    symlinkSync(join(root, path), join(folder, path));
  }
}

describe("an installed package", { timeout: 60_000 }, () => {
  let folder: string;
  let program: string;
  let database: TestDatabase;
  let server: EngineProcess | undefined;

  beforeAll(async () => {
    await ensureBuilt();
    folder = mkdtempSync(join(tmpdir(), "engine-installed-"));
    await run("npm", ["pack", "--ignore-scripts", "--pack-destination", folder], { cwd: root });
    const own = join(folder, "node_modules/graphql-rest-engine");
    mkdirSync(own, { recursive: true });
    const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
    await run("tar", ["-xzf", join(folder, `graphql-rest-engine-${version}.tgz`), "--strip-components=1", "-C", own]);
    installDependencies(folder);
    program = join(own, ".build/engine.mjs");
    database = await createDatabase("installed");
    await query(database.url, "create table book (id int primary key, title text)");
    await query(database.url, "insert into book values (1, 'Emma')");
  }, 180_000);

  afterAll(async () => {
    server?.child.kill();
    await server?.ended;
    await database?.drop();
    rmSync(folder, { recursive: true, force: true });
  });

  it("starts, tracks a table and answers a query", async () => {
    const environment = { HOME: folder, ENGINE_GRAPHQL_DATABASE_URL: database.url };
    server = await startEngine(environment, [program, "start"], folder);
    const tracked = await post(`${server.url}/v1/metadata`, { type: "pg_track_table", args: { table: "book" } });
    expect(tracked).toEqual({ message: "success" });
    expect(await post(`${server.url}/v1/graphql`, { query: "{ book { title } }" })).toEqual({
      data: { book: [{ title: "Emma" }] },
    });
  });

  it("compiles a project and builds an artifact", async () => {
    const library = join(root, "fixtures/library");
    const input = ["--metadata", join(library, "metadata"), "--shape", join(library, "shape.json")];
    await run(process.execPath, [program, "compile", ...input, "--out", join(folder, "generated")], { cwd: folder });
    await run(process.execPath, [program, "build", ...input, "--out", join(folder, "artifact")], { cwd: folder });
    expect(readFileSync(join(folder, "artifact/server.mjs"), "utf8")).not.toBe("");
  });
});

async function post(url: string, body: object): Promise<unknown> {
  const response = await fetch(url, { method: "POST", body: JSON.stringify(body) });
  return response.json();
}
