/** Follows `docs/reference/configuration.md`: writes its file to a folder, and runs `engine start` there. */
import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { readMetadataDirectory } from "../../runtime/cli/metadata-directory/read.ts";
import { query as runSql } from "../support/database.ts";
import { type EngineProcess, startEngine } from "../support/engine-process.ts";
import { startTestServer, type TestServer } from "../support/server.ts";
import { ensureBuilt, root } from "../support/shared-checks.ts";

const run = promisify(execFile);
const library = join(root, "fixtures/library");
const engineProgram = join(root, ".build/engine.mjs");

let metadata: TestServer;
let folder: string;
let example: string;
let answer: string;
let environment: Record<string, string>;
let engine: EngineProcess | undefined;

beforeAll(async () => {
  await ensureBuilt();
  const page = await readFile(join(root, "docs/reference/configuration.md"), "utf8");
  example = /<!-- example: engine\.config\.ts -->\n```ts\n(.*?)```/s.exec(page)?.[1] ?? "";
  answer = /```json\n(.*?)\n```/s.exec(page)?.[1] ?? "";
  folder = await mkdtemp(join(tmpdir(), "configuration-"));
  metadata = await startTestServer({ sealed: false });
  await runSql(metadata.databaseUrl, await readFile(join(library, "postgres/schema.sql"), "utf8"));
  await runSql(metadata.databaseUrl, await readFile(join(library, "postgres/seed.sql"), "utf8"));
  await metadata.metadata("replace_metadata", (await readMetadataDirectory(join(library, "metadata"))).metadata);
  environment = {
    PATH: process.env.PATH ?? "",
    ENGINE_GRAPHQL_DATABASE_URL: metadata.databaseUrl,
    ENGINE_GRAPHQL_METADATA_DATABASE_URL: metadata.metadataUrl,
    ENGINE_GRAPHQL_ADMIN_SECRET: "secret",
  };
}, 120_000);

afterEach(async () => {
  engine?.child.kill("SIGTERM");
  await engine?.ended;
  engine = undefined;
});

afterAll(async () => {
  await metadata?.close();
  await rm(folder, { recursive: true, force: true });
});

async function project(name: string, files: Readonly<Record<string, string>>): Promise<string> {
  const own = join(folder, name);
  await mkdir(own);
  for (const [path, text] of Object.entries(files)) await writeFile(join(own, path), text);
  return own;
}

const ask = async (headers: Record<string, string>, query: string, path = "/v1/graphql") => {
  const response = await fetch(`${engine?.url}${path}`, { method: "POST", headers, body: JSON.stringify({ query }) });
  return response.text();
};

it("The example configuration works as the page describes", async () => {
  const cwd = await project("example", { "engine.config.ts": example });
  engine = await startEngine(environment, [engineProgram, "start"], cwd);
  const ticket = { "x-ticket": "ticket-1" };
  expect(await ask(ticket, "query me { member { name } }")).toBe(answer);
  expect(await ask(ticket, "{ member { name } }")).toContain("name your operations");
  expect(await ask({ "x-ticket": "guess" }, "query me { member { name } }")).toContain('"code":"invalid-ticket"');
  expect(await ask({}, "query me { member { name } }")).toContain('"code":"access-denied"');
  expect(await ask({ "x-engine-admin-secret": "secret" }, "{}", "/v1alpha1/pg_dump")).toContain("not-found");
});

it("Flags and environment take precedence over the configuration file, which may import other files", async () => {
  const cwd = await project("precedence", {
    "origin.ts": "export const origin: string = await Promise.resolve('https://file.example');",
    "other.config.ts": `
      import { defineConfig } from "engine/config";
      import { origin } from "./origin.ts";
      export default defineConfig({
        options: { corsDomain: origin, devMode: true, logLevel: "debug" },
        log: (line) => void process.stdout.write("mine " + line),
      });`,
  });
  const overruled = { ...environment, ENGINE_GRAPHQL_LOG_LEVEL: "info" };
  engine = await startEngine(
    overruled,
    [engineProgram, "start", "--config", "other.config.ts", "--dev-mode", "false"],
    cwd,
  );
  const headers = { origin: "https://file.example", "access-control-request-method": "POST" };
  const preflight = await fetch(`${engine.url}/v1/graphql`, { method: "OPTIONS", headers });
  expect(preflight.headers.get("access-control-allow-origin")).toBe("https://file.example");
  await expect.poll(() => engine?.log().some((line) => line.startsWith("mine {"))).toBe(true);
  const started = engine.log().find((line) => line.includes('"server_configuration"')) ?? "";
  expect(started).toContain('"dev_mode":false');
  expect(started).toContain('"log_level":"info"');
});

