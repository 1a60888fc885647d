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
    if (item === "Condition") return press(to === "filter" ? "Add condition" : `Add condition to ${to}`);
    await page.getByRole("button", { name: `Add to ${to}`, exact: true }).click();
    await page.getByRole("menuitem", { name: item, exact: true }).click();
  };
  const press = (name: string) => page.getByRole("button", { name, exact: true }).first().click();
  const exported = async (): Promise<Exported> => (await opened.server.metadata("export_metadata", {})) as Exported;
  const permissionOf = async (name: string, kind: "select" | "insert", role: string) => {
    const table = (await exported()).sources[0]?.tables.find((each) => each.table.name === name);
    return table?.[`${kind}_permissions`]?.find((each) => each.role === role)?.permission;
  };
  const saved = async (): Promise<unknown> => (await permissionOf("book", "select", "reader"))?.filter;

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

  it("The permissions page shows a reference to the permission of a related row as a choice", async () => {
    await press("JSON");
    const text = page.getByRole("textbox", { name: "Row filter as JSON" });
    await text.focus();
    await page.keyboard.press("Control+A");
    await page.keyboard.press("Delete");
    await page.keyboard.insertText("{}");
    await press("Builder");
    await add("filter", "Readable related row");
    expect(await page.getByLabel("Relationship of condition 1").inputValue()).toBe("author");
    await press("JSON");
    const written = await text.innerText();
    expect(JSON.parse(written.replaceAll("\u00a0", " "))).toEqual({
      _permitted: { relationship: "author", operation: "select" },
    });
    await press("Builder");
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

  it("The permissions page does not save a form with an invalid field and focuses it", async () => {
    await page.goto(`${opened.server.url}/console/permissions/default/public/book/reader`);
    const before = await saved();
    await add("filter", "Condition");
    await page.getByLabel("Column of condition 4").selectOption("price");
    await page.getByLabel("Value of condition 4").fill("cheap");
    await page.getByText("Enter a number or a session variable.").waitFor();
    await page.getByText("Correct the marked fields").waitFor();
    await page.getByLabel("Allow aggregations").focus();
    await press("Save");
    await expect.poll(() => page.evaluate(focusedInvalid)).toBe("true");
    await press("JSON");
    const text = page.getByRole("textbox", { name: "Row filter as JSON" });
    await text.focus();
    await page.keyboard.press("Control+End");
    await page.keyboard.insertText("}");
    await page.getByText("The filter is not valid JSON").waitFor();
    await press("Save");
    await expect.poll(() => page.evaluate(focusedInvalid)).toBe("true");
    expect(await saved()).toEqual(before);
    await press("Discard changes");
    await page.getByText("Correct the marked fields").waitFor({ state: "detached" });
  });

  it("The permissions page names the groups that aggregations include", async () => {
    await page.goto(`${opened.server.url}/console/permissions/default/public/book/reader`);
    await page.getByText("Root fields", { exact: true }).click();
    const included = page.getByText("includes the groups of rows");
    const aggregations = page.getByLabel("Allow aggregations and groups");
    await aggregations.setChecked(false);
    expect(await included.count()).toBe(0);
    await aggregations.setChecked(true);
    await included.waitFor();
    await press("Save");
    await expect.poll(() => permissionOf("book", "select", "reader")).toMatchObject({ allow_aggregations: true });
  });

  it("The permissions page edits column presets by type and describes the filter in words", async () => {
    await page.goto(`${opened.server.url}/console/permissions/default/public/book/seller`);
    await page.getByRole("tab", { name: /^Insert/ }).click();
    await press("Allow insert");
    await press("All");
    await press("Add column preset");
    await page.getByLabel("Column of preset 1").selectOption("price");
    await page.getByLabel("Type of preset 1").selectOption("Number");
    await page.getByLabel("Value of preset 1").fill("12");
    await page.getByLabel(/^price/).uncheck();
    await add("filter", "Condition");
    await page.getByLabel("Column of condition 1").selectOption("title");
    await page.getByLabel("Operator of condition 1").selectOption("_neq");
    await page.getByLabel("Value of condition 1").fill("");
    await page.getByText('seller can insert rows where title does not equal "".').waitFor();
    await press("Save and widen access");
    await page.getByText("Saved the insert permission of seller on book").waitFor();
    const permission = { columns: ["id", "title", "author_id"], check: { title: { _neq: "" } }, set: { price: 12 } };
    expect(await permissionOf("book", "insert", "seller")).toEqual(permission);
  });

  it("The permissions page reads rows as a role with the entered session variables", async () => {
    const visible = { columns: ["id", "title"], filter: { title: { _eq: "X-Engine-Title" } } };
    await opened.server.metadata("pg_create_select_permission", { table: "book", role: "guest", permission: visible });
    await page.goto(`${opened.server.url}/console/permissions/default/public/book/guest`);
    await page.getByRole("tab", { name: "Matching rows" }).click();
    await press("View as guest");
    await page.getByRole("alert").getByText("expected but not found").waitFor();
    await page.getByLabel("x-engine-title", { exact: true }).fill("Frankenstein");
    await page.getByText("guest reads 1 row with the saved permission").waitFor();
    await page.getByRole("cell", { name: "Frankenstein", exact: true }).waitFor();
    expect(await page.getByRole("columnheader").allTextContents()).toEqual(["id", "title"]);
  });

  it("The permissions page copies permissions to a new role after a preview", async () => {
    await page.goto(`${opened.server.url}/console/permissions`);
    await page.getByLabel("New role name").fill("temporary");
    await press("Add role");
    await press("Rename role temporary");
    await page.getByLabel("Role name", { exact: true }).fill("auditor");
    await press("Rename");
    await page.getByRole("link", { name: "auditor on book: no access" }).waitFor();
    await press("Copy permissions");
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("From role").fill("guest");
    await dialog.getByLabel("To role").fill("auditor");
    await dialog.getByText("This widens access").waitFor();
    expect(await permissionOf("book", "select", "auditor")).toBeUndefined();
    await dialog.getByRole("button", { name: "Save and widen access" }).click();
    await page.getByRole("link", { name: "auditor on book: select (some)" }).waitFor();
    expect(await permissionOf("book", "select", "auditor")).toEqual(await permissionOf("book", "select", "guest"));
  });

  it("The permissions page copies a permission to another table without the columns that the table lacks", async () => {
    await page.goto(`${opened.server.url}/console/permissions/default/public/book/counter`);
    await press("Copy permissions");
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("To table").fill("bok");
    await dialog.getByText("No table has this name.").waitFor();
    await dialog.getByLabel("From role").fill("seller");
    await dialog.getByLabel("To table").fill("shelf");
    await dialog.getByText("The target table lacks author_id, price, title").waitFor();
    await dialog.getByRole("alert").getByText('"title" does not exist').first().waitFor();
    await dialog.getByRole("button", { name: "Cancel" }).click();
    expect(await permissionOf("shelf", "insert", "seller")).toBeUndefined();
  });

  it("The permissions page sets the row filter of several cells at once and deletes their permissions", async () => {
    await page.goto(`${opened.server.url}/console/permissions`);
    await press("Select cells");
    await page.getByRole("button", { name: /^auditor on book/ }).click();
    await page.getByRole("button", { name: /^counter on book/ }).click({ modifiers: ["Shift"] });
    await page.getByText("2 cells selected").waitFor();
    await press("Set row filter");
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("button", { name: "Add condition" }).click();
    await dialog.getByLabel("Value of condition 1").fill("1");
    await dialog.getByText("2 permissions").or(dialog.getByText("select rows changed")).first().waitFor();
    await dialog.getByRole("button", { name: /^Save/ }).click();
    await page.getByText("Saved the row filter of 2 permissions").waitFor();
    for (const role of ["auditor", "counter"]) {
      expect(await permissionOf("book", "select", role)).toMatchObject({ filter: { id: { _eq: 1 } } });
    }
    await press("Delete permissions");
    await dialog.getByRole("button", { name: "Delete 2 permissions" }).click();
    await page.getByText("Deleted 2 permissions").waitFor();
    for (const role of ["auditor", "counter"]) expect(await permissionOf("book", "select", role)).toBeUndefined();
    await press("Select cells");
  });

  it("A filter starts from the filter of another operation, or from a column with a usual name", async () => {
    const sql = "create table page (id int primary key, owner_id text, org_id int, deleted_at timestamptz)";
    await opened.server.post("/v2/query", { type: "run_sql", args: { sql } });
    await opened.server.metadata("pg_track_table", { table: "page" });
    const permission = { columns: ["id"], filter: { id: { _lt: 100 } } };
    await opened.server.metadata("pg_create_select_permission", { table: "page", role: "reader", permission });
    await page.goto(`${opened.server.url}/console/permissions/default/public/page/reader`);
    await page.getByRole("tab", { name: /^Delete/ }).click();
    await press("Allow delete");
    const choose = async (name: string): Promise<void> => {
      await press("Template for row filter");
      await page.getByRole("menuitem", { name, exact: true }).click();
    };
    await choose("Row filter of select");
    await page.getByText("reader can delete rows where id is less than 100.").waitFor();
    await choose("Rows of the session's org_id");
    expect(await page.getByLabel("Value of condition 1").inputValue()).toBe("X-Engine-Org-Id");
    await choose("Rows without deleted_at");
    await page.getByText("reader can delete rows where deleted_at is null.").waitFor();
    await choose("Own rows by owner_id");
    await page.getByText("This widens access").waitFor();
    await press("Save and widen access");
    await expect
      .poll(async () => {
        const table = (await exported()).sources[0]?.tables.find((each) => each.table.name === "page");
        return table?.delete_permissions?.[0]?.permission;
      })
      .toEqual({ filter: { owner_id: { _eq: "X-Engine-User-Id" } } });
  });

  it("The permissions page creates an inherited role, shows which permissions its parents conflict on, and merges them", async () => {
    for (const [role, check] of [
      ["packer", {}],
      ["sorter", { id: { _gt: 1 } }],
    ] as const) {
      const permission = { columns: ["id"], check };
      await opened.server.metadata("pg_create_insert_permission", { table: "book", role, permission });
    }
    await page.goto(`${opened.server.url}/console/permissions?view=inherited`);
    await press("Create inherited role");
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Role name").fill("clerk");
    await dialog.getByLabel("packer").check();
    await dialog.getByLabel("sorter").check();
    await dialog.getByRole("button", { name: /^Save/ }).click();
    await page.getByText("1 write permission is not inherited").waitFor();
    const row = page.getByRole("row", { name: /^book/ });
    expect(await row.getByRole("cell").allTextContents()).toEqual(["book", "–", "Conflict packer, sorter", "–", "–"]);
    await press("Change role");
    await dialog.getByLabel("Merge write permissions").check();
    await dialog.getByText("This widens access").waitFor();
    await dialog.getByRole("button", { name: "Save and widen access" }).click();
    await page.getByText("Merged", { exact: true }).waitFor();
    expect((await row.getByRole("cell").allTextContents())[2]).toBe("packer, sorter");
    expect((await exported()).inherited_roles).toContainEqual({
      role_name: "clerk",
      role_set: ["packer", "sorter"],
      merge: true,
    });
    await press("Change role");
    await dialog.getByLabel("Merge write permissions").uncheck();
    await dialog.getByText("No wider access").waitFor();
    await dialog.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByText("1 write permission is not inherited").waitFor();
    await press("Delete");
    await dialog.getByRole("button", { name: "Delete inherited role" }).click();
    await page.getByText("Deleted the inherited role clerk").waitFor();
    const { inherited_roles: inherited } = await exported();
    expect(inherited).toEqual([{ role_name: "staff", role_set: ["reader"] }]);
  });

  it("The permissions page saves limits, introspection and the allow-list of a role", async () => {
    await page.goto(`${opened.server.url}/console/permissions?view=settings`);
    await page.getByLabel("Role", { exact: true }).selectOption("guest");
    await page.getByLabel("Allow introspection of the GraphQL schema").uncheck();
    await page.getByLabel("Depth limit of guest").fill("3");
    await page.getByText("A role has this limit: enter one for all roles, too.").waitFor();
    await page.getByLabel("Depth limit of all roles").fill("8");
    await page.getByLabel("shop", { exact: true }).selectOption("role");
    await page.getByText("This widens access").waitFor();
    await press("Save and widen access");
    await page.getByText("Saved the settings of guest").waitFor();
    expect(await exported()).toMatchObject({
      api_limits: { depth_limit: { global: 8, per_role: { guest: 3 } } },
      graphql_schema_introspection: { disabled_for_roles: ["guest"] },
      allowlist: [{ collection: "shop", scope: { global: false, roles: ["guest"] } }],
    });
  });

  it("The permissions page lists functions with links", async () => {
    await page.goto(`${opened.server.url}/console/permissions?view=other`);
    await page.getByRole("link", { name: "late_books" }).click();
    await page.getByText("books_like(title_part text)").waitFor();
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

/** Script that returns whether the focused element is invalid. */
const focusedInvalid = "document.activeElement.getAttribute('aria-invalid')";

type Permissions = readonly { readonly role: string; readonly permission: Readonly<Record<string, unknown>> }[];

interface Exported {
  readonly sources: readonly {
    readonly tables: readonly {
      readonly table: { readonly name: string };
      readonly select_permissions?: Permissions;
      readonly insert_permissions?: Permissions;
      readonly delete_permissions?: Permissions;
    }[];
  }[];
  readonly inherited_roles?: unknown;
}
