/** The runner of `npm run mssql:check`: with PostgreSQL as its target here, and without a server it says what is wrong. */
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { caseNames, readFixture } from "../golden/cases.ts";
import { type CaseResult, runCases } from "../mssql/run-cases.ts";
import { createDatabase, query } from "../support/database.ts";

const script = join(import.meta.dirname, "../mssql/check.ts");

async function check(...args: readonly string[]): Promise<{ readonly code: number; readonly stderr: string }> {
  const run = promisify(execFile)(process.execPath, ["--import", "tsx", script, ...args]);
  return run.then(
    ({ stderr }) => ({ code: 0, stderr }),
    ({ code, stderr }: { code: number; stderr: string }) => ({ code, stderr }),
  );
}

describe("the golden cases over HTTP", () => {
  it("pass on PostgreSQL", async () => {
    const [source, metadata] = [await createDatabase("cases"), await createDatabase("cases_metadata")];
    try {
      const schema = await readFixture("schema.postgres.sql");
      const told: CaseResult[] = [];
      const results = await runCases(
        {
          dialect: "postgres",
          metadataUrl: metadata.url,
          environment: { ENGINE_GRAPHQL_DATABASE_URL: source.url },
          reset: async () => {
            await query(source.url, `drop schema public cascade; create schema public; ${schema}`);
          },
        },
        (result) => told.push(result),
      );
      expect(results.filter(({ failure }) => failure !== undefined)).toEqual([]);
      expect(results).toHaveLength((await caseNames("query")).length + (await caseNames("mutation")).length);
      expect(told).toEqual(results);
    } finally {
      await source.drop();
      await metadata.drop();
    }
  }, 60_000);
});

describe("npm run mssql:check", () => {
  it.each([
    ["no URL", [], "--url is missing"],
    ["an option that there is not", ["--server", "x"], "Unknown option '--server'"],
    ["another URL", ["--url", "postgres://db"], "--url has to be mssql://user:password@host:port"],
    ["no server", ["--url", "mssql://sa:secret@127.0.0.1:1"], "no connection to SQL Server at 127.0.0.1:1: "],
  ])("says what is wrong with %s", async (_, args, message) => {
    const { code, stderr } = await check(...args);
    expect(stderr).toContain(message);
    expect(stderr).not.toContain("secret");
    expect(code).toBe(2);
  });
});
