/**
 * The audits of GraphQL over HTTP: required and recommended behaviour is implemented, and the page lists the
 * exceptions.
 */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { serverAudits } from "graphql-http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestServer, type TestServer } from "../../support/server.ts";
import { root } from "../../support/shared-checks.ts";

let server: TestServer;

const audits = serverAudits({ url: () => `${server.url}/v1/graphql` });
const page = await readFile(join(root, "docs/reference/http.md"), "utf8");
/** Audits that the page lists as failed by design. */
const listed = new Set([...page.matchAll(/^\| ((?:[0-9A-Z]{4} ?)+) \|/gm)].flatMap(([, ids = ""]) => ids.split(" ")));
const failed = audits.filter(({ id }) => listed.has(id));
const passed = audits.filter((audit) => !failed.includes(audit));
const named = (all: typeof audits, word: string) => all.filter(({ name }) => name.startsWith(word));

beforeAll(async () => {
  server = await startTestServer();
}, 60_000);

afterAll(() => server?.close());

describe("Audits of GraphQL over HTTP", () => {
  it("The page lists audits that exist, and none of a required behaviour", () => {
    expect(failed.length).toBe(listed.size);
    expect(named(failed, "MUST")).toEqual([]);
    expect(named(failed, "SHOULD").map(({ id }) => id)).toEqual(["9ABE", "BCF8", "86EE"]);
    expect(named(passed, "MUST").length).toBeGreaterThanOrEqual(13);
    expect(named(passed, "SHOULD").length).toBeGreaterThanOrEqual(18);
  });

  it.each(passed)("The server passes the audit $id $name", async ({ fn }) => {
    expect(await fn()).toMatchObject({ status: "ok" });
  });

  it.each(failed)("The server fails the audit $id, which the page lists", async ({ fn }) => {
    expect(await fn()).not.toMatchObject({ status: "ok" });
  });
});
