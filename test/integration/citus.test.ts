/**
 * The operations of `test/golden/citus/` on a server with Citus. `ENGINE_TEST_CITUS_URL` is the URL of a superuser on
 * the coordinator, in a database with the extension that the test may write to; without it the tests are skipped,
 * because no package of the project contains Citus.
 */
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parse as parseYaml } from "yaml";
import { answerOf, citusCases, distributedShape, readCitusFile, resetRows, runLines } from "../support/citus-cases.ts";
import { TestEngine } from "../support/compiled.ts";
import { query as runSql } from "../support/database.ts";

const url = process.env.ENGINE_TEST_CITUS_URL ?? "";

describe.skipIf(url === "")("Operations on Citus (skipped without ENGINE_TEST_CITUS_URL)", async () => {
  const cases = await citusCases();
  let engine: TestEngine;
  let metadata: unknown;

  beforeAll(async () => {
    await runSql(
      url,
      "drop table if exists items, orders, customers, tenants, visits, notes, products, countries cascade",
    );
    for (const file of ["schema.postgres.sql", "distribute.sql", "keys.sql", "functions.sql"])
      await runLines(url, file);
    engine = new TestEngine(url);
    metadata = parseYaml(await readCitusFile("metadata.yaml"));
    const { inconsistencies } = await engine.load(metadata);
    expect(inconsistencies).toEqual([]);
  }, 120_000);

  afterAll(() => engine?.close());

  it.each(cases)("Citus returns the golden result: %s", { timeout: 60_000 }, async (name) => {
    await resetRows(url);
    const golden: unknown = JSON.parse(await readCitusFile(join(name, "result.json")));
    expect(await answerOf(engine, name)).toEqual(golden);
  });

  it("Introspection finds the places that the golden shape has", async () => {
    const shape = engine.served().analysis.sources.get("default")?.shape;
    expect(shape?.citus).toBeDefined();
    if (!shape) throw new Error("the source has been introspected");
    const places = (each: typeof shape) =>
      each.tables.map(({ name, distribution }) => [
        name,
        distribution?.kind,
        distribution && "column" in distribution && distribution.column,
      ]);
    expect(places(shape)).toEqual(
      places(distributedShape({ ...shape, tables: shape.tables.map(({ distribution: _, ...table }) => table) })),
    );
    const reads = shape.functions.map(({ name, readsDistributed }) => [name, readsDistributed]);
    expect(reads).toEqual([
      ["find_orders", "other"],
      ["order_label", undefined],
      ["order_total", "other"],
      ["search_orders", "sql"],
    ]);
  });

  it("Citus runs the operations of one tenant on one shard", async () => {
    await resetRows(url);
    const before = engine.sent.length;
    await answerOf(engine, "one-shard");
    const [statement] = engine.sent.slice(before);
    if (!statement) throw new Error("the operation sent a statement");
    const plan = await runSql(url, `explain (costs off) ${statement.text}`, statement.values);
    const lines = plan.map((row) => String(row["QUERY PLAN"]).trim());
    expect(lines.filter((line) => line.startsWith("Task Count"))).toEqual(["Task Count: 1"]);
    expect(lines.filter((line) => line.includes("Distributed Subplan"))).toEqual([]);
  });
});
