/** A sealed artifact runs exactly the code that it was built from, regardless of files around it or added to it. */
import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, readdir, readFile, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { type ArtifactProcess, engine, refusedArtifact, startArtifact } from "../../support/artifact.ts";
import { bundleLoads } from "../../support/bundle-loads.ts";
import { createDatabase, query, type TestDatabase } from "../../support/database.ts";
import { ensureBuilt, root } from "../../support/shared-checks.ts";
import { WebsocketClient } from "../../support/websocket.ts";

const library = join(root, "fixtures/library");
const secret = { "x-engine-admin-secret": "secret" };
let folder: string;
let artifact: string;
let database: TestDatabase;
let server: ArtifactProcess | undefined;

beforeAll(async () => {
  await ensureBuilt();
  folder = await realpath(await mkdtemp(join(tmpdir(), "artifact-tampering-")));
  artifact = join(folder, "app/artifact");
  await mkdir(join(folder, "app"));
  const input = ["--metadata", join(library, "metadata"), "--shape", join(library, "shape.json")];
  expect(await engine(["build", ...input, "--out", artifact], folder)).toMatchObject({ code: 0, stderr: "" });
  database = await createDatabase("artifact_tampering");
  for (const file of ["schema.sql", "seed.sql"]) {
    await query(database.url, await readFile(join(library, "postgres", file), "utf8"));
  }
}, 120_000);

afterEach(async () => {
  await server?.stop();
  server = undefined;
});

afterAll(async () => {
  await database.drop();
  await rm(folder, { recursive: true, force: true });
});

describe("The code of an artifact", () => {
  it("An artifact imports only Node modules that cannot run other programs", async () => {
    const code = await readFile(join(artifact, "server.mjs"), "utf8");
    expect(bundleLoads(code)).toEqual({ files: [], unbundled: [] });
  });

  it("An artifact forks only its own server, from one dedicated file", async () => {
    const code = await readFile(join(artifact, "workers.mjs"), "utf8");
    const { files, unbundled } = bundleLoads(code);
    expect(files).toEqual([]);
    expect(unbundled).toEqual([expect.stringMatching(/^\d+: import\{fork( as \w+)?\}from"node:child_process";$/)]);
  });

  it("An artifact imports no foreign packages with any driver", async () => {
    const otherPaths: string[] = [];
    const files = new Set(["./sealed.mjs", "./support.mjs"]);
    for (const file of files) {
      const loads = bundleLoads(await readFile(join(root, ".build", file), "utf8"));
      for (const other of loads.files) files.add(other);
      otherPaths.push(...loads.unbundled);
    }
    // The commands that print secrets, and the path of `pg_dump`, which is replaced when an artifact is built.
    const command = 'import{execFile}from"node:child_process";';
    expect(otherPaths.map((text) => text.replace(/^\d+: /, ""))).toEqual([command, command]);
    expect([...files].filter((name) => name.startsWith("./mssql-"))).toHaveLength(1);
  });

  it("The check of an artifact's imports detects every kind of import", () => {
    const hostile = [
      'import a from "pg";',
      'export { b } from "pg";',
      'import { spawn } from "node:child_process";',
      'import("pg");',
      "import(name);",
      '__require("bufferutil");',
      "require16(name);",
      'new Worker("x.js");',
      "process.dlopen(x);",
      "createRequire(import.meta.url);",
    ];
    for (const line of hostile) expect([line, bundleLoads(line).unbundled]).toEqual([line, [expect.anything()]]);
  });
});

