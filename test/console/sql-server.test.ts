/** SQL Server on the data and permissions pages, with a fake server that returns introspection results. */
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hasBrowser } from "../support/browser.ts";
import { openConsole, type TestConsole } from "../support/console.ts";
import { shopRows } from "../support/mssql-shop.ts";
import { startTdsPeer, type TdsAnswer, type TdsPeer } from "../support/tds-peer.ts";
import { problemsOfTsql } from "../support/tsql.ts";

function texts(rows: readonly (readonly (string | null)[])[]): TdsAnswer {
  return { columns: (rows[0] ?? []).map(() => ({ name: "", type: "nvarchar" as const })), rows };
}

const columns = [
  { name: "name", descending: false, included: false },
  { name: "id", descending: true, included: false },
  { name: "note ]", descending: false, included: true },
];
const filter = "([id]>(0))";
const indexes = [
  { name: "by_name", kind: "nonclustered", unique: true, primary: false, filter, columns },
  { name: "all_of_it", kind: "clustered columnstore", unique: false, primary: false, filter: null, columns: null },
];
const named = (...names: readonly string[]) => names.map((name) => ({ name, type: "nvarchar" as const }));
const facts: TdsAnswer = {
  columns: named("section", "name", "first", "second", "third"),
  rows: [
    ["column", "name", "nvarchar(40)", "(N'it''s')", ""],
    ["constraint", "CK_customer_name", "check", "check (len([name])>(0))", ""],
    ["constraint", "UQ ] name", "unique", "unique ([name])", ""],
  ],
};
const usage: TdsAnswer = {
  columns: named("name", "bytes", "uses"),
  rows: [
    ["by_name", "16384", "12"],
    ["all_of_it", "8192", "0"],
  ],
};
const checks = [{ name: "CK_customer_name", type: "check", definition: "(len([name])>(0))" }];

