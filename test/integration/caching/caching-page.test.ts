/** Runs the commands of `docs/how-to/caching.md`, and checks the defaults of its options. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { optionTable } from "../../../runtime/config/option-table.ts";
import { query } from "../../support/database.ts";
import { startTestServer, type TestServer } from "../../support/server.ts";
import { root } from "../../support/shared-checks.ts";

const page = await readFile(join(root, "docs/how-to/caching.md"), "utf8");
const requests = [...page.matchAll(/^curl (?:-i )?'?http:\/\/localhost:8080([^ ']+)'? (.*)$/gm)];

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
  await query(server.databaseUrl, "create table note (text text); insert into note values ('one')");
  await server.metadata("pg_track_table", { table: "note" });
});
afterAll(() => server?.close());

it("The requests of the caching page work", async () => {
  expect(requests).toHaveLength(3);
  const answers: Response[] = [];
  for (const [, path = "", rest = ""] of requests) {
    const [, body = ""] = /-d '(.*)'/.exec(rest) ?? [];
    answers.push(await fetch(`${server.url}${path}`, { method: "POST", body }));
  }
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  const headers = [...page.matchAll(/^\| `(X-Engine-[\w-]+|Cache-Control)` \|/gm)].map(([, name = ""]) => name);
  expect(headers).toHaveLength(3);
  expect(headers.map((name) => answers[0]?.headers.get(name))).not.toContain(null);
  expect(answers[0]?.headers.get("cache-control")).toBe("private, max-age=60");
});

it("The caching page lists the options with their defaults", () => {
  const shown = [...page.matchAll(/^\| `(--[\w-]+)` \| ([^|]+) \|/gm)].map(([, flag, usual]) => [flag, usual]);
  const megabytes = (bytes: number) => `${bytes / 1024 / 1024} MiB`;
  const { redisUrl, cacheMaxBytes, cacheMaxEntrySize, cacheMaxEntryTtlSeconds } = optionTable;
  expect(shown).toEqual([
    [cacheMaxBytes.flag, megabytes(cacheMaxBytes.default)],
    [redisUrl.flag, "–"],
    [cacheMaxEntrySize.flag, String(cacheMaxEntrySize.default)],
    [cacheMaxEntryTtlSeconds.flag, String(cacheMaxEntryTtlSeconds.default)],
  ]);
});
