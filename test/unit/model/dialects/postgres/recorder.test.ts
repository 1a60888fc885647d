import { parse } from "pgsql-parser";
import { describe, expect, it } from "vitest";
import { postgres } from "../../../../../compiler/dialects/postgres/introspect.ts";
import type { RecordedColumn, RecorderPlan } from "../../../../../compiler/dialects/recorder.ts";

const column = (name: string, type: string, schema = "pg_catalog"): RecordedColumn => ({
  name,
  type: { schema, name: type, sql: type, category: "base" },
});

function recorderOf(columns: readonly RecordedColumn[], more: Partial<RecorderPlan> = {}) {
  return postgres.recorder({
    trigger: "t",
    operation: "INSERT",
    table: { schema: "public", name: "place", columns, primaryKey: [], standsAlone: true, partitioned: false },
    watched: "*",
    payload: "*",
    onReplication: false,
    stringifyNumbers: false,
    ...more,
  });
}

describe("PostgreSQL event recorders", () => {
  it("A recorder converts geometry to GeoJSON with the function of the extension's schema", () => {
    const [definition] = recorderOf([column("id", "int4"), column("at", "geometry", "Gis")]).statements;
    expect(definition).toContain(`to_jsonb(changed.*) || jsonb_build_object(
        'at', "Gis".st_asgeojson(changed."at", 15, 4)::jsonb
      )`);
  });

  it("A recorder converts large numbers to strings if the trigger requests it", () => {
    const columns = [column("small", "int4"), column("big", "int8"), column("exact", "numeric")];
    expect(recorderOf(columns).statements[0]).not.toMatch(/"(small|big|exact)"::text/);
    const [definition = ""] = recorderOf(columns, { stringifyNumbers: true }).statements;
    expect(definition).toContain(`'big', changed."big"::text`);
    expect(definition).toContain(`'exact', changed."exact"::text`);
    expect(definition).not.toContain(`changed."small"`);
  });

  it("A recorder supports more columns than a function takes arguments", async () => {
    const columns = Array.from({ length: 120 }, (_, i) => column(`c${i}`, "text"));
    const [definition = ""] = recorderOf(columns, { payload: columns.map(({ name }) => name) }).statements;
    expect(definition.match(/jsonb_build_object\(\n {8}/g)).toHaveLength(3);
    await expect(parse(definition)).resolves.toBeDefined();
  });

  it("A recorder's name is short enough for PostgreSQL and unique per trigger", () => {
    const named = (trigger: string) => recorderOf([column("id", "int4")], { trigger }).name;
    const long = "ü".repeat(60);
    expect(named("x".repeat(42))).toBe(`notify_engine_${"x".repeat(42)}_INSERT`);
    expect(Buffer.byteLength(named(long))).toBeLessThanOrEqual(63);
    expect(named(`${long}a`)).not.toBe(named(`${long}b`));
  });

  it("A recorder's comment contains a hash that changes with its definition", () => {
    const columns = [column("id", "int4"), column("name", "text")];
    const hashes = [
      recorderOf(columns),
      recorderOf(columns, { payload: ["id"] }),
      recorderOf(columns, { onReplication: true }),
      recorderOf(columns, { operation: "UPDATE" }),
      recorderOf(columns, { operation: "UPDATE", watched: ["id"] }),
      recorderOf(columns, { orderingKey: ["id"] }),
    ].map(({ hash, statements }) => {
      expect(hash).toMatch(/^[0-9a-f]{16}$/);
      expect(statements[0]).toContain(`\n-- definition ${hash}\n`);
      return hash;
    });
    expect(new Set(hashes).size).toBe(hashes.length);
  });
});
