/** Row filters built with the mouse, the rows that they match, and inherited permissions. */
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hasBrowser } from "../support/browser.ts";
import { openConsole, type TestConsole } from "../support/console.ts";
import { fillConsole } from "../support/console-views.ts";

describe.skipIf(!hasBrowser)("The permissions page", { timeout: 120_000 }, () => {
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

  const add = async (to: string, item: string): Promise<void> => {
    await page.getByRole("button", { name: `Add to ${to}`, exact: true }).click();
    await page.getByRole("menuitem", { name: item, exact: true }).click();
  };
  const press = (name: string) => page.getByRole("button", { name, exact: true }).first().click();
  const saved = async (): Promise<unknown> => {
    const { sources } = (await opened.server.metadata("export_metadata", {})) as {
      readonly sources: readonly { readonly tables: readonly Table[] }[];
    };
    const book = sources[0]?.tables.find(({ table }) => table.name === "book");
    return book?.select_permissions?.find(({ role }) => role === "reader")?.permission.filter;
  };

  it("The permissions page builds a filter with a related row, a negated group and an unrelated row", async () => {
    await page.goto(`${opened.server.url}/console/permissions/default/public/book/reader`);
    await press("Remove condition 1");
    await add("filter", "Relationship condition");
    await add("1", "Condition");
    await page.getByLabel("Column of condition 1.1").selectOption("name");
    await page.getByLabel("Value of condition 1.1").fill("X-Engine-Author");
    await add("filter", "Group");
    await page.getByRole("group", { name: "Operator of group 2" }).getByRole("button", { name: "NOT" }).click();
    await add("2", "Condition");
    await page.getByLabel("Column of condition 2.1").selectOption("price");
    await page.getByLabel("Operator of condition 2.1").selectOption("_gt");
    await page.getByLabel("Value of condition 2.1").fill("100");
    await add("filter", "Exists condition");
    await page.getByLabel("Table of condition 3").selectOption({ label: "Any row of author" });
    await add("3", "Condition");
    await page.getByLabel("Column of condition 3.1").selectOption("name");
    await page.getByLabel("Value of condition 3.1").fill("Jules Verne");
    await press("JSON");
    const written = await page.getByRole("textbox", { name: "Row filter as JSON" }).innerText();
    expect(JSON.parse(written.replaceAll("\u00a0", " "))).toEqual(filter);
    await press("Builder");
    expect(await page.getByLabel("Value of condition 3.1").inputValue()).toBe("Jules Verne");
  });

  it("The permissions page shows the rows that match for a session", async () => {
    await page.getByRole("tab", { name: "Matching rows" }).click();
    await page.getByLabel("x-engine-author").fill("Mary Shelley");
    await page.getByText("1 of 2 rows match").waitFor();
    await page.getByRole("cell", { name: "Frankenstein" }).waitFor();
    await page.getByLabel("x-engine-author").fill("unknown");
    await page.getByText("0 of 2 rows match").waitFor();
    await page.getByLabel("x-engine-author").fill("Mary Shelley");
    await page.getByLabel("Value of condition 3.1").fill("a stranger");
    await page.getByText("0 of 2 rows match").waitFor();
    await page.getByLabel("Value of condition 3.1").fill("Jules Verne");
    await page.getByText("1 of 2 rows match").waitFor();
  });

  it("The permissions page saves a filter instead of the only permission of a parent role", async () => {
    await page.getByRole("tab", { name: "Changes" }).click();
    await page.getByText("staff", { exact: true }).first().waitFor();
    await page.getByRole("button", { name: /^Save/ }).click();
    await page.getByText("Saved the select permission of reader on book").waitFor();
    expect(await saved()).toEqual(filter);
    const session = { "x-engine-role": "staff", "x-engine-author": "Mary Shelley" };
    const { json } = await opened.server.post("/v1/graphql", { query: "{ book { id } }" }, session);
    expect(json).toEqual({ data: { book: [{ id: 1 }] } });
  });

  it("The permissions page explains why a written filter cannot be saved and keeps parts without form fields", async () => {
    await press("JSON");
    const text = page.getByRole("textbox", { name: "Row filter as JSON" });
    await text.focus();
    await page.keyboard.press("Control+A");
    await page.keyboard.press("Delete");
    await page.keyboard.insertText('{"nothing": {"_eq": 1}, "price": {"_gt": 1}}');
    await page.getByText('"nothing" does not exist').first().waitFor();
    await press("Builder");
    await page.locator(".filter-part pre").getByText('"nothing": {').waitFor();
    await page.getByRole("button", { name: "Remove condition 1" }).click();
    await page.getByText("This widens access").waitFor();
    expect(await saved()).toEqual(filter);
  });

  it("The permissions page keeps the digits of shown and written numbers", async () => {
    const args = (filter: string) =>
      `{"table": "book", "role": "counter", "permission": {"columns": ["id"], "filter": ${filter}}}`;
    const create = `{"type": "pg_create_select_permission", "args": ${args('{"price": {"_gt": 9007199254740993}}')}}`;
    expect((await opened.server.post("/v1/metadata", create)).status).toBe(200);
    await page.goto(`${opened.server.url}/console/permissions/default/public/book/counter`);
    await page.getByLabel("Value of condition 1").waitFor();
    expect(await page.getByLabel("Value of condition 1").inputValue()).toBe("9007199254740993");
    await press("JSON");
    const text = page.getByRole("textbox", { name: "Row filter as JSON" });
    expect(await text.innerText()).toContain("9007199254740993");
    await text.focus();
    await page.keyboard.press("Control+A");
    await page.keyboard.press("Delete");
    const written = '{"price":{"_gt":9007199254740993,"_lt":1.10}}';
    await page.keyboard.insertText(written);
    await press("Builder");
    await add("filter", "Condition");
    await page.getByRole("button", { name: /^Save/ }).click();
    await page.getByText("Saved the select permission of counter on book").waitFor();
    const exported = await opened.server.post("/v1/metadata", { type: "export_metadata", args: {} });
    expect(exported.text).toContain('{"price":{"_gt":9007199254740993}},{"price":{"_lt":1.10}}');
  });

  it("The permissions page causes no browser errors and no requests to other hosts", () => {
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
