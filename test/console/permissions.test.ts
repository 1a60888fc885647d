/** Row filters built by clicking, the rows that they let through, and permissions that others inherit. */
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hasBrowser } from "../support/browser.ts";
import { openConsole, type TestConsole } from "../support/console.ts";
import { fillConsole } from "../support/console-views.ts";

describe.skipIf(!hasBrowser)("the permissions page", { timeout: 120_000 }, () => {
  let opened: TestConsole;
  let page: Page;

  beforeAll(async () => {
    opened = await openConsole();
    const { server } = opened;
    await fillConsole(server);
    await server.metadata("pg_track_table", { table: "shelf" });
    const using = { foreign_key_constraint_on: { table: "book", columns: ["author_id"] } };
    await server.metadata("pg_create_array_relationship", { table: "author", name: "books", using });
    await server.metadata("add_inherited_role", { role_name: "staff", role_set: ["reader"] });
    page = await opened.newPage();
  }, 180_000);
  afterAll(() => opened?.close());

  const press = (name: string) => page.getByRole("button", { name, exact: true }).first().click();
  const saved = async (): Promise<unknown> => {
    const { sources } = (await opened.server.metadata("export_metadata", {})) as {
      readonly sources: readonly { readonly tables: readonly Table[] }[];
    };
    const book = sources[0]?.tables.find(({ table }) => table.name === "book");
    return book?.select_permissions?.find(({ role }) => role === "reader")?.permission.filter;
  };

  it("builds a filter with a related row, a group that none of holds, and a row anywhere", async () => {
    await page.goto(`${opened.server.url}/console/permissions/default/public/book/reader`);
    await press("Remove condition 1");
    await press("Related row");
    const within = page.locator(".filter-part").first();
    await within.getByRole("button", { name: "Condition", exact: true }).click();
    await page.getByLabel("Column of condition 1.1").selectOption("name");
    await page.getByLabel("Value of condition 1.1").fill("X-Engine-Author");
    await page.getByRole("button", { name: "Group", exact: true }).last().click();
    await page.getByLabel("How the conditions of 2 count").selectOption("none");
    const group = page.locator(".filter-part").nth(1);
    await group.getByRole("button", { name: "Condition", exact: true }).click();
    await page.getByLabel("Column of condition 2.1").selectOption("price");
    await page.getByLabel("Comparison of condition 2.1").selectOption("_gt");
    await page.getByLabel("Value of condition 2.1").fill("100");
    await page.getByRole("button", { name: "Row anywhere" }).last().click();
    await page.getByLabel("Table of condition 3").selectOption({ label: "any row of author, where" });
    const other = page.locator(".filter-part").nth(2);
    await other.getByRole("button", { name: "Condition", exact: true }).click();
    await page.getByLabel("Column of condition 3.1").selectOption("name");
    await page.getByLabel("Value of condition 3.1").fill("Jules Verne");
    await press("Write");
    const written = await page.getByRole("textbox", { name: "Rows that may be read, as JSON" }).innerText();
    expect(JSON.parse(written.replaceAll("\u00a0", " "))).toEqual(filter);
    await press("Build");
    expect(await page.getByLabel("Value of condition 3.1").inputValue()).toBe("Jules Verne");
  });

  it("shows the rows that pass for a session", async () => {
    await page.getByRole("tab", { name: "Rows that pass" }).click();
    await page.getByLabel("x-engine-author").fill("Mary Shelley");
    await page.getByText("1 of 2 rows pass").waitFor();
    await page.getByRole("cell", { name: "Frankenstein" }).waitFor();
    await page.getByLabel("x-engine-author").fill("nobody");
    await page.getByText("0 of 2 rows pass").waitFor();
    await page.getByLabel("x-engine-author").fill("Mary Shelley");
    await page.getByLabel("Value of condition 3.1").fill("a stranger");
    await page.getByText("0 of 2 rows pass").waitFor();
    await page.getByLabel("Value of condition 3.1").fill("Jules Verne");
    await page.getByText("1 of 2 rows pass").waitFor();
  });

  it("saves what was built, in place of the only permission of a role that another inherits from", async () => {
    await page.getByRole("tab", { name: "What it changes" }).click();
    await page.getByText("staff", { exact: true }).first().waitFor();
    await page.getByRole("button", { name: /^Save/ }).click();
    await page.getByText("Saved what reader may do with book.").waitFor();
    expect(await saved()).toEqual(filter);
    const session = { "x-engine-role": "staff", "x-engine-author": "Mary Shelley" };
    const { json } = await opened.server.post("/v1/graphql", { query: "{ book { id } }" }, session);
    expect(json).toEqual({ data: { book: [{ id: 1 }] } });
  });

  it("says why what was written cannot be saved, and keeps what it has no fields for", async () => {
    await press("Write");
    const text = page.getByRole("textbox", { name: "Rows that may be read, as JSON" });
    await text.focus();
    await page.keyboard.press("Control+A");
    await page.keyboard.press("Delete");
    await page.keyboard.insertText('{"nothing": {"_eq": 1}, "price": {"_gt": 1}}');
    await page.getByText('"nothing" does not exist').first().waitFor();
    await press("Build");
    await page.locator(".filter-part pre").getByText('"nothing": {').waitFor();
    await page.getByRole("button", { name: "Remove condition 1" }).click();
    await page.getByText("This widens access").waitFor();
    expect(await saved()).toEqual(filter);
  });

  it("keeps the digits of numbers that it shows, and of those that are written", async () => {
    const args = (filter: string) =>
      `{"table": "book", "role": "counter", "permission": {"columns": ["id"], "filter": ${filter}}}`;
    const create = `{"type": "pg_create_select_permission", "args": ${args('{"price": {"_gt": 9007199254740993}}')}}`;
    expect((await opened.server.post("/v1/metadata", create)).status).toBe(200);
    await page.goto(`${opened.server.url}/console/permissions/default/public/book/counter`);
    await page.getByLabel("Value of condition 1").waitFor();
    expect(await page.getByLabel("Value of condition 1").inputValue()).toBe("9007199254740993");
    await press("Write");
    const text = page.getByRole("textbox", { name: "Rows that may be read, as JSON" });
    expect(await text.innerText()).toContain("9007199254740993");
    await text.focus();
    await page.keyboard.press("Control+A");
    await page.keyboard.press("Delete");
    const written = '{"price":{"_gt":9007199254740993,"_lt":1.10}}';
    await page.keyboard.insertText(written);
    await press("Build");
    await press("Condition");
    await page.getByRole("button", { name: /^Save/ }).click();
    await page.getByText("Saved what counter may do with book.").waitFor();
    const exported = await opened.server.post("/v1/metadata", { type: "export_metadata", args: {} });
    expect(exported.text).toContain('{"price":{"_gt":9007199254740993}},{"price":{"_lt":1.10}}');
  });

  it("meets no error of the page", () => {
    expect(opened.complaints).toEqual([]);
    expect(opened.otherHosts).toEqual([]);
  });
});

const filter = {
  _and: [
    { author: { name: { _eq: "X-Engine-Author" } } },
    { _not: { price: { _gt: 100 } } },
    { _exists: { _table: { schema: "public", name: "author" }, _where: { name: { _eq: "Jules Verne" } } } },
  ],
};

interface Table {
  readonly table: { readonly name: string };
  readonly select_permissions?: readonly { readonly role: string; readonly permission: { readonly filter: unknown } }[];
}
