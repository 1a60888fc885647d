/**
 * The examples of a documentation page, and their execution against a server. A page with executed examples has the line
 * `<!-- server: empty -->` or `<!-- server: library -->` (the sample of `--demo`) below its title, and optionally lines such
 * as `<!-- environment: ENGINE_GRAPHQL_DEV_MODE=true -->` with variables of that server, and `<!-- database: VARIABLE -->`
 * for an additional empty database whose URL is in a variable of the server and of commands. Its blocks run in order, in a
 * folder with an `engine` command and a `config.yaml` of that server:
 *
 * | block | execution | a `json` or `text` block that follows |
 * | --- | --- | --- |
 * | `sql` | `run_sql` on the source `default`, or that of `<!-- source: NAME -->` | |
 * | `json` with the keys `type` and `args` | an operation of `/v1/metadata` | the expected response |
 * | `graphql` | an operation of `/v1/graphql`, as administrator or with the headers of `<!-- headers: X-Engine-Role: user -->` before the block, and the variables of a `json` block after `<!-- variables -->` | the expected response |
 * | `sh` | by `bash`, in the directory of the previous block; `http://localhost:8080` becomes the address of the server; the variables `DATABASE_URL` (source `default`), `ENGINE_GRAPHQL_DATABASE_URL` and `ENGINE_GRAPHQL_METADATA_DATABASE_URL` are those of the server | the expected output |
 * | `sh` after `<!-- background -->` | a service of the reader, which runs until the end of the page once it prints a line | |
 * | `env` | the server starts again, on the same databases, with exactly these variables | |
 * | any after `<!-- file: PATH -->`, `js` or `ts` with a first line `// PATH` | a file of the current directory | |
 * | `yaml` with a first line `# metadata/PATH` | a part of the metadata, which the server must have: other keys, and other members of lists of objects, may be missing | |
 *
 * `localhost:3000` and the ports 8081 to 8083, of further servers, become free ports in all blocks. Programs in the folder import
 * `graphql`, `graphql-ws`, `graphql-sse` and the packages of a project. Blocks without headers use the admin secret of the last `env` block.
 * `"…"` in an expected response matches any value, and `…` in an expected output any text. Blocks after `<!-- not run -->`
 * and blocks of other languages are for reading only.
 */
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { parseEnv, promisify } from "node:util";
import { expect } from "vitest";
import { parse } from "yaml";
import { sections } from "../../runtime/cli/metadata-directory/layout.ts";
import { createDatabase, type TestDatabase } from "./database.ts";
import { freePort } from "./free-port.ts";
import { startTestServer, type TestServer } from "./server.ts";
import { root } from "./shared-checks.ts";

const run = promisify(execFile);

export interface PageExample {
  readonly kind: "sql" | "operation" | "graphql" | "sh" | "background" | "yaml" | "env" | "file";
  readonly text: string;
  /** The path of a file. */
  readonly path?: string;
  /** The source of SQL; absent: `default`. */
  readonly source?: string;
  /** The line of the block, counted from 1. */
  readonly line: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly variables?: unknown;
  readonly output?: { readonly language: "json" | "text"; readonly text: string };
}

interface Block {
  readonly notes: readonly string[];
  readonly language: string;
  readonly text: string;
  readonly line: number;
}

/** Returns the server of a page's examples, or undefined if the page declares none. */
export function serverOf(page: string): string | undefined {
  return /^<!-- server: (\S+) -->$/m.exec(page)?.[1];
}

