/** Plans that verify indexes: the statements that a database receives, their limits, and failures. */
import { describe, expect, it } from "vitest";
import type { AnalyzedSource } from "../../../compiler/2-analyze/analysis.ts";
import { verifyIndexes } from "../../../runtime/control/verify-indexes.ts";
import type { DatabaseSource, TransactionOptions } from "../../../runtime/databases/sources/source.ts";
import { EngineError, invariant } from "../../../runtime/values/errors.ts";
import { select } from "../access/metadata.ts";
import { analysisOf, shape, table } from "../analyze/sample.ts";

const indexes = [{ table: { schema: "public", name: "t0" }, name: "t0_id_owner", columns: ["id", "owner"] }];
const own = { owner: { _eq: "X-Engine-User-Id" } };

/** Returns a source of tables with a row filter on their owner. */
function sourceOf(count: number): AnalyzedSource {
  const names = Array.from({ length: count }, (_, i) => `t${i}`);
  const tables = names.map((name) => ({
    table: { schema: "public", name },
    select_permissions: [select({ filter: own }), select({ filter: own }, "other")],
  }));
  const columns = { id: "int4!", owner: "text" };
  const database = shape(names.map((name) => table(name, { columns, primaryKey: ["id"] })));
  const source = analysisOf({ tables }, { shape: database }).sources.get("default");
  invariant(source, "the source is consistent");
  return source;
}

const plan = (node: object): string => JSON.stringify([{ Plan: { Alias: "engine_advised", ...node } }]);
const indexScan = plan({ "Node Type": "Index Scan", "Index Cond": "(owner = $0)" });

interface Received {
  readonly texts: readonly string[];
  readonly options: readonly TransactionOptions[];
}

/** Returns a database that responds to each EXPLAIN, and what it received. */
function databaseWith(explain: (text: string) => string): { readonly database: DatabaseSource; received: Received } {
  const texts: string[] = [];
  const options: TransactionOptions[] = [];
  const query = async ({ text }: { readonly text: string }, values: readonly unknown[]) => {
    texts.push(text);
    expect(values).toEqual([]);
    return text.startsWith("EXPLAIN") ? [[explain(text)]] : [];
  };
  const transaction: DatabaseSource["transaction"] = (given, work) => {
    options.push(given);
    return work({ query } as unknown as Parameters<typeof work>[0]);
  };
  return { database: { transaction } as DatabaseSource, received: { texts, options } };
}

describe("Plans that verify indexes", () => {
  it("The database receives one plan for equal filters, in read-only transactions with a timeout, and runs no statement", async () => {
    const { database, received } = databaseWith(() => indexScan);
    const verified = await verifyIndexes(sourceOf(2), { indexes }, database);
    expect([...(verified?.served.values() ?? [])]).toEqual([true, true, true, true]);
    expect(verified?.incomplete).toBeUndefined();
    expect(received.options).toEqual(received.options.map(() => ({ readOnly: true, timeoutMilliseconds: 2000 })));
    const statements = received.texts.filter((text) => !text.startsWith("SELECT "));
    expect(statements).toHaveLength(2);
    for (const text of statements)
      expect(text).toMatch(/^EXPLAIN \(FORMAT JSON, COSTS OFF\) select 1 from "public"\."t\d" /);
  });

  it.each([
    ["a sequential scan", plan({ "Node Type": "Seq Scan" }), false],
    ["an index of another column", plan({ "Index Cond": "(id = 'owner'::text)" }), false],
    ["the second column of an index", plan({ "Index Name": "t0_id_owner", "Index Cond": "(owner = $0)" }), false],
    ["a bitmap of an index", plan({ Plans: [{ "Index Cond": '("owner" = $0)' }] }), true],
    [
      "an index of one of two partitions",
      JSON.stringify([
        {
          Plan: { Plans: [{ Alias: "engine_advised_1", "Index Cond": "(owner = $0)" }, { Alias: "engine_advised_2" }] },
        },
      ]),
      false,
    ],
    ["no scan of the table", JSON.stringify([{ Plan: { "Node Type": "Result" } }]), undefined],
  ])("A plan with %s", async (_, text, expected) => {
    const { database } = databaseWith(() => text);
    const verified = await verifyIndexes(sourceOf(1), { indexes }, database);
    expect([...(verified?.served.values() ?? [])]).toEqual(expected === undefined ? [] : [expected, expected]);
  });

  it("A failed plan leaves its comparison to the structure of the indexes, and the others are verified", async () => {
    const { database } = databaseWith((text) => {
      if (text.includes('"t1"')) throw new EngineError("postgres-error", "$", "canceling statement due to timeout");
      return indexScan;
    });
    const verified = await verifyIndexes(sourceOf(3), { indexes }, database);
    expect(verified?.served.size).toBe(4);
    expect(verified?.incomplete).toBeUndefined();
  });

  it("An unreachable database fails once", async () => {
    const { database, received } = databaseWith(() => {
      throw new EngineError("connection error", "$", "the connection ended");
    });
    await expect(verifyIndexes(sourceOf(3), { indexes }, database)).rejects.toThrow("the connection ended");
    expect(received.options).toHaveLength(1);
  });

  it("The number of plans is limited, and the result names the uses without a plan", async () => {
    const { database, received } = databaseWith(() => indexScan);
    const verified = await verifyIndexes(sourceOf(510), { indexes }, database);
    expect(received.texts.filter((text) => text.startsWith("EXPLAIN"))).toHaveLength(500);
    expect(verified?.incomplete).toMatch(
      /^the database of source default planned only 999 of 1020 comparisons and joins/,
    );
  });
});
