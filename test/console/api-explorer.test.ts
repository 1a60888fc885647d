/** The panels of the API page: the explorer writes and shows the selection of the operation. */
import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hasBrowser } from "../support/browser.ts";
import { openConsole, type TestConsole } from "../support/console.ts";
import { serveLarge } from "../support/large-metadata.ts";
import { serveLargeSchema } from "../support/large-schema.ts";
import { scrollThrough, tasksOf } from "../support/page-tasks.ts";

const sql = `
  create table author (id int primary key, name text not null);
  create table book (id int primary key, title text not null, author_id int references author);
  comment on table book is 'Books <script>document.title = "hacked"</script> "quoted"';
  insert into author values (1, 'Mary Shelley');
  insert into book values (1, 'Frankenstein', 1), (2, '<b>"Dracula"</b>', null);
`;

describe.skipIf(!hasBrowser)("The explorer of the API page", { timeout: 120_000 }, () => {
  let opened: TestConsole;
  let page: Page;
  let editor: Locator;

  beforeAll(async () => {
    opened = await openConsole();
    const { server } = opened;
    await server.post("/v2/query", { type: "run_sql", args: { sql } });
    for (const table of ["author", "book"]) await server.metadata("pg_track_table", { table });
    await server.metadata("pg_create_object_relationship", {
      table: "book",
      name: "author",
      using: { foreign_key_constraint_on: "author_id" },
    });
    await server.metadata("pg_create_select_permission", {
      table: "book",
      role: "reader",
      permission: { columns: ["title"], filter: {} },
    });
    page = await opened.newPage();
    await page.goto(`${server.url}/console/api`);
    editor = page.getByRole("textbox", { name: "GraphQL operation" });
    await editor.waitFor();
  }, 180_000);

  afterAll(() => opened?.close());

  const item = (name: string, on = page) => {
    const named = on.locator(".explorer-name", { hasText: new RegExp(`^${name}$`) });
    return on.getByRole("treeitem").filter({ has: named }).first();
  };
  const text = async (of = editor) =>
    (await of.innerText())
      .replace(/\u200b/g, "")
      .replace(/\n\n/g, "\n")
      .trim();

  it("A check box writes a field into the empty editor, and the operation runs", async () => {
    await item("book").click();
    expect(await text()).toBe("query {\n  book {\n    id\n  }\n}");
    await item("book").locator(".explorer-arrow").click();
    await item("title").click();
    await page.getByRole("treeitem", { name: "author", level: 3 }).first().locator(".explorer-arrow").click();
    await item("name").click();
    expect(await text()).toBe("query {\n  book {\n    id\n    title\n    author {\n      name\n    }\n  }\n}");
    await page.getByRole("treeitem", { name: "author", level: 3 }).first().locator(".explorer-arrow").click();
    await page.getByRole("button", { name: "Run", exact: true }).click();
    await page.getByText('"Mary Shelley"').waitFor();
  });

  it("Fields that the user types are checked, and a syntax error disables the check boxes", async () => {
    await editor.fill("{ book { title # the title\n} }");
    await expect.poll(() => item("title").getAttribute("aria-checked")).toBe("true");
    expect(await item("id").getAttribute("aria-checked")).toBe("false");
    await item("id").click();
    await expect.poll(text).toMatch(/title # the title\n.*id\n/);
    await editor.fill("{ book {");
    await page.getByText("Correct it to use the check boxes").waitFor();
    await item("id").dispatchEvent("click");
    expect(await text()).toBe("{ book {");
  });

  it("Keys move in the tree, expand rows and select arguments, whose values become variables", async () => {
    await editor.fill("");
    await page.getByLabel("Search fields").fill("book_by");
    await page.getByRole("tree", { name: "Fields" }).focus();
    await expect.poll(() => item("book_by_pk").count()).toBe(1);
    for (const key of ["Home", "ArrowDown", "Space"]) await page.keyboard.press(key);
    expect(await text()).toBe("query ($id: Int!) {\n  book_by_pk(id: $id) {\n    id\n  }\n}");
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("ArrowRight");
    expect(await page.locator(".explorer-row.active .explorer-name").innerText()).toBe("id");
    await page.keyboard.press("ArrowLeft");
    await page.keyboard.press("Space");
    expect(await text()).toMatch(/^query \{ … \}/);
    await page.getByLabel("Search fields").fill("");
  });

  it("Undo in the editor reverts a check box", async () => {
    await editor.fill("{ book { title } }");
    await item("book").click();
    await expect.poll(text).toMatch(/^query \{ … \}/);
    await editor.press("Control+z");
    expect(await text()).toBe("{ book { title } }");
  });

  it("The tree has the fields of the role, and shows the reason if it has no schema", async () => {
    const other = await opened.newPage();
    await other.goto(`${opened.server.url}/console/api`);
    await other.getByRole("combobox", { name: "Role" }).fill("reader");
    await item("mutation", other).waitFor({ state: "detached" });
    await item("book", other).locator(".explorer-arrow").click();
    await item("title", other).waitFor();
    expect(await item("author_id", other).count()).toBe(0);
    await opened.server.metadata("set_graphql_schema_introspection_options", { disabled_for_roles: ["reader"] });
    await other.reload();
    await other.getByRole("region", { name: "Explorer" }).getByText("Schema unavailable").waitFor();
    await opened.server.metadata("set_graphql_schema_introspection_options", { disabled_for_roles: [] });
    await other.context().close();
  });

  it("F1 opens the documentation of the field at the cursor, with links between types, a way back and a search", async () => {
    // Fields have documentation once the schema is loaded.
    await item("book").waitFor();
    await editor.fill("{ book { title } }");
    for (let i = 0; i < 5; i++) await page.keyboard.press("ArrowLeft");
    await page.keyboard.press("F1");
    const docs = page.getByRole("region", { name: "Documentation", exact: true });
    const heading = docs.getByRole("heading", { level: 3 });
    await expect.poll(() => heading.innerText()).toBe("title: String!");
    await docs.getByText("Field of book").waitFor();
    await docs.getByLabel("Search types and root fields").fill("book_by");
    await docs.getByRole("button", { name: "book_by_pk", exact: true }).first().click();
    await expect.poll(() => heading.innerText()).toBe("book_by_pk: book");
    expect(await heading.evaluate((element) => element === element.ownerDocument.activeElement)).toBe(true);
    await docs.getByRole("region", { name: "Arguments of book_by_pk" }).getByText("Int!").waitFor();
    await heading.getByRole("button", { name: "book", exact: true }).press("Enter");
    await docs.getByText('<script>document.title = "hacked"</script> "quoted"').waitFor();
    await docs.getByRole("button", { name: "author", exact: true }).first().click();
    await docs.getByText("Field of book").waitFor();
    for (let i = 0; i < 3; i++) await docs.getByRole("button", { name: "Back" }).click();
    await expect.poll(() => heading.innerText()).toBe("title: String!");
    await docs.getByRole("button", { name: "Back" }).click();
    await expect.poll(() => heading.innerText()).toBe("Schema");
    await docs.getByRole("button", { name: "mutation_root" }).click();
    await docs.getByRole("region", { name: "Fields of mutation_root" }).waitFor();
    await page.getByRole("button", { name: "Explorer", exact: true }).click();
    await page.getByRole("tree", { name: "Fields" }).press("Home");
    await page.keyboard.press("F1");
    await expect.poll(() => heading.innerText()).toBe("query_root");
    await page.getByRole("button", { name: "Explorer", exact: true }).click();
  });

  it("A hidden panel stays hidden after the page is loaded again, and narrow windows begin without it", async () => {
    await page.getByRole("button", { name: "Hide explorer" }).click();
    await page.reload();
    await editor.waitFor();
    expect(await page.getByRole("tree").count()).toBe(0);
    await page.getByRole("button", { name: "Explorer", exact: true }).click();
    await item("book").waitFor();
    const narrow = await opened.newPage({ viewport: { width: 390, height: 800 } });
    await narrow.goto(`${opened.server.url}/console/api`);
    await narrow.getByRole("textbox", { name: "GraphQL operation" }).waitFor();
    expect(await narrow.getByRole("tree").count()).toBe(0);
    await narrow.context().close();
  });

  it("An empty editor offers examples for the first tracked table, and each of them runs", async () => {
    await editor.fill("");
    const examples = page.getByRole("group", { name: "Examples for author" });
    await examples.waitFor();
    const titles = await examples.getByRole("button").allInnerTexts();
    expect(titles).toEqual(["List rows", "Row by key", "Count rows", "Insert a row", "Subscribe"]);
    const results: Readonly<Record<string, string>> = {
      "List rows": '"Mary Shelley"',
      "Row by key": '"author_by_pk"',
      "Count rows": '"count": 1',
      Subscribe: '"Mary Shelley"',
    };
    for (const [title, result] of Object.entries(results)) {
      await examples.getByRole("button", { name: title, exact: true }).click();
      expect(await examples.count()).toBe(0);
      await page.keyboard.press("Control+Enter");
      await page.locator(".api-result").getByText(result).waitFor();
      await page
        .getByRole("button", { name: "Stop", exact: true })
        .or(page.getByRole("button", { name: "Run", exact: true }))
        .click();
      await editor.fill("");
    }
    await examples.getByRole("button", { name: "Insert a row" }).click();
    const variables = page.getByRole("textbox", { name: "Variables as JSON" });
    expect(JSON.parse(await variables.innerText())).toEqual({ objects: [{ id: 1, name: "" }] });
    await variables.fill('{"objects": [{"id": 2, "name": "<i>Verne</i>"}]}');
    await page.keyboard.press("Control+Enter");
    await page.locator(".api-result").getByText('"<i>Verne</i>"').waitFor();
    await variables.fill("");
  });

  it("An empty editor names the next step without a tracked table, and for a role without tables", async () => {
    const other = await opened.newPage();
    await serveLarge(other, { tables: 0, others: 1, roles: 0, permissions: 1 });
    await other.goto(`${opened.server.url}/console/api`);
    await other.getByText("No tables are tracked.").waitFor();
    await other.getByRole("link", { name: "Track a table" }).last().click();
    await expect.poll(() => other.url()).toContain("/console/data/default");
    await other.context().close();
    await editor.fill("");
    await page.getByRole("combobox", { name: "Role" }).fill("guest's <b>role</b>");
    await page.getByText("The role guest's <b>role</b> has no tables.").waitFor();
    await page.getByRole("combobox", { name: "Role" }).fill("");
  });

  it("A result is shown as tables, with related rows in a dialog and values as text", async () => {
    await opened.server.metadata("pg_create_array_relationship", {
      table: "author",
      name: "books",
      using: { foreign_key_constraint_on: { table: "book", column: "author_id" } },
    });
    await editor.fill(
      "{ book(order_by: {id: asc}) { id title author { name } } author(where: {id: {_eq: 1}}) { name books { title } } book_aggregate { aggregate { count } } }",
    );
    await editor.press("Control+Enter");
    await page.getByRole("button", { name: "Table", exact: true }).click();
    const books = page.getByRole("table", { name: "book", exact: true });
    await expect.poll(() => books.getByRole("columnheader").allInnerTexts()).toEqual(["id", "title", "author.name"]);
    expect(await books.getByRole("row").nth(2).getByRole("cell").allInnerTexts()).toEqual([
      "2",
      '<b>"Dracula"</b>',
      "null",
    ]);
    await page.getByRole("table", { name: "book_aggregate" }).getByRole("cell", { name: "2" }).waitFor();
    await page.getByRole("table", { name: "author", exact: true }).getByRole("button", { name: "1 row" }).click();
    const dialog = page.getByRole("dialog", { name: "author[0].books" });
    await dialog.getByRole("cell", { name: "Frankenstein" }).waitFor();
    await page.keyboard.press("Escape");
    await page.reload();
    await editor.press("Control+Enter");
    await books.waitFor();
    await editor.fill("{ book { titel } }");
    await editor.press("Control+Enter");
    await page.getByText("Errors", { exact: true }).waitFor();
    await page.getByText('"errors"').waitFor();
    await page.route("**/v1/graphql", (route) => {
      if (route.request().postData()?.includes("__schema")) return route.continue();
      const book = Array.from({ length: 50_000 }, (_, id) => ({
        id,
        title: `Book ${id}`,
        author: { name: "x".repeat(30) },
      }));
      return route.fulfill({ json: { data: { book } } });
    });
    await editor.fill("{ book { id title author { name } } }");
    await editor.press("Control+Enter");
    await page.getByText("50,000 rows").waitFor();
    const scrolling: number[] = [];
    for (let turn = 0; turn < 3 && !scrolling.some((each) => each < 100); turn++) {
      scrolling.push((await tasksOf(page, () => scrollThrough(page, ".result-tables .data-table"))).longest);
    }
    expect(Math.min(...scrolling)).toBeLessThan(100);
    await page.unroute("**/v1/graphql");
    await page.getByRole("button", { name: "JSON", exact: true }).click();
    await editor.fill("");
  });

  it("Check boxes write groups with a key, and writes of related rows, which run", async () => {
    await editor.fill("");
    const search = page.getByLabel("Search fields");
    await search.fill("book_group");
    await item("book_group").click();
    await item("book_group").locator(".explorer-arrow").click();
    await item("key").click();
    expect(await text()).toBe(
      "query {\n  book_group(by: [{column: id}]) {\n    aggregate {\n      count\n    }\n    key {\n      id\n    }\n  }\n}",
    );
    const result = page.locator(".api-result");
    await page.getByRole("button", { name: "Run", exact: true }).click();
    await result.getByText('"count": 1').first().waitFor();
    await editor.fill("");
    await search.fill("update_book_by_pk");
    for (const name of ["update_book_by_pk", "_related", "author", "update", "_set"]) {
      await item(name).locator(".explorer-arrow").click();
    }
    await item("name").click();
    expect(await text()).toContain("_related: {author: {update: {_set: {name: $name}}}}");
    const variables = page.getByRole("textbox", { name: "Variables as JSON" });
    await variables.fill('{"pk_columns": {"id": 1}, "name": "Mary Godwin"}');
    await editor.press("Control+Enter");
    await result.getByText('"update_book_by_pk"').waitFor();
    await variables.fill("");
    await editor.fill("{ author { name } }");
    await editor.press("Control+Enter");
    await result.getByText('"Mary Godwin"').waitFor();
    await editor.fill("");
    await search.fill("");
  });

  it("With 5,000 tables, scrolling, searching and checking take no task of 100 ms", async () => {
    const large = await opened.newPage();
    await serveLargeSchema(large, 5000);
    await large.goto(`${opened.server.url}/console/api`);
    await item("table_0_with_a_usual_name", large).waitFor();
    const scrolling: number[] = [];
    for (let turn = 0; turn < 3 && !scrolling.some((each) => each < 100); turn++) {
      scrolling.push((await tasksOf(large, () => scrollThrough(large, ".explorer-tree"))).longest);
    }
    expect(Math.min(...scrolling)).toBeLessThan(100);
    const working = await tasksOf(large, async () => {
      await large.getByLabel("Search fields").pressSequentially("table_4321_");
      await item("table_4321_with_a_usual_name", large).click();
      await item("table_4321_with_a_usual_name", large).locator(".explorer-arrow").click();
      await item("name", large).click();
      await large.getByLabel("Search fields").fill("");
    });
    expect(working.longest).toBeLessThan(100);
    expect(await text(large.getByRole("textbox", { name: "GraphQL operation" }))).toContain("name");
    expect(await large.locator("*").count()).toBeLessThan(2_000);
    const reading = await tasksOf(large, async () => {
      await item("query", large).locator(".explorer-docs").dispatchEvent("click");
      await large.getByRole("region", { name: "Fields of query_root" }).waitFor();
      await large.getByLabel("Search types and root fields").pressSequentially("table_4321_");
      await large.getByRole("button", { name: "table_4321_with_a_usual_name_by_pk" }).waitFor();
    });
    expect(reading.longest).toBeLessThan(100);
    await large.context().close();
  });

  it("The explorer causes no browser errors and no requests to other hosts", async () => {
    expect(await page.title()).not.toContain("hacked");
    expect(opened.complaints).toEqual([]);
    expect(opened.otherHosts).toEqual([]);
  });
});
