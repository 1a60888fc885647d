import { describe, expect, it } from "vitest";
import type { Inconsistency } from "../../../compiler/2-analyze/inconsistency.ts";
import type { ObjectId } from "../../../compiler/2-analyze/object-id.ts";
import { emptyCatalog } from "../../../compiler/catalog/catalog.ts";
import { fail, ok } from "../../../compiler/diagnostics/diagnostic.ts";
import type { Change, Warning } from "../../../compiler/metadata/operation.ts";
import { settle } from "../../../compiler/metadata/settle.ts";
import { analysisOf, inconsistencyOf } from "./sample.ts";

const catalog = emptyCatalog;
const table = (name: string, source = "s"): ObjectId => ({ kind: "table", source, table: { schema: "public", name } });
const warning: Warning = { message: "m", type: "table", name: "table t in source s", code: "track-table-failed" };

interface Lists {
  readonly before?: readonly Inconsistency[];
  readonly after?: readonly Inconsistency[];
}

function settled(change: Change, { before = [], after = [] }: Lists = {}, check: "target" | "new-entries" = "target") {
  return settle(
    { check, path: "$.args" },
    change,
    analysisOf(catalog, { inconsistencies: before }),
    analysisOf(catalog, { inconsistencies: after }),
  );
}

const accepted = (answer: unknown) => ({ ok: true, value: { kind: "accepted", answer } });

describe("Settling of metadata changes", () => {
  it("A settled change returns success", () => {
    expect(settled({ catalog })).toEqual(accepted({ message: "success" }));
  });

  it("A settled change returns its warnings", () => {
    expect(settled({ catalog, warnings: [] })).toEqual(accepted({ message: "success" }));
    expect(settled({ catalog, warnings: [warning] })).toEqual(accepted({ message: "success", warnings: [warning] }));
  });

  it("A change with warnings fails if warnings are not allowed", () => {
    expect(settled({ catalog, warnings: [warning], allowWarnings: false })).toEqual({
      ok: false,
      error: {
        code: "metadata-warnings",
        path: "$.args",
        message: "failed due to metadata warnings",
        internal: [warning],
      },
    });
  });

  it("A settled change can return a value computed from the resulting metadata", () => {
    const change: Change = { catalog, answer: ({ inconsistencies }) => inconsistencies.length, check: "none" };
    expect(settled(change, { after: [inconsistencyOf(table("t"))] })).toEqual(accepted(1));
  });

  it("A change chooses its own consistency check", () => {
    const after = [inconsistencyOf(table("t"))];
    expect(settled({ catalog }, { after }).ok).toBe(false);
    expect(settled({ catalog, check: "none" }, { after })).toEqual(accepted({ message: "success" }));
  });

  it("A change may be replaced by its retry before it is checked", () => {
    const smaller: Change = { catalog, targets: [table("u")] };
    const retry: Change["retry"] = ({ inconsistencies }) => (inconsistencies.length > 0 ? ok(smaller) : undefined);
    const change: Change = { catalog, targets: [table("t")], warnings: [warning], allowWarnings: false, retry };
    const after = [inconsistencyOf(table("t"))];
    expect(settled(change, { after })).toEqual({ ok: true, value: { kind: "retry", change: smaller } });
    expect(settled(change).ok).toBe(false);
    expect(settled({ ...change, allowWarnings: true }).ok).toBe(true);
  });

  it("A change fails if its retry fails", () => {
    const failed = fail("invalid-configuration", "$.args", "all tables failed to track");
    expect(settled({ catalog, retry: () => failed })).toEqual(failed);
  });

  it("Inconsistent objects of a renamed source are not new entries", () => {
    const renamed = (id: ObjectId) => ("source" in id && id.source === "s" ? { ...id, source: "r" } : id);
    const lists = { before: [inconsistencyOf(table("t"))], after: [inconsistencyOf(table("t", "r"))] };
    expect(settled({ catalog, renamed }, lists, "new-entries")).toEqual(accepted({ message: "success" }));
    expect(settled({ catalog }, lists, "new-entries").ok).toBe(false);
  });
});
