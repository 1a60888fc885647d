import { describe, expect, it } from "vitest";
import { inconsistencyEntry } from "../../../compiler/2-analyze/inconsistency.ts";
import { analysisOf, catalogOf, library, parsed, sourceIn, sourceOf } from "./sample.ts";

const article = { table: "article" };

describe("a source", () => {
  it("that cannot be reached is left out with its tables, under the driver's text", () => {
    const introspections = new Map([["default", { error: { message: "connection error", internal: "refused" } }]]);
    const analysis = analysisOf({ tables: [article] }, { introspections });
    expect(analysis.sources.size).toBe(0);
    expect(analysis.inconsistencies.map(inconsistencyEntry)).toEqual([
      {
        definition: "default",
        name: "source default",
        reason: "Inconsistent object: connection error",
        type: "source",
        message: "refused",
      },
    ]);
  });

  it("that was reached before works on with the Shape of then", () => {
    const introspections = new Map([["default", { error: { message: "no route" }, staleShape: library }]]);
    const analysis = analysisOf({ tables: [article] }, { introspections });
    expect([...sourceIn(analysis).tables.keys()]).toEqual(["public.article"]);
    expect(analysis.inconsistencies.map(inconsistencyEntry)).toEqual([
      {
        definition: "default",
        name: "source default",
        reason:
          'Inconsistent object: source "default"  is inconsistent because of stale database introspection is used. The source couldn\'t be reached for a fresh introspection because we got error: no route',
        type: "source",
      },
    ]);
  });

  it("that was not introspected is a mistake of the caller", () => {
    expect(() => analysisOf({}, { introspections: new Map() })).toThrow("source default was not introspected");
  });

  it("declared twice is left out as a duplicate", () => {
    const catalog = catalogOf({ tables: [article] });
    const analysis = analysisOf({ ...catalog, sources: [...catalog.sources, ...catalog.sources] });
    expect(analysis.sources.size).toBe(0);
    expect(analysis.inconsistencies.map(inconsistencyEntry)).toEqual([
      {
        definitions: ["default", "default"],
        reason: "Multiple definitions for: source default",
        type: "source",
      },
    ]);
  });
});

it("gives sources in the order of their names", () => {
  const catalog = parsed({ version: 3, sources: [sourceOf("b", [article]), sourceOf("a", [])] });
  expect([...analysisOf(catalog).sources.keys()]).toEqual(["a", "b"]);
});

it("lists the roles that consistent objects name, without admin", () => {
  const analysis = analysisOf({
    tables: [
      {
        table: "article",
        select_permissions: [
          { role: "writer", permission: { columns: "*", filter: {} } },
          { role: "broken", permission: { columns: ["none"], filter: {} } },
          { role: "admin", permission: { columns: "*", filter: {} } },
        ],
        delete_permissions: [{ role: "cleaner", permission: { filter: {} } }],
      },
    ],
    inherited_roles: [{ role_name: "chief", role_set: ["writer", "cleaner"] }],
  });
  expect(analysis.roles).toEqual(["chief", "cleaner", "writer"]);
});