const mistakes: readonly (readonly [string, string, string])[] = [
  ["syntax", "export default {\n  options: {,\n};\n", "engine.config.ts:2: "],
  [
    "import",
    '\nimport { x } from "./nowhere.ts";\nexport default { log: x };\n',
    "engine.config.ts:2: Could not resolve",
  ],
  [
    "throws",
    'const a: number = 1;\n\nif (a) throw new Error("no vault");\nexport default {};\n',
    "engine.config.ts:3: no vault",
  ],
  ["export", "export const config = {};\n", "engine.config.ts: the default export must be an object"],
  [
    "name",
    "export default {\n  options: {\n    corsDomains: '*',\n  },\n};\n",
    "engine.config.ts:3: corsDomains: unknown option; did you mean corsDomain?",
  ],
  [
    "type",
    "export default {\n  options: {\n    serverPort: '80',\n  },\n};\n",
    "engine.config.ts:3: serverPort: must be a number",
  ],
  [
    "value",
    "export default {\n  options: {\n    noOfRetries: -1,\n  },\n};\n",
    "engine.config.ts:3: noOfRetries: Only expecting",
  ],
  [
    "member",
    "export default {\n  sesion: () => null,\n};\n",
    "engine.config.ts:2: sesion: unknown member; did you mean session?",
  ],
];

it.each(mistakes)(
  "An error in the configuration file is reported with file and line: %s",
  async (name, text, message) => {
    const cwd = await project(`mistake-${name}`, { "engine.config.ts": text });
    const failed = await run(process.execPath, [engineProgram, "start"], { cwd, env: environment }).then(
      () => ({ code: 0, stderr: "" }),
      (error: { code: number; stderr: string }) => error,
    );
    expect(failed.code).toBe(1);
    expect(failed.stderr).toContain(message);
  },
);

it("An error thrown by a configuration function is logged with file and line", async () => {
  const text = "export default {\n  session() {\n    throw new Error('no tickets');\n  },\n};\n";
  const cwd = await project("throwing", { "engine.config.ts": text });
  engine = await startEngine(environment, [engineProgram, "start"], cwd);
  expect(await ask({}, "{ member { name } }")).toContain("Internal Server Error");
  await expect.poll(() => engine?.log().join("")).toContain("engine.config.ts:3: session: no tickets");
});

it("A missing configuration file is refused", async () => {
  const cwd = await project("missing", {});
  const failed = run(process.execPath, [engineProgram, "start", "--config", "nowhere.ts"], { cwd, env: environment });
  await expect(failed).rejects.toMatchObject({
    stderr: expect.stringContaining("--config: no such file: nowhere.ts"),
  });
});

describe("Artifacts with a configuration file", () => {
  const build = (cwd: string, ...more: readonly string[]) => {
    const input = ["--metadata", join(library, "metadata"), "--shape", join(library, "shape.json")];
    return run(process.execPath, [engineProgram, "build", ...input, "--out", "artifact", ...more], {
      cwd,
      env: environment,
    });
  };

  it("An artifact contains the configuration file and runs it at the start", async () => {
    const cwd = await project("sealed", { "engine.config.ts": example });
    await build(cwd);
    const manifest = JSON.parse(await readFile(join(cwd, "artifact/manifest.json"), "utf8"));
    expect(manifest.config).toEqual({ file: "engine.config.ts", hash: expect.stringMatching(/^[\da-f]{64}$/) });
    engine = await startEngine(environment, [join(cwd, "artifact/server.mjs")], folder);
    const ticket = { "x-ticket": "ticket-1" };
    expect(await ask(ticket, "query me { member { name } }")).toBe(answer);
    expect(await ask(ticket, "{ member { name } }")).toContain("name your operations");
    expect(await ask({ "x-ticket": "guess" }, "query me { member { name } }")).toContain('"code":"invalid-ticket"');
    const program = `
      import { openEngine } from "./artifact/engine.mjs";
      import { createHandler, fetch } from "./artifact/handler.mjs";
      const ask = () => new Request("https://a.example/v1/graphql", {
        method: "POST", headers: { "x-ticket": "ticket-1" }, body: '{"query": "query me { member { name } }"}' });
      process.stdout.write(await (await fetch(ask())).text() + "\\n");
      await openEngine({ config: {} }).catch(({ message }) => process.stdout.write(message));
      process.exit();`;
    await writeFile(join(cwd, "program.mjs"), program);
    await symlink(join(root, "node_modules"), join(cwd, "node_modules"));
    const env = { ...environment, ENGINE_GRAPHQL_LOG_LEVEL: "error" };
    const { stdout } = await run(process.execPath, [join(cwd, "program.mjs")], { env });
    expect(stdout).toContain(answer);
    expect(stdout).toContain("the artifact has a built-in configuration");
  });

  it("An artifact reports errors of its configuration file, with lines for options", async () => {
    const text = "export default {\n  options: {\n    noOfRetries: Number(process.env.TRIES),\n  },\n};\n";
    const cwd = await project("sealed-mistake", { "engine.config.ts": text });
    await build(cwd);
    const failed = run(process.execPath, [join(cwd, "artifact/server.mjs")], { env: { ...environment, TRIES: "-1" } });
    await expect(failed).rejects.toMatchObject({
      stderr: expect.stringContaining("engine.config.ts:3: noOfRetries: "),
    });
  });

  it("An artifact is not built with literal secrets unless they are allowed", async () => {
    const text = "export default {\n  options: {\n    adminSecret: 'hunter2',\n  },\n};\n";
    const cwd = await project("sealed-secret", { "engine.config.ts": text });
    await expect(build(cwd)).rejects.toMatchObject({
      stderr: expect.stringContaining("engine.config.ts:3: literal secret (adminSecret)"),
    });
    await build(cwd, "--allow-literal-secrets");
  });
});
