import { describe, expect, it } from "vitest";
import { inconsistencyEntry } from "../../../compiler/2-analyze/inconsistency.ts";
import { analysisOf, catalogOf, library, parsed, sourceIn, sourceOf } from "./sample.ts";

const article = { table: "article" };

describe("Sources", () => {
  it("An unreachable source is inconsistent with the driver's message and without its tables", () => {
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

  it("An unreachable source keeps its previous introspection", () => {
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

  it("A source without an introspection is an internal error", () => {
    expect(() => analysisOf({}, { introspections: new Map() })).toThrow("source default was not introspected");
  });

  it("A source declared twice is reported as a duplicate and omitted", () => {
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

it("Sources are ordered by name", () => {
  const catalog = parsed({ version: 3, sources: [sourceOf("b", [article]), sourceOf("a", [])] });
  expect([...analysisOf(catalog).sources.keys()]).toEqual(["a", "b"]);
});

it("Roles are listed from consistent objects, without admin", () => {
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