function examplesOfPage(page: string): readonly PageExample[] {
  const examples: PageExample[] = [];
  for (const block of blocksOf(page)) {
    const { notes, language, text, line } = block;
    if (notes.includes("not run")) continue;
    const last = examples.at(-1);
    const path = pathOf(block);
    const source = noteOf(notes, "source");
    if (path !== undefined) examples.push({ kind: "file", text, line, headers: {}, path });
    else if (notes.includes("variables") && last)
      examples[examples.length - 1] = { ...last, variables: JSON.parse(text) };
    else if (isOperation(block)) examples.push({ kind: "operation", text, line, headers: {} });
    else if (language === "sh" && notes.includes("background"))
      examples.push({ kind: "background", text, line, headers: {} });
    else if (language === "env") examples.push({ kind: "env", text, line, headers: {} });
    else if (language === "sql" || language === "graphql" || language === "sh")
      examples.push({ kind: language, text, line, headers: headersOf(notes), ...(source !== undefined && { source }) });
    else if (language === "yaml" && text.startsWith("# metadata/"))
      examples.push({ kind: "yaml", text, line, headers: {} });
    else if ((language === "json" || language === "text") && last)
      examples[examples.length - 1] = { ...last, output: { language, text } };
  }
  return examples;
}

/** Returns the path of a block that is a file. */
function pathOf({ notes, language, text }: Block): string | undefined {
  const isProgram = language === "js" || language === "ts";
  return noteOf(notes, "file") ?? (isProgram ? /^\/\/ (\S+\.\w+)\n/.exec(text)?.[1] : undefined);
}

function blocksOf(page: string): readonly Block[] {
  const pattern = /((?:^<!-- .*? -->\n)*)^```(\w+)\n([\s\S]*?)^```$/gm;
  return [...page.matchAll(pattern)].map(({ index, 1: comments = "", 2: language = "", 3: text = "" }) => ({
    notes: [...comments.matchAll(/<!-- (.*?) -->/g)].map(([, note = ""]) => note),
    language,
    text,
    line: page.slice(0, index).split("\n").length,
  }));
}

function isOperation({ language, text, notes }: Block): boolean {
  if (language !== "json" || notes.length > 0) return false;
  const value: unknown = JSON.parse(text);
  return typeof value === "object" && value !== null && "type" in value && "args" in value;
}

function noteOf(notes: readonly string[], name: string): string | undefined {
  return notes.find((each) => each.startsWith(`${name}: `))?.slice(name.length + 2);
}

/** Parses `headers: X-Engine-Role: user, X-Engine-User-Id: ann`. */
function headersOf(notes: readonly string[]): Readonly<Record<string, string>> {
  const pairs = noteOf(notes, "headers")?.split(", ") ?? [];
  return Object.fromEntries(pairs.map((pair) => pair.split(": ") as [string, string]));
}

/** Returns the variables of `<!-- environment: NAME=value -->`. */
function environmentOf(page: string): Readonly<Record<string, string>> {
  const pairs = page.matchAll(/^<!-- environment: (\w+)=(.*?) -->$/gm);
  return Object.fromEntries([...pairs].map(([, name = "", value = ""]) => [name, value]));
}

/** Creates the databases of `<!-- database: VARIABLE -->`. */
function createDatabases(page: string): Promise<readonly (readonly [variable: string, database: TestDatabase])[]> {
  const variables = [...page.matchAll(/^<!-- database: (\w+) -->$/gm)].map(([, variable = ""]) => variable);
  return Promise.all(variables.map(async (variable) => [variable, await createDatabase("page")] as const));
}

/** A folder in which `npx --no engine` runs the built command against a server. */
async function writePageFolder(folder: string, url: string): Promise<void> {
  await mkdir(join(folder, "node_modules/.bin"), { recursive: true });
  await symlink(join(root, ".build/engine.mjs"), join(folder, "node_modules/.bin/engine"));
  // The packages of a project from `engine init` and of clients, so that no `npm install` is needed.
  for (const name of ["tsx", "typescript", "zod", "@types", "graphql", "graphql-ws", "graphql-sse"])
    await symlink(join(root, "node_modules", name), join(folder, "node_modules", name));
  await writeFile(join(folder, "package.json"), "{}\n");
  await writeFile(join(folder, "config.yaml"), configOf(url));
}

const configOf = (url: string): string => `version: 3\nendpoint: ${url}\nmetadata_directory: metadata\n`;

/**
 * Runs the examples of a page in order, on new databases.
 * @param folder an empty folder
 * @param onExample default: fails at the first result that differs
 */
