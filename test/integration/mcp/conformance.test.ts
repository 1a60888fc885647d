/**
 * The official conformance suite for servers of the Model Context Protocol, against `/mcp`. Every scenario of the suite is
 * in one of the two lists below, so that a new version of the suite requires a decision.
 */
import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";
import { fakeTools } from "../../support/agent-tools.ts";
import { type StubApp, startStubApp } from "../../support/stub-app.ts";

const suite = join(import.meta.dirname, "../../peers/node_modules/@modelcontextprotocol/conformance/dist/index.js");
const hook = new URL("./conformance-hook.mjs", import.meta.url).href;
const run = promisify(execFile);

const applicable = [
  "dns-rebinding-protection",
  "ping",
  "prompts-list",
  "resources-list",
  "server-initialize",
  "tools-list",
];

const otherContent = "results of tools are data of an operation as JSON, without other content";
const noRequests = "without sessions, the server sends no requests and notifications in earlier revisions";
const ownResources = "resources are operations and pages of the manual, not those of the suite";
const ownPrompts = "prompts are those of the server, not those of the suite";
const noCapability = "the server does not announce this capability";

/** Scenarios that do not apply, with the reason. Most call sample tools, resources and prompts of the suite. */
const inapplicable: Readonly<Record<string, string>> = {
  "completion-complete": noCapability,
  "elicitation-sep1034-defaults": noRequests,
  "elicitation-sep1330-enums": noRequests,
  "json-schema-2020-12": "schemas of tools are derived, so that no tool has the schema of the suite",
  "logging-set-level": noCapability,
  "prompts-get-embedded-resource": ownPrompts,
  "prompts-get-simple": ownPrompts,
  "prompts-get-with-args": ownPrompts,
  "prompts-get-with-image": ownPrompts,
  "resources-read-binary": ownResources,
  "resources-read-text": ownResources,
  "resources-subscribe": noCapability,
  "resources-templates-read": ownResources,
  "resources-unsubscribe": noCapability,
  "server-sse-multiple-streams": "the server has no sessions, without which the suite checks nothing",
  "server-sse-polling": "the server has no event streams that a client resumes",
  "tools-call-audio": otherContent,
  "tools-call-elicitation": noRequests,
  "tools-call-embedded-resource": otherContent,
  "tools-call-error": "the sample tool of the suite returns an error of its own",
  "tools-call-image": otherContent,
  "tools-call-mixed-content": otherContent,
  "tools-call-sampling": noRequests,
  "tools-call-simple-text": otherContent,
  "tools-call-with-logging": noRequests,
  "tools-call-with-progress": noRequests,
};

let app: StubApp;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "engine-conformance-"));
  const environment = { ENGINE_GRAPHQL_ENABLED_APIS: "mcp", ENGINE_GRAPHQL_MCP_ADMIN_SECRET: "true" };
  app = await startStubApp(environment, { agentTools: fakeTools([{ name: "find_books" }]) });
});
afterAll(async () => {
  await app?.app.close();
  await rm(folder, { recursive: true, force: true });
});

const conformance = (...args: readonly string[]) =>
  run(process.execPath, ["--import", hook, suite, ...args], { cwd: folder, timeout: 30_000 });

it("Each scenario of the suite either applies or has a reason for which it does not", async () => {
  const { stdout } = await conformance("list", "--server");
  const listed = [...stdout.matchAll(/^ {2}- (\S+)/gm)].map(([, name]) => name);
  expect(listed.sort()).toEqual([...applicable, ...Object.keys(inapplicable)].sort());
});

it.each(applicable)(
  "The server passes the scenario %s",
  async (scenario) => {
    // The program fails if a check fails.
    const { stdout } = await conformance("server", "--url", `${app.url}/mcp`, "--scenario", scenario);
    expect(stdout).toMatch(/Passed: [1-9]\d*\/\d+, 0 failed/);
  },
  40_000,
);
