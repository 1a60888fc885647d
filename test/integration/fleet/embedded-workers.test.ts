/** The sample server with several workers: only the first process runs the embedded database. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startEngine } from "../../support/engine-process.ts";
import { ensureBuilt, root } from "../../support/shared-checks.ts";
import { pidOf, WorkerConnection } from "../../support/worker-connections.ts";

const books = "{ book_aggregate { aggregate { count } } }";
let folder: string;

beforeAll(async () => {
  await ensureBuilt();
  folder = await mkdtemp(join(tmpdir(), "embedded-workers-"));
}, 120_000);

afterAll(() => rm(folder, { recursive: true, force: true }));

describe("The sample server with two workers", () => {
  it("The embedded database survives killed workers and ends with its server", async () => {
    const program = [join(root, ".build/engine.mjs"), "start", "--demo", "--workers", "2"];
    const demo = await startEngine({ ENGINE_GRAPHQL_SERVER_HOST: "127.0.0.1" }, program, folder);
    try {
      const ask = async () => {
        const connection = new WorkerConnection(demo.url);
        const answer = await connection.graphql(books, { "x-engine-role": "librarian" }).catch(() => null);
        connection.close();
        return answer;
      };
      const before = await ask();
      expect(before).toHaveProperty("data.book_aggregate.aggregate.count");
      const pidsOf = () => Promise.all([pidOf(demo, 1), pidOf(demo, 2)]);
      const pids = await pidsOf();
      for (const pid of pids) process.kill(pid, "SIGKILL");
      const replaced = async () => (await pidsOf()).every((pid) => !pids.includes(pid));
      await expect.poll(replaced, { timeout: 40_000 }).toBe(true);
      expect(await ask()).toEqual(before);
      demo.child.kill("SIGINT");
      expect((await demo.ended).code).toBe(0);
      expect(demo.log().some((line) => line.includes("unhandled"))).toBe(false);
    } finally {
      demo.child.kill("SIGKILL");
      await demo.ended;
    }
  }, 120_000);
});
