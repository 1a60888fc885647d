/** Group fields whose names other root fields have. */
import { describe, expect, it } from "vitest";
import { noticesOf } from "../../../compiler/2-analyze/notices.ts";
import { analysisOf, type catalogOf, tableIn } from "./sample.ts";

const author = { table: "author" };
const article = (name: string) => ({ table: "article", configuration: { custom_root_fields: { select: name } } });
const query = (name: string) => [{ name, definition: { type: "query", handler: "http://x", output_type: "String" } }];

const leftOut = (metadata: Parameters<typeof catalogOf>[0]) => [...analysisOf(metadata).leftOutGroups];

describe("Names of group fields", () => {
  it("A table or an action with the name of a group field keeps it, and neither object becomes inconsistent", () => {
    for (const metadata of [
      { tables: [author, article("author_group")] },
      { tables: [author], actions: query("author_group") },
    ]) {
      const analysis = analysisOf(metadata);
      expect(analysis.inconsistencies).toEqual([]);
      expect([...analysis.leftOutGroups]).toEqual(["default author_group"]);
    }
    expect(leftOut({ tables: [author, article("authors")] })).toEqual([]);
  });

  it("A custom name resolves the conflict, and two equal custom names leave out both fields", () => {
    const grouped = (table: object, name: string) => ({
      ...table,
      configuration: { custom_root_fields: { select_group: name } },
    });
    expect(leftOut({ tables: [grouped(author, "grouped_authors"), article("author_group")] })).toEqual([]);
    const tables = [grouped(author, "groups"), grouped({ table: "article" }, "groups")];
    expect(leftOut({ tables })).toEqual(["default groups"]);
    expect(tableIn(analysisOf({ tables }), "public.author").rootFields?.select_group.name).toBe("groups");
  });

  it("Fields in the namespace of a source do not conflict with fields outside it", () => {
    const customization = { root_fields: { namespace: "app" } };
    expect(leftOut({ tables: [author], customization, actions: query("author_group") })).toEqual([]);
    expect(leftOut({ tables: [author], customization: { root_fields: { namespace: "author_group" } } })).toEqual([]);
  });

  it("A later change adds and removes the conflict", () => {
    const before = analysisOf({ tables: [author] });
    expect([...before.leftOutGroups]).toEqual([]);
    const during = analysisOf({ tables: [author, article("author_group")] }, { previous: before });
    expect([...during.leftOutGroups]).toEqual(["default author_group"]);
    expect([...analysisOf({ tables: [author] }, { previous: during }).leftOutGroups]).toEqual([]);
  });

  it("A notice names the conflicting field and the remedy", () => {
    const notices = noticesOf(analysisOf({ tables: [article("author_group"), author] }));
    expect(notices).toEqual([
      {
        path: "$.sources[0].tables[1]",
        message:
          'groups of the table "author" are not a root field because another one has the name "author_group": set select_group in custom_root_fields',
      },
    ]);
  });
});