describe("Files around an artifact", () => {
  const packages = [
    ...["bufferutil", "utf-8-validate", "pg-native", "supports-color", "pg-cloudflare", "kerberos"],
    ...["@azure/identity", "@azure/keyvault-keys", "pino-pretty", "thread-stream", "esbuild", "ts-morph", "pg", "ws"],
  ];
  /** File to which each planted file appends its name when it runs. */
  let ran: string;
  let home: string;
  let cwd: string;

  const leaves = (name: string): string =>
    `require("node:fs").writeFileSync(${JSON.stringify(join(ran, encodeURIComponent(name)))}, "");`;

  async function plant(modules: string): Promise<void> {
    for (const name of packages) {
      const at = join(modules, name);
      await mkdir(at, { recursive: true });
      await writeFile(join(at, "package.json"), JSON.stringify({ name, version: "1.0.0", main: "index.js" }));
      await writeFile(join(at, "index.js"), leaves(`${modules}/${name}`));
    }
  }

  async function plantSettings(at: string): Promise<void> {
    const evil = join(at, "evil.cjs");
    await writeFile(evil, leaves(evil));
    await writeFile(
      join(at, "evil.mjs"),
      `import { createRequire } from "node:module";
const require = createRequire(import.meta.url);
${leaves(`${evil} as a module`)}`,
    );
    const packageJson = { type: "commonjs", imports: { "#*": "./evil.cjs" }, exports: "./evil.cjs", main: "evil.cjs" };
    await writeFile(join(at, "package.json"), JSON.stringify(packageJson));
    const variables = `NODE_OPTIONS="--require ${evil}"\nENGINE_GRAPHQL_ADMIN_SECRET=planted\n`;
    for (const name of [".env", ".env.local", ".env.production"]) await writeFile(join(at, name), variables);
    for (const name of [".noderc", ".node-options"]) await writeFile(join(at, name), `--require ${evil}\n`);
    await writeFile(join(at, "node.config.json"), JSON.stringify({ nodeOptions: { import: [join(at, "evil.mjs")] } }));
    await writeFile(join(at, ".npmrc"), `node-options=--require ${evil}\n`);
  }

  beforeAll(async () => {
    [ran, home, cwd] = ["ran", "home", "cwd"].map((name) => join(folder, name)) as [string, string, string];
    for (const at of [ran, home, cwd]) await mkdir(at);
    for (const at of [folder, join(folder, "app"), cwd, home]) {
      await plant(join(at, "node_modules"));
      await plantSettings(at);
    }
    await plant(join(home, ".node_modules"));
    await plant(join(home, ".node_libraries"));
  }, 60_000);

  /** Sends requests that use all features with optional modules: the database, WebSockets with compression, the log. */
  async function use({ url }: ArtifactProcess): Promise<void> {
    const body = JSON.stringify({ query: "{ branch { id } }" });
    const ask = (headers: Record<string, string>) => fetch(`${url}/v1/graphql`, { method: "POST", headers, body });
    expect(await (await ask(secret)).json()).toHaveProperty("data.branch");
    expect(await (await ask({ "x-engine-admin-secret": "planted" })).json()).toHaveProperty("errors");
    const client = await WebsocketClient.open(url, { protocol: "graphql-transport-ws" });
    client.send({ type: "connection_init", payload: { headers: secret } });
    client.send({ id: "1", type: "subscribe", payload: { query: "subscription { branch { id } }" } });
    let message = (await client.next()) as { readonly type: string };
    while (message.type !== "next") message = (await client.next()) as typeof message;
    client.ws.terminate();
  }

  const environment = (): Record<string, string> => ({
    ENGINE_GRAPHQL_DATABASE_URL: database.url,
    ENGINE_GRAPHQL_ADMIN_SECRET: "secret",
    HOME: home,
    NODE_PATH: join(home, "node_modules"),
  });

  it("A planted package runs in a program that resolves packages", async () => {
    await promisify(execFile)(process.execPath, ["--eval", 'require("bufferutil")'], { cwd: join(folder, "app") });
    expect(await readdir(ran)).toHaveLength(1);
    await rm(ran, { recursive: true });
    await mkdir(ran);
  });

  it("An artifact never loads packages from parent folders, the working directory or the home directory", async () => {
    server = await startArtifact(artifact, { cwd, environment: environment() });
    await use(server);
    expect(await readdir(ran)).toEqual([]);
  });

  it("An artifact with verification disabled does not load packages from its own folder", async () => {
    const changed = join(folder, "app/changed");
    await cp(artifact, changed, { recursive: true });
    await plant(join(changed, "node_modules"));
    await plantSettings(changed);
    const { code, stderr } = await refusedArtifact(changed, { cwd: changed, environment: environment() });
    expect(code).toBe(1);
    expect(stderr).toContain("node_modules is unexpected (a folder), package.json is unexpected");
    server = await startArtifact(changed, { cwd: changed, environment: environment(), args: ["--no-verify"] });
    await use(server);
    expect(await readdir(ran)).toEqual([]);
  });

  it("Building an artifact into a folder with other files is refused and keeps them", async () => {
    const metadata = ["--metadata", join(library, "metadata"), "--shape", join(library, "shape.json")];
    const copy = join(folder, "app/again");
    await cp(artifact, copy, { recursive: true });
    expect(await engine(["build", ...metadata, "--out", copy], folder)).toMatchObject({ code: 0 });
    await writeFile(join(copy, "notes.txt"), "mine");
    const built = await engine(["build", ...metadata, "--out", copy], folder);
    expect(built.code).toBe(1);
    expect(built.stderr).toContain("contains files that are not part of the output; move them first: notes.txt");
    expect(await readFile(join(copy, "notes.txt"), "utf8")).toBe("mine");
  });

  it("An artifact is served from a linked folder", async () => {
    await symlink(artifact, join(folder, "current"));
    server = await startArtifact(join(folder, "current"), { cwd, environment: environment() });
    await use(server);
  });
});
