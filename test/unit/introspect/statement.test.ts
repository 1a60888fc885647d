import { parse } from "pgsql-parser";
import { describe, expect, it } from "vitest";
import { catalogStatement, serverStatement } from "../../../compiler/dialects/postgres/introspect/statement.ts";
import { definitionsPath, definitionsStatement } from "../../../runtime/model/dialects/postgres/definitions.ts";

/** Yields every value of a syntax tree with the name of its property. */
function* partsOf(tree: unknown): Generator<readonly [property: string, value: unknown]> {
  if (typeof tree !== "object" || tree === null) return;
  for (const [property, value] of Object.entries(tree)) {
    yield [property, value];
    yield* partsOf(value);
  }
}

/** Returns the names of all relations, functions and types in a statement, split into parts. */
async function namesIn(statement: string): Promise<string[][]> {
  const names: string[][] = [];
  for (const [property, value] of partsOf(await parse(statement))) {
    if (property === "RangeVar") {
      const { schemaname = "", relname } = value as { readonly schemaname?: string; readonly relname: string };
      names.push([schemaname, relname]);
    } else if (property === "funcname" || property === "names") {
      const parts = value as readonly { readonly String: { readonly sval: string } }[];
      names.push(parts.map((part) => part.String.sval));
    }
  }
  return names;
}

const versions = [100023, 110022, 120022, 130023, 140023, 150018, 160014, 170010, 180004];

describe("The definitions statement", () => {
  it.each(versions)(
    "The definitions statement qualifies every relation, function and type except its own parts (%d)",
    async (version) => {
      const own = new Set(["relation", "routine", "part", "edge", "root", "used", "uses"]);
      const names = [...(await namesIn(definitionsPath)), ...(await namesIn(definitionsStatement(version)))];
      expect(names).toContainEqual(["pg_catalog", "pg_get_viewdef"]);
      const unqualified = names.filter(
        ([schema, name]) => schema !== "pg_catalog" && (schema !== "" || !own.has(name ?? "")),
      );
      expect(unqualified).toEqual([]);
    },
  );

  it.each([
    ["prokind", 110000],
    ["sha256", 110000],
    ["attgenerated", 120000],
  ])("The definitions statement reads %s only from versions that have it (%d)", (part, since) => {
    for (const version of versions) expect(definitionsStatement(version).includes(part)).toBe(version >= since);
  });
});

describe("The introspection statements", () => {
  it.each(versions)("The introspection statements qualify every relation, function and type (%d)", async (version) => {
    const names = [...(await namesIn(serverStatement)), ...(await namesIn(catalogStatement(version)))];
    expect(names).toContainEqual(["pg_catalog", "pg_attribute"]);
    expect(names).toContainEqual(["pg_catalog", "json_build_array"]);
    expect(names).toContainEqual(["pg_catalog", "regclass"]);
    expect(names.filter((parts) => parts[0] !== "pg_catalog")).toEqual([]);
  });

  it.each([
    ["prokind", 110000],
    ["conparentid", 110000],
    ["attgenerated", 120000],
    ["conperiod", 180000],
  ])("The catalog statement reads %s only from versions that have it (%d)", (column, since) => {
    for (const version of versions) expect(catalogStatement(version).includes(column)).toBe(version >= since);
  });

  it("The catalog statement reads proisagg only from versions without prokind", () => {
    for (const version of versions) expect(catalogStatement(version).includes("proisagg")).toBe(version < 110000);
  });
});
