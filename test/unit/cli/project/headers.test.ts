/** `--header` of every command that calls a server: each request has the header. */
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import type { Command } from "commander";
import { afterAll, afterEach, beforeAll, expect, it, vi } from "vitest";
import { program, runProgram } from "../../../../runtime/cli/main.ts";
import { project } from "../project-folder.ts";

/** Arguments with which a command calls the server, by the words of the command. */
const calls: Readonly<Record<string, readonly string[]>> = {
  console: ["--console-port", "0"],
  dev: ["--no-console"],
  access: [],
  advise: [],
  why: ["user", "note"],
  psql: ["--source", "other"],
  mcp: ["--role", "user"],
  client: ["--out", "client.ts", "--documents", "*.graphql"],
  deploy: [],
  "metadata apply": [],
  "metadata export": [],
  "metadata diff": [],
  "metadata reload": [],
  "metadata clear": [],
  "metadata inconsistency list": [],
  "metadata inconsistency status": [],
  "metadata inconsistency drop": [],
  "metadata codemod postgres-comments": ["--server"],
  "migrate apply": ["--all-databases"],
  "migrate status": ["--all-databases"],
  "migrate create": ["notes", "--from-server", "--database-name", "default"],
  "migrate delete": ["--all", "--force", "--database-name", "default"],
  "seed apply": ["--all-databases"],
  "seed create": ["rows", "--from-table", "note"],
  handlers: ["--out", "handlers"],
};

/** Commands that accept the flags of a server without calling it. */
const offline = ["migrate squash"];

/** Headers of the received requests. */
const received: (readonly [header: string | undefined, secret: string | undefined])[] = [];
let server: Server;
let endpoint: string;

beforeAll(async () => {
  server = createServer(({ headers }, response) => {
    received.push([headers["x-api-key"]?.toString(), headers["x-engine-admin-secret"]?.toString()]);
    response.writeHead(401, { "content-type": "application/json" });
    response.end('{"path": "$", "error": "no access", "code": "access-denied"}');
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterAll(() => server?.close());
afterEach(() => void vi.restoreAllMocks());

function commandsWithHeader(command: Command, above: readonly string[] = []): readonly string[] {
  const own = command.options.some(({ long }) => long === "--header") ? [above.join(" ")] : [];
  return [...own, ...command.commands.flatMap((each) => commandsWithHeader(each, [...above, each.name()]))];
}

const files = {
  "config.yaml": "version: 3\n",
  "metadata/version.yaml": "version: 3\n",
  "metadata/databases/databases.yaml": "[]\n",
  "migrations/default/1_notes/up.sql": "select 1",
  "seeds/default/1_rows.sql": "select 1",
  "list.graphql": "query List { note { id } }",
};

/** Runs a command on a new project. Ends `engine dev` after its requests, because it waits for changes of files. */
async function run(words: readonly string[], flags: readonly string[]): Promise<string> {
  const folder = await project(files);
  const printed: string[] = [];
  for (const stream of [process.stdout, process.stderr])
    vi.spyOn(stream, "write").mockImplementation((text) => printed.push(String(text)) > 0);
  const line = `${JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" })}\n`;
  vi.spyOn(process, "stdin", "get").mockReturnValue(Readable.from([line]) as unknown as typeof process.stdin);
  received.length = 0;
  const running = runProgram([...words, "--project", folder, "--endpoint", endpoint, ...flags]);
  if (words[0] === "dev") {
    await vi.waitUntil(() => received.length > 1, 20_000);
    process.emit("SIGTERM", "SIGTERM");
  }
  await running;
  process.exitCode = 0;
  return printed.join("");
}

it("Every command with the flag --header is tested, or calls no server", () => {
  expect(commandsWithHeader(program).toSorted()).toEqual([...Object.keys(calls), ...offline].toSorted());
});

it.each(Object.entries(calls))(
  "Each request of %s has the headers of --header",
  { timeout: 30_000 },
  async (name, args) => {
    const flags = ["--header", "X-Api-Key: 4 2", "--header", "x-other: 1", "--admin-secret", "s"];
    const output = await run([...name.split(" "), ...args], flags);
    // `engine dev` checks first whether any server responds.
    const sent = name === "dev" ? received.slice(1) : received;
    expect(sent.length, output).toBeGreaterThan(0);
    expect(new Set(sent.map((each) => each.join()))).toEqual(new Set(["4 2,s"]));
    expect(output).not.toContain("4 2");
  },
);

it("A request without an admin secret has no header for it", async () => {
  await run(["metadata", "export"], ["--header", "x-api-key: 42"]);
  expect(received).toEqual([["42", undefined]]);
});

it("A header of the command line may replace the admin secret of the project", async () => {
  await run(["metadata", "export"], ["--admin-secret", "old", "--header", "X-Engine-Admin-Secret: new"]);
  expect(received).toEqual([[undefined, "new"]]);
});

it("A malformed header is refused before a request, without its value", async () => {
  const output = await run(["metadata", "export"], ["--header", "secret-value"]);
  expect(output).toContain('expected --header "name: value" in ASCII');
  expect(output).not.toContain("secret-value");
  expect(received).toEqual([]);
});
