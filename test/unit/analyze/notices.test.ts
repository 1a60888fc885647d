import { expect, it } from "vitest";
import { metadataNotices } from "../../../compiler/2-analyze/notices.ts";
import type { Catalog } from "../../../compiler/catalog/catalog.ts";
import { analysisOptions } from "../../support/analysis-options.ts";
import { parsed } from "./sample.ts";

const filter = { owner: { _eq: "X-App-User-Id" } };
const permissions = [{ role: "user", permission: { columns: ["id"], filter } }];
const connection_info = { database_url: "postgres://x" };
const tables = ["first", "second"].map((name) => ({ table: name, select_permissions: permissions }));
const catalog = parsed({ version: 3, sources: [{ name: "default", configuration: { connection_info }, tables }] });

/** Returns the catalog without one table; the other tables are the same objects. */
function without(name: string): Catalog {
  const sources = catalog.sources.map((source) => ({
    ...source,
    tables: source.tables.filter(({ table }) => table.name !== name),
  }));
  return { ...catalog, sources };
}

const placesIn = (given: Catalog, alias?: string) =>
  metadataNotices(given, { ...analysisOptions, ...(alias !== undefined && { sessionAlias: alias }) }).map(
    ({ path }) => path,
  );
const place = (table: number) => `$.sources[0].tables[${table}].select_permissions[0].permission.filter.owner._eq`;

it("Notices list the current places of a constant, even in a table analysed before", () => {
  expect(placesIn(catalog)).toEqual([place(0), place(1)]);
  expect(placesIn(without("first"))).toEqual([place(0)]);
  expect(placesIn(without("second"))).toEqual([place(0)]);
});

it("Notices follow the current alias of session variables", () => {
  expect(placesIn(catalog)).toHaveLength(2);
  expect(placesIn(catalog, "x-app-")).toEqual([]);
  expect(placesIn(catalog)).toHaveLength(2);
});
