/**
 * `npm run clients -- [--install] [--only RE]`: third-party clients, generators and gateways use the engine over HTTP
 * and WebSocket. Each folder here with a `package.json` is a project with its own versions. `--install` installs them
 * first. The last line is `N passed, N failed`.
 */
import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { chmod, mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { type EngineProcess, startEngine } from "../support/engine-process.ts";
import { ensureBuilt, optionValue, root, runMain, runToEnd } from "../support/shared-checks.ts";

const here = join(root, "test/clients");
/**
 * Time limit of a project, even if it hangs: the compilers of the generators alone need two minutes on a busy machine.
 */
const limitMilliseconds = 240_000;

interface Counts {
  readonly passed: number;
  readonly failed: number;
}

await runMain(async () => {
  const args = process.argv.slice(2);
  const projects = await projectFolders();
  if (args.includes("--install")) {
    for (const project of projects) {
      // Some packages declare newer versions of Node, but work with this one.
      const flags = ["--ignore-scripts", "--no-audit", "--no-fund", "--engine-strict=false"];
      if ((await runToEnd("npm", ["ci", ...flags, "--prefix", project])) !== 0) return 1;
    }
  }
  const missing = projects.filter((project) => !existsSync(join(project, "node_modules")));
  if (missing.length > 0) throw new Error(`run with --install first: ${missing.join(", ")} has no packages`);
  await ensureBuilt();
  const counts = await withEngine(async (environment) => {
    const only = new RegExp(optionValue(args, "--only") ?? "");
    const all: Counts[] = [];
    for (const project of projects) all.push(await runProject(project, only, environment));
    return all;
  });
  const sum = (of: keyof Counts): number => counts.reduce((total, each) => total + each[of], 0);
  console.log(`${sum("passed")} passed, ${sum("failed")} failed`);
  return sum("failed") === 0 && sum("passed") > 0 ? 0 : 1;
});

process.exit();

async function projectFolders(): Promise<readonly string[]> {
  const names = (await readdir(here)).sort();
  return names.map((name) => join(here, name)).filter((folder) => existsSync(join(folder, "package.json")));
}

/** Calls `work` with environment variables that contain the engine's address for the programs of a project. */
async function withEngine<T>(work: (environment: Readonly<Record<string, string>>) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), "engine-clients-"));
  await chmod(folder, 0o755); // PostgreSQL may run as another user, which must be able to traverse the folder.
  const [secret, key] = [randomBytes(16).toString("hex"), randomBytes(32).toString("hex")];
  let engine: EngineProcess | undefined;
  try {
    engine = await startEngine({
      ENGINE_GRAPHQL_DATA_DIR: join(folder, "data"),
      ENGINE_GRAPHQL_SERVER_HOST: "127.0.0.1",
      ENGINE_GRAPHQL_ADMIN_SECRET: secret,
      ENGINE_GRAPHQL_JWT_SECRET: JSON.stringify({ type: "HS256", key }),
      ENGINE_GRAPHQL_ENABLE_APOLLO_FEDERATION: "true",
      ENGINE_GRAPHQL_ENABLED_APIS: "metadata,graphql,pgdump,config,mcp",
    });
    await serveSample(engine.url, secret);
    return await work({ CLIENTS_URL: engine.url, CLIENTS_KEY: key });
  } finally {
    engine?.child.kill("SIGTERM");
    await engine?.ended;
    await rm(folder, { recursive: true, force: true });
  }
}

async function serveSample(url: string, secret: string): Promise<void> {
  const post = async (path: string, type: string, args: unknown): Promise<void> => {
    const headers = { "x-engine-admin-secret": secret };
    const response = await fetch(`${url}${path}`, { method: "POST", headers, body: JSON.stringify({ type, args }) });
    if (!response.ok) throw new Error(`${type}: ${await response.text()}`);
  };
  const sql = await readFile(join(here, "sample/schema.sql"), "utf8");
  await post("/v2/query", "run_sql", { source: "default", sql });
  await post(
    "/v1/metadata",
    "replace_metadata",
    JSON.parse(await readFile(join(here, "sample/metadata.json"), "utf8")),
  );
}

async function runProject(
  folder: string,
  only: RegExp,
  environment: Readonly<Record<string, string>>,
): Promise<Counts> {
  const files = (await readdir(folder)).filter((name) => name.endsWith(".day.mjs") && only.test(name)).sort();
  if (files.length === 0) return { passed: 0, failed: 0 };
  console.log(`\n# ${basename(folder)}: ${files.join(", ")}`);
  const began = performance.now();
  const output = await testOutput(folder, files, environment);
  const countOf = (word: string): number => Number(new RegExp(`^# ${word} (\\d+)$`, "m").exec(output)?.[1]);
  const [passed, failed] = [countOf("pass"), countOf("fail")];
  if (!(passed + failed > 0)) {
    console.log("no result");
    return { passed: 0, failed: 1 };
  }
  console.log(`# ${basename(folder)}: ${passed} passed, ${failed} failed, ${Math.round(performance.now() - began)} ms`);
  return { passed, failed };
}

/** Runs the files and returns the TAP output of Node's test runner. */
async function testOutput(
  folder: string,
  files: readonly string[],
  environment: Readonly<Record<string, string>>,
): Promise<string> {
  const child = spawn(process.execPath, ["--test", "--test-force-exit", "--test-reporter=tap", ...files], {
    cwd: folder,
    env: { ...process.env, ...environment },
    stdio: ["ignore", "pipe", "inherit"],
    timeout: limitMilliseconds,
    killSignal: "SIGKILL",
  });
  let output = "";
  for await (const chunk of child.stdout.setEncoding("utf8")) {
    output += chunk;
    process.stdout.write(chunk);
  }
  return output;
}
