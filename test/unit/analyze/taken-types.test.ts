/** Types of newer parts of the schema whose names other types have. */
import { describe, expect, it } from "vitest";
import { noticesOf } from "../../../compiler/2-analyze/notices.ts";
import { analysisOf, library, type MetadataInput } from "./sample.ts";

const author = { table: "author" };
const article = (custom_name: string) => ({ table: "article", configuration: { custom_name } });

const noticesFor = (metadata: MetadataInput) => {
  const analysis = analysisOf(metadata);
  expect(analysis.inconsistencies).toEqual([]);
  return noticesOf(analysis).map(({ path, message }) => `${path}: ${message}`);
};
const lacks = (part: string, name: string) =>
  `$.sources[0].tables[0]: ${part} of the table "author" is left out because another type has the name "${name}": rename that type`;
const changes = "the field changes of mutations";
const topPer = "the argument top_per";

describe("Notices about types whose names are taken", () => {
  it("A notice names the part of the schema that a table lacks, and the type that has the name", () => {
    expect(noticesFor({ tables: [author, article("author_change")] })).toEqual([lacks(changes, "author_change")]);
    expect(noticesFor({ tables: [author, article("author_top_per")] })).toEqual([lacks(topPer, "author_top_per")]);
    expect(noticesFor({ tables: [author, article("author_changes")] })).toEqual([]);
  });

  it("Custom types, logical models and types with affixes have names, too", () => {
    const custom_types = { scalars: [{ name: "author_change" }] };
    expect(noticesFor({ tables: [author], custom_types })).toEqual([lacks(changes, "author_change")]);
    const logical_models = [{ name: "author_top_per", fields: [{ name: "id", type: { scalar: "int" } }] }];
    const configuration = { connection_info: { database_url: "postgres://x" } };
    const source = { name: "default", kind: "postgres", configuration, tables: [author], logical_models };
    expect(noticesFor({ sources: [source] })).toEqual([lacks(topPer, "author_top_per")]);
    const customization = { type_names: { prefix: "app_" } };
    expect(noticesFor({ tables: [author, article("author_change")], customization })).toEqual([
      lacks(changes, "app_author_change"),
    ]);
    expect(noticesFor({ tables: [author], custom_types, customization })).toEqual([]);
  });

  it("A table that would not have the part anyway has no notice", () => {
    const withoutKey = { ...library, tables: library.tables.map((table) => ({ ...table, primaryKey: null })) };
    const analysis = analysisOf({ tables: [author, article("author_change")] }, { shape: withoutKey });
    expect(noticesOf(analysis)).toEqual([]);
  });
});
