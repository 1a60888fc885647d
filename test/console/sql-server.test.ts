/** SQL Server on the data and permissions pages: a peer stands for it, which answers what introspection asks. */
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
const checks = [{ name: "CK_customer_name", type: "check", definition: "(len([name])>(0))" }];

describe.skipIf(!hasBrowser)("SQL Server in the console", { timeout: 120_000 }, () => {
  let peer: TdsPeer;
  let opened: TestConsole;
  let page: Page;
  const described: string[] = [];
  const rows: string[] = [];

  beforeAll(async () => {
    peer = await startTdsPeer((request) => {
      if (request.kind !== "execute" && request.kind !== "batch") return [];
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

  it("lists its tables and views by the names people write, and tracks them", async () => {
    await page.goto(`${opened.server.url}/console/data/shop`);
    await page.getByText(/1 tracked, \d+ not/).waitFor();
    await page.getByRole("cell", { name: "customer", exact: true }).waitFor();
    await page.getByRole("cell", { name: "view", exact: true }).waitFor();
    await page.getByLabel("Choose order_line").check();
    await page.getByRole("button", { name: "Track 1" }).click();
    await page.getByText(/2 tracked, \d+ not/).waitFor();
    const { sources } = (await opened.server.metadata("export_metadata", {})) as {
      readonly sources: readonly { readonly tables: readonly { readonly table: unknown }[] }[];
    };
    expect(sources[0]?.tables.map(({ table }) => table)).toContainEqual({ schema: "sales", name: "order_line" });
  });

  it("shows columns, indexes and constraints of a table", async () => {
    await page.goto(`${opened.server.url}/console/data/shop/dbo/customer`);
    await page.getByRole("tab", { name: "Structure" }).click();
    await page.getByRole("rowheader", { name: "name", exact: true }).waitFor();
    await page.getByText("unique nonclustered ([name], [id] desc) include ([note ]]]) where ([id]>(0))").waitFor();
    await page.getByText("clustered columnstore", { exact: true }).waitFor();
    await page.getByText("(len([name])>(0))").waitFor();
    expect(described.flatMap(problemsOfTsql)).toEqual([]);
  });

  it("shows rows", async () => {
    await page.getByRole("tab", { name: "Rows" }).click();
    await page.getByText("1 of 1 rows").waitFor();
    await page.getByRole("cell", { name: "Kim" }).waitFor();
    expect(rows.flatMap(problemsOfTsql)).toEqual([]);
  });

  it("lists table-valued functions", async () => {
    await page.goto(`${opened.server.url}/console/data/shop`);
    await page.getByRole("link", { name: "Functions" }).click();
    await page.getByText(/^sales\.orders_of\(/).waitFor();
  });

  it("creates tables with its own types and schema", async () => {
    await page.goto(`${opened.server.url}/console/data/shop`);
    await page.getByText(/2 tracked/).waitFor();
    await page.getByRole("button", { name: "Create table" }).click();
    expect(await page.getByLabel("Type of column 2").inputValue()).toBe("nvarchar(max)");
    expect(await page.getByLabel("Schema").inputValue()).toBe("dbo");
  });

  it("has permissions like any other source", async () => {
    await page.goto(`${opened.server.url}/console/permissions/shop/dbo/customer/clerk`);
    await page.getByRole("button", { name: "Allow select" }).click();
    await page.getByRole("button", { name: "All", exact: true }).click();
    await page.getByText("This widens access").waitFor();
    await page.getByRole("button", { name: "Save, and widen access" }).click();
    await page.getByText("Saved what clerk may do with customer.").waitFor();
  });

  it("meets no error of the page", () => {
    expect(opened.complaints).toEqual([]);
    expect(opened.otherHosts).toEqual([]);
  });
});