describe.skipIf(!hasBrowser)("The console with SQL Server", { timeout: 120_000 }, () => {
  let peer: TdsPeer;
  let opened: TestConsole;
  let page: Page;
  const described: string[] = [];
  const rows: string[] = [];

  beforeAll(async () => {
    peer = await startTdsPeer((request) => {
      if (request.kind !== "execute" && request.kind !== "batch") return [];
      if (request.text.includes("as [third]")) {
        described.push(request.text);
        return [facts];
      }
      if (request.text.includes("sys.dm_db_index_usage_stats")) {
        described.push(request.text);
        return [usage];
      }
      if (request.text.includes("sys.check_constraints")) {
        described.push(request.text);
        return [
          texts([
            ["indexes", JSON.stringify(indexes)],
            ["checks", JSON.stringify(checks)],
            ["view", null],
          ]),
        ];
      }
      if (request.text.includes("sys.columns")) return [texts(shopRows)];
      rows.push(request.text);
      return [texts([[/count\(/i.test(request.text) ? '{"aggregate":{"count":1}}' : '[{"id":1,"name":"Kim"}]']])];
    });
    opened = await openConsole();
    const connection_string = `mssql://sa:secret@127.0.0.1:${peer.port}/shop?encrypt=false`;
    const configuration = { connection_info: { connection_string } };
    const sources = [{ name: "shop", kind: "mssql", configuration, tables: [{ table: "customer" }] }];
    await opened.server.metadata("replace_metadata", { metadata: { version: 3, sources } });
    page = await opened.newPage();
  }, 180_000);
  afterAll(async () => {
    await opened?.close();
    await peer?.close();
  });

  it("The console lists SQL Server tables and views by their names and tracks them", async () => {
    await page.goto(`${opened.server.url}/console/data/shop`);
    await page.getByText(/1 of \d+ tracked/).waitFor();
    await page.getByRole("cell", { name: "customer", exact: true }).waitFor();
    await page.getByRole("cell", { name: "View", exact: true }).waitFor();
    await page.getByLabel("Select order_line").check();
    await page.getByRole("button", { name: "Track 1" }).click();
    await page.getByText(/2 of \d+ tracked/).waitFor();
    const { sources } = (await opened.server.metadata("export_metadata", {})) as {
      readonly sources: readonly { readonly tables: readonly { readonly table: unknown }[] }[];
    };
    expect(sources[0]?.tables.map(({ table }) => table)).toContainEqual({ schema: "sales", name: "order_line" });
  });

  it("The console shows columns, indexes and constraints of a SQL Server table", async () => {
    await page.goto(`${opened.server.url}/console/data/shop/dbo/customer`);
    await page.getByRole("tab", { name: "Structure" }).click();
    await page.getByRole("rowheader", { name: "name", exact: true }).waitFor();
    await page.getByText("unique nonclustered ([name], [id] desc) include ([note ]]]) where ([id]>(0))").waitFor();
    await page.getByText("clustered columnstore", { exact: true }).waitFor();
    await page.getByText("check (len([name])>(0))").waitFor();
    await page.getByRole("row", { name: /^name nvarchar\(40\) \(N'it''s'\)/ }).waitFor();
    await page
      .getByRole("row", { name: /^by_name/ })
      .getByText("16 kB")
      .waitFor();
    await page
      .getByRole("row", { name: /^all_of_it/ })
      .getByText("Unused")
      .waitFor();
    expect(described.flatMap(problemsOfTsql)).toEqual([]);
  });

  it("The console previews changes of a SQL Server table as T-SQL", async () => {
    await page.getByRole("button", { name: "Edit column name" }).click();
    await page.getByLabel("Name", { exact: true }).fill("full ]'name");
    const preview = page.getByRole("region", { name: "SQL" });
    await preview.getByText("exec sp_rename N'[dbo].[customer].[name]', N'full ]''name', N'COLUMN';").waitFor();
    await page.getByRole("button", { name: "Cancel" }).click();
    await page.getByRole("button", { name: "Delete constraint UQ ] name" }).click();
    await preview.getByText("alter table [dbo].[customer] drop constraint [UQ ]] name];").waitFor();
    await page.getByRole("button", { name: "Cancel" }).click();
    await page.getByRole("button", { name: "Delete index by_name" }).click();
    await preview.getByText("drop index [by_name] on [dbo].[customer];").waitFor();
    await page.getByRole("button", { name: "Cancel" }).click();
  });

  it("The console shows rows of a SQL Server table", async () => {
    await page.getByRole("tab", { name: "Rows" }).click();
    await page.getByText("1 of 1 rows").waitFor();
    await page.getByRole("gridcell", { name: "Kim" }).waitFor();
    expect(rows.flatMap(problemsOfTsql)).toEqual([]);
  });

  it("The console lists table-valued functions of SQL Server", async () => {
    await page.goto(`${opened.server.url}/console/data/shop`);
    await page.getByRole("link", { name: "Functions" }).click();
    await page.getByText(/^sales\.orders_of\(/).waitFor();
  });

  it("The console creates SQL Server tables with SQL Server types and default schema", async () => {
    await page.goto(`${opened.server.url}/console/data/shop`);
    await page.getByText(/2 of \d+ tracked/).waitFor();
    await page.getByRole("button", { name: "Create table" }).click();
    expect(await page.getByLabel("Type of column 2").inputValue()).toBe("nvarchar(max)");
    expect(await page.getByLabel("Schema").inputValue()).toBe("dbo");
  });

  it("The console edits permissions of SQL Server tables", async () => {
    await page.goto(`${opened.server.url}/console/permissions/shop/dbo/customer/clerk`);
    await page.getByRole("button", { name: "Allow select", exact: true }).click();
    await page.getByRole("button", { name: "All", exact: true }).click();
    await page.getByText("This widens access").waitFor();
    await page.getByRole("button", { name: "Save and widen access" }).click();
    await page.getByText("Saved the select permission of clerk on customer").waitFor();
  });

  it("The console causes no browser errors with SQL Server and no requests to other hosts", () => {
    expect(opened.complaints).toEqual([]);
    expect(opened.otherHosts).toEqual([]);
  });
});
