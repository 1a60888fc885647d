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
const optional = audits.filter(({ name }) => name.startsWith("MAY"));
const required = audits.filter((audit) => !optional.includes(audit));

beforeAll(async () => {
  server = await startTestServer();
}, 60_000);

afterAll(() => server?.close());

describe("Audits of GraphQL over HTTP", () => {
  it("The audits contain required and recommended ones", () => {
    expect(required.filter(({ name }) => name.startsWith("MUST")).length).toBeGreaterThanOrEqual(13);
    expect(required.filter(({ name }) => name.startsWith("SHOULD")).length).toBeGreaterThanOrEqual(18);
  });

  it.each(required)("The server passes the audit $id $name", async ({ fn }) => {
    expect(await fn()).toMatchObject({ status: "ok" });
  });

  it("The server fails exactly the optional audits that the page lists", async () => {
    const page = await readFile(join(root, "docs/reference/http.md"), "utf8");
    const listed = [...page.matchAll(/^\| ((?:[0-9A-Z]{4} ?)+) \|/gm)].flatMap(([, ids = ""]) => ids.split(" "));
    const results = await Promise.all(optional.map(({ fn }) => fn()));
    const failed = results.flatMap(({ status, id }) => (status === "ok" ? [] : [id]));
    expect(failed.sort()).toEqual(listed.sort());
  });
});