export async function runPage(
  page: string,
  folder: string,
  onExample: (example: PageExample, run: () => Promise<void>) => Promise<void> = (_, run) => run(),
): Promise<void> {
  const databases = [await createDatabase(), await createDatabase()] as const;
  const additional = await createDatabases(page);
  const on = { databaseUrl: databases[0].url, metadataUrl: databases[1].url };
  const urls = Object.fromEntries(additional.map(([variable, { url }]) => [variable, url]));
  const services: ChildProcess[] = [];
  const ownHost = `localhost:${await freePort()}`;
  let text = page.replaceAll("localhost:3000", ownHost);
  for (const port of [8081, 8082, 8083])
    text = text.replaceAll(new RegExp(`\\b${port}\\b`, "g"), String(await freePort()));
  let server: TestServer | undefined;
  let secret: string | undefined;
  try {
    const environment = { ...urls, ...environmentOf(page) };
    server = await startTestServer({ on, sample: serverOf(page) === "library", environment });
    await writePageFolder(folder, server.url);
    for (const example of examplesOfPage(text)) {
      if (example.kind === "env") {
        const environment = parseEnv(example.text);
        secret = environment.ENGINE_GRAPHQL_ADMIN_SECRET;
        await server.stop();
        server = undefined;
        server = await startTestServer({ on, environment });
        await writeFile(join(folder, "config.yaml"), configOf(server.url));
      } else if (example.kind === "background") services.push(await startService(example.text, folder));
      else {
        const of = { url: server.url, secret, databases: urls, ...on };
        await onExample(example, () => runExample(example, of, folder));
      }
    }
  } finally {
    await Promise.all(services.map(stopService));
    await server?.stop();
    for (const database of [...databases, ...additional.map(([, each]) => each)]) await database.drop();
  }
}

/** Starts a service of the reader in a process group of its own, and resolves when it prints its first line. */
async function startService(script: string, folder: string): Promise<ChildProcess> {
  const service = spawn("bash", ["-euc", script], { cwd: folder, detached: true, stdio: ["ignore", "pipe", "pipe"] });
  let errors = "";
  service.stderr.on("data", (data) => (errors += data));
  const early = once(service, "close").then(() => Promise.reject(new Error(`the service ended: ${errors}`)));
  early.catch(() => undefined);
  await Promise.race([once(service.stdout, "data"), early]);
  return service;
}

/** Stops a service with all of its processes, and resolves when the last one has closed its output. */
async function stopService(service: ChildProcess): Promise<void> {
  const { pid } = service;
  if (pid === undefined) return;
  const closed = once(service, "close");
  process.kill(-pid, "SIGTERM");
  await closed;
}

interface ExampleServer extends Pick<TestServer, "url" | "databaseUrl" | "metadataUrl"> {
  /** The admin secret. */
  readonly secret: string | undefined;
  /** URLs of additional databases, by the names of their variables. */
  readonly databases: Readonly<Record<string, string>>;
}

/** Runs one example and compares its result. @param folder from `writePageFolder` */
async function runExample(example: PageExample, server: ExampleServer, folder: string): Promise<void> {
  const { kind, output, headers, path, source = "default" } = example;
  const { url, secret } = server;
  if (path !== undefined) {
    const file = join(await currentDirectory(folder), path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, withAddress(example.text, url));
    return;
  }
  const { text } = example;
  if (kind === "sh") {
    const script = `${withAddress(text, url)}\npwd >"$DIRECTORY_FILE"`;
    const { stdout } = await run("bash", ["-euo", "pipefail", "-c", script], {
      cwd: await currentDirectory(folder),
      env: {
        ...process.env,
        ...server.databases,
        DATABASE_URL: server.databaseUrl,
        ENGINE_GRAPHQL_DATABASE_URL: server.databaseUrl,
        ENGINE_GRAPHQL_METADATA_DATABASE_URL: server.metadataUrl,
        DIRECTORY_FILE: directoryFile(folder),
      },
    });
    if (output?.language === "text") expect(stdout.trim()).toMatch(patternOf(output.text.trim()));
    else if (output) expectMatch(JSON.parse(stdout), JSON.parse(output.text));
    return;
  }
  const asAdmin = secret === undefined ? {} : { "x-engine-admin-secret": secret };
  if (kind === "yaml")
    return expectInMetadata(text, await post(`${url}/v1/metadata`, { type: "export_metadata", args: {} }, asAdmin));
  const response =
    kind === "sql"
      ? await post(`${url}/v2/query`, { type: "run_sql", args: { source, sql: text } }, asAdmin)
      : kind === "operation"
        ? await post(`${url}/v1/metadata`, JSON.parse(text), asAdmin)
        : await post(
            `${url}/v1/graphql`,
            { query: text, variables: example.variables },
            Object.keys(headers).length > 0 ? headers : asAdmin,
          );
  if (output) expectMatch(response, JSON.parse(output.text));
  else for (const key of ["error", "errors"]) expect(response).not.toHaveProperty(key);
}

