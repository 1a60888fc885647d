/** The runbook names only existing metrics, log types and options. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { configurableLogTypes, internalLogTypes } from "../../runtime/config/log-types.ts";
import { optionTable } from "../../runtime/config/option-table.ts";
import { startTestServer, type TestServer } from "../support/server.ts";
import { root } from "../support/shared-checks.ts";

const runbook = readFileSync(join(root, "docs/how-to/runbook.md"), "utf8");
const found = (pattern: RegExp): readonly string[] => [
  ...new Set([...runbook.matchAll(pattern)].map(([text, group]) => group ?? text)),
];

let server: TestServer;
beforeAll(async () => {
  const environment = { ENGINE_GRAPHQL_ENABLED_APIS: "metadata,graphql,metrics" };
  server = await startTestServer({ sealed: false, environment });
});
afterAll(() => server.close());

it("The runbook names existing metrics", async () => {
  const text = await (await fetch(`${server.url}/v1/metrics`)).text();
  const served = new Set([...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name));
  const named = found(/\bengine_(?!catalog|action_log)\w+/g).filter((name) => !name.startsWith("engine_catalog"));
  expect(named.length).toBeGreaterThan(20);
  expect(named.filter((name) => !served.has(name))).toEqual([]);
});

it("The runbook names existing log types", () => {
  const types = new Set<string>([...configurableLogTypes, ...internalLogTypes]);
  const named = found(/`([a-z]+(?:-[a-z]+)+)`/g);
  const others = ["access-denied", "x-request-id"];
  expect(named.filter((name) => !types.has(name) && !others.includes(name))).toEqual([]);
  expect(named.filter((name) => types.has(name)).length).toBeGreaterThan(10);
});

it("The runbook names existing options", () => {
  const rows = Object.values(optionTable);
  const flags = new Set<string>(rows.flatMap(({ flag }) => flag ?? []));
  const ofCommands = ["--to-catalog-version", "--to-v0", "--skip-sources", "--dryRun", "--force"];
  expect(found(/--[a-zA-Z][\w-]+/g).filter((flag) => !flags.has(flag) && !ofCommands.includes(flag))).toEqual([]);
  const variables = new Set(rows.map(({ variable }) => variable));
  expect(found(/ENGINE_GRAPHQL_\w+/g).filter((name) => !variables.has(name))).toEqual([]);
});
