/**
 * The data page: the contents of databases, tracking many tables at once, functions, computed fields, suggested
 * relationships.
 */
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hasBrowser } from "../support/browser.ts";
import { confirmWidening, openConsole, type TestConsole } from "../support/console.ts";
import { fillConsole } from "../support/console-views.ts";

describe.skipIf(!hasBrowser)("The data page", { timeout: 120_000 }, () => {
  let opened: TestConsole;
  let page: Page;

  beforeAll(async () => {
    opened = await openConsole();
    await fillConsole(opened.server);
    page = await opened.newPage();
  }, 180_000);
  afterAll(() => opened?.close());

  const open = (path: string) => page.goto(`${opened.server.url}/console/data/default${path}`);
  const press = (name: string | RegExp) => page.getByRole("button", { name, exact: true }).click();
  const tab = (name: string) => page.getByRole("tab", { name }).click();
  const source = async () => {
    const { sources } = (await opened.server.metadata("export_metadata", {})) as Exported;
    return sources[0];
  };

  it("The data page tracks the selected tables, including a view", async () => {
    await open("");
    await page.getByText("2 of 4 tracked").waitFor();
    await page.getByRole("cell", { name: "View", exact: true }).waitFor();
    await page.getByLabel("Filter by status").selectOption("untracked");
    await page.getByLabel("Select all").check();
    await press("Track 2");
    await page.getByText("4 of 4 tracked").waitFor();
    expect((await source())?.tables.map(({ table }) => table.name).sort()).toEqual([
      "author",
      "book",
      "cheap_book",
      "shelf",
    ]);
  });

  it("The data page untracks the selected tables after confirmation", async () => {
    await page.getByLabel("Filter by status").selectOption("all");
    await page.getByLabel("Filter tables").fill("e");
    await page.getByLabel("Select shelf").check();
    await page.getByLabel("Select cheap_book").check();
    await press("Untrack 2");
    await page.getByRole("dialog").getByRole("button", { name: "Untrack", exact: true }).click();
    await page.getByText("2 of 4 tracked").waitFor();
    expect((await source())?.tables.length).toBe(2);
  });

  it("The data page shows indexes, constraints and the query of a view", async () => {
    await open("/public/book");
    await tab("Structure");
    const indexes = page.getByRole("region", { name: "Indexes" });
    await indexes
      .getByText(/CREATE INDEX book_by_author ON .*book USING btree \(author_id, price DESC\) WHERE/)
      .waitFor();
    await indexes.getByText("Primary key").waitFor();
    await page.getByRole("region", { name: "Constraints" }).getByText("CHECK (price > 0").waitFor();
    await open("/public/cheap_book");
    await page.getByRole("region", { name: "Definition" }).getByText("FROM book").waitFor();
    await page.getByText("View", { exact: true }).first().waitFor();
  });

  it("The data page adds the relationships that foreign keys suggest", async () => {
    await open("/public/author");
    await tab("Relationships");
    await press("Add 1 relationship");
    await page.getByText("Added the relationship").waitFor();
    await page.getByText("No suggestions").waitFor();
    const { json } = await opened.server.post("/v1/graphql", { query: "{ author_by_pk(id: 1) { books { id } } }" });
    expect(json).toEqual({ data: { author_by_pk: { books: [{ id: 1 }] } } });
  });

  it("The data page tracks functions with one click or with required choices", async () => {
    await open("/functions");
    await page.getByText("Untracked: the function does not return").first().waitFor();
    expect(await page.getByTitle("Track two", { exact: true }).count()).toBe(0);
    await page.getByTitle("Track books_like", { exact: true }).click();
    await confirmWidening(page);
    const state = page.getByRole("row").filter({ hasText: "books_like" }).getByText("Tracked as a query");
    await state.waitFor();
    await page.getByTitle("Track sell", { exact: true }).click();
    await page.getByLabel("Session argument").selectOption("session");
    await page.getByRole("dialog").getByRole("button", { name: "Track", exact: true }).click();
    await page.getByText("Tracked as a mutation").waitFor();
    const { json } = await opened.server.post("/v1/graphql", {
      query: '{ books_like(args: {title_part: "World"}) { id } }',
    });
    expect(json).toEqual({ data: { books_like: [{ id: 2 }] } });
    const sold = await opened.server.post("/v1/graphql", { query: "mutation { sell(args: {id: 1}) { id } }" });
    expect(sold.json).toEqual({ data: { sell: [{ id: 1 }] } });
    await page.getByTitle("Untrack books_like", { exact: true }).click();
    await state.waitFor({ state: "detached" });
    expect((await source())?.functions).toMatchObject([
      { function: { name: "late_books" } },
      { function: { name: "sell" } },
    ]);
  });

  it("The data page adds and removes a computed field", async () => {
    await open("/public/book");
    await tab("Computed fields");
    await page.getByTitle("Add headline", { exact: true }).click();
    await page.getByLabel("Field name").fill("loud_title");
    await page.getByRole("dialog").getByRole("button", { name: "Add", exact: true }).click();
    await page.getByText("Added loud_title").waitFor();
    const { json } = await opened.server.post("/v1/graphql", { query: "{ book_by_pk(id: 1) { loud_title } }" });
    expect(json).toEqual({ data: { book_by_pk: { loud_title: "FRANKENSTEIN" } } });
    await press("Delete computed field loud_title");
    await page.getByText("Deleted loud_title").waitFor();
    expect(JSON.stringify(await source())).not.toContain("loud_title");
  });

  it("The data page reports a missing table", async () => {
    await open("/public/nothing");
    await page.getByText("Table not found in the database").waitFor();
  });

  it("The data page causes no browser errors and no requests to other hosts", () => {
    expect(opened.complaints).toEqual([]);
    expect(opened.otherHosts).toEqual([]);
  });
});

interface Exported {
  readonly sources: readonly {
    readonly tables: readonly { readonly table: { readonly name: string } }[];
    readonly functions?: readonly unknown[];
  }[];
}