function withAddress(text: string, url: string): string {
  return text.replaceAll("http://localhost:8080", url).replaceAll("ws://localhost:8080", url.replace("http", "ws"));
}

const directoryFile = (folder: string): string => join(folder, ".directory");

/** Returns the directory of the last `sh` block, as in one terminal. */
function currentDirectory(folder: string): Promise<string> {
  return readFile(directoryFile(folder), "utf8").then(
    (text) => text.trimEnd(),
    () => folder,
  );
}

async function post(url: string, body: unknown, headers: Readonly<Record<string, string>> = {}): Promise<unknown> {
  const sent = { "content-type": "application/json", ...headers };
  return (await fetch(url, { method: "POST", headers: sent, body: JSON.stringify(body) })).json();
}

const anything = "…";

function expectMatch(actual: unknown, expected: unknown): void {
  expect(withWildcards(actual, expected)).toEqual(expected);
}

/** Replaces the parts of a value that may have any value by the text that stands for them. */
function withWildcards(actual: unknown, expected: unknown): unknown {
  if (expected === anything && actual !== undefined && actual !== null) return anything;
  if (Array.isArray(actual) && Array.isArray(expected))
    return actual.map((each, i) => withWildcards(each, expected[i]));
  if (!isRecord(actual) || !isRecord(expected)) return actual;
  return Object.fromEntries(Object.entries(actual).map(([key, value]) => [key, withWildcards(value, expected[key])]));
}

function patternOf(text: string): RegExp {
  const parts = text.split(anything).map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  return new RegExp(`^${parts.join("[^]*?")}$`);
}

/** Compares a YAML file of a project, or the shown part of one, with the metadata of the server. */
function expectInMetadata(text: string, exported: unknown): void {
  const file = /^# metadata\/(\S+)\.yaml/.exec(text)?.[1] ?? "";
  const shown: unknown = parse(text);
  const metadata = exported as { readonly sources: readonly Source[] };
  const [, name, list = ""] = /^databases\/([^/]+)\/([^/]+)/.exec(file) ?? [];
  const expected = Array.isArray(shown) ? shown : [shown];
  if (name !== undefined) {
    const source = metadata.sources.find((each) => each.name === name);
    for (const each of expected) expect(source?.[list] ?? []).toContainEqual(containing(each));
  } else if (file === "databases/databases") {
    for (const each of expected) expect(metadata.sources).toContainEqual(containing(each));
  } else {
    const section = sections.find((each) => each.file === `${file}.yaml`);
    expect(metadata).toEqual(containing(section ? { [section.key]: shown } : shown));
  }
}

interface Source {
  readonly name: string;
  readonly [section: string]: unknown;
}

/** Matches an object that has the shown keys, at every depth; a list of objects that has the shown ones. */
function containing(shown: unknown): unknown {
  if (Array.isArray(shown)) return shown.every(isRecord) ? expect.arrayContaining(shown.map(containing)) : shown;
  if (!isRecord(shown)) return shown;
  return expect.objectContaining(
    Object.fromEntries(Object.entries(shown).map(([key, value]) => [key, containing(value)])),
  );
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
