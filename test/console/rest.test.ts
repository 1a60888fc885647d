/** The REST page: endpoints are created, tried, changed and deleted, and their OpenAPI document is shown. */
import { readFile } from "node:fs/promises";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hasBrowser } from "../support/browser.ts";
import { confirmWidening, openConsole, type TestConsole } from "../support/console.ts";

const hostile = `it's "<script>alert(1)</script>"`;

describe.skipIf(!hasBrowser)("The REST page", { timeout: 120_000 }, () => {
  let opened: TestConsole;
  let page: Page;

  beforeAll(async () => {
    opened = await openConsole();
    const { server } = opened;
    const sql = `create table book (id bigint primary key, title text, owner text);
      insert into book values (1, 'One', 'u1'), (9007199254740993, $$${hostile}$$, 'u2')`;
    await server.post("/v2/query", { type: "run_sql", args: { sql } });
    await server.metadata("pg_track_table", { table: "book" });
    await server.metadata("pg_create_select_permission", {
      table: "book",
      role: "reader",
      permission: { columns: ["id", "title"], filter: { owner: { _eq: "X-Engine-User-Id" } } },
    });
    page = await opened.newPage();
    await page.goto(`${server.url}/console/rest`);
    await page.getByText("Save an operation on the page API first.").waitFor();
    const queries = [
      { name: "book", query: "query Book($id: bigint!) { book_by_pk(id: $id) { id title } }" },
      {
        name: "add book",
        query:
          "mutation Add($id: bigint!, $title: String, $loud: Boolean = false) { insert_book_one(object: {id: $id, title: $title}) { id title @skip(if: $loud) } }",
      },
    ];
    await server.metadata("create_query_collection", { name: "shop", definition: { queries } });
    await page.reload();
    await page.getByText("Create one for a saved operation.").waitFor();
  }, 180_000);

  afterAll(() => opened?.close());

  const press = (name: string) => page.getByRole("button", { name, exact: true }).click();
  const dialog = () => page.getByRole("dialog");
  const methods = () => dialog().getByRole("group", { name: "Methods" });
  const response = () => page.getByRole("region", { name: "Response" });

  it("An endpoint with a wrong path is not created, and one with chosen methods is", async () => {
    await press("Create endpoint");
    expect(await dialog().getByLabel("Name").inputValue()).toBe("book");
    await dialog().getByLabel("Saved operation").selectOption({ label: "add book in shop" });
    expect(await dialog().getByLabel("Name").inputValue()).toBe("add book");
    expect(await dialog().getByLabel("Path below /api/rest/").inputValue()).toBe("add-book");
    await dialog().getByLabel("Saved operation").selectOption({ label: "book in shop" });
    await dialog().getByLabel("Name").fill("Book");
    await dialog().getByLabel("Path below /api/rest/").fill("books/:other");
    await dialog().getByText("The operation has no variable other, only id.").waitFor();
    await press("Create");
    await dialog().getByLabel("Path below /api/rest/").fill("books/:id");
    await methods().getByLabel("GET").uncheck();
    await methods().getByLabel("POST").uncheck();
    await methods().getByText("Choose at least one method.").waitFor();
    await press("Create");
    await methods().getByLabel("GET").check();
    await methods().getByLabel("PATCH").check();
    await press("Create");
    await confirmWidening(page);
    await page.getByRole("heading", { name: "Book", exact: true }).waitFor();
    const { rest_endpoints } = (await opened.server.metadata("export_metadata", {})) as {
      readonly rest_endpoints: readonly { readonly methods: readonly string[] }[];
    };
    expect(rest_endpoints.map((each) => [...each.methods].sort())).toEqual([["GET", "PATCH"]]);
  });

  it("The page of an endpoint lists the roles that can run it", async () => {
    await page.getByText("Roles that can run the operation: admin, reader").waitFor();
  });

  it("An endpoint is tried with parameters by their types, and long numbers keep their digits", async () => {
    await press("Send request");
    expect(await response().count()).toBe(0);
    await page.getByLabel("id", { exact: true }).fill("9007199254740993");
    await page.getByText("/api/rest/books/9007199254740993").waitFor();
    await press("Send request");
    await response().getByText("200").waitFor();
    await response().getByText("9007199254740993").waitFor();
    await response().getByText("<script>").waitFor();
  });

  it("An endpoint is tried as a role with session variables", async () => {
    await page.getByLabel("Role", { exact: true }).fill("reader");
    await press("Session");
    await dialog().getByLabel("Name of header 1").fill("x-engine-user-id");
    await dialog().getByLabel("Value of header 1").fill("u1");
    await press("Apply");
    await press("Send request");
    await response().getByText("null").waitFor();
    await page.getByLabel("id", { exact: true }).fill("1");
    await press("Send request");
    await response().getByText('"One"').waitFor();
  });

  it("A failed request shows its status and error", async () => {
    await page.getByLabel("Role", { exact: true }).fill("stranger");
    await press("Send request");
    await response().getByText("400").waitFor();
    await response().getByText("validation-failed").waitFor();
    await page.getByLabel("Role", { exact: true }).fill("");
  });

  it("An endpoint is renamed and changed at once", async () => {
    await press("Edit");
    await dialog().getByLabel("Name").fill(hostile);
    await dialog().getByLabel("Path below /api/rest/").fill("one-book/:id");
    await press("Save");
    await confirmWidening(page);
    await page.getByRole("heading", { name: hostile }).waitFor();
    const { server } = opened;
    expect((await fetch(`${server.url}/api/rest/books/1`)).status).toBe(404);
    expect((await fetch(`${server.url}/api/rest/one-book/1`)).status).toBe(200);
    await page.reload();
    await page.getByRole("heading", { name: hostile }).waitFor();
  });

  it("A path that another endpoint has is refused with the server's reason, and the input is kept", async () => {
    await press("Create endpoint");
    await dialog().getByLabel("Name").fill("Second");
    await dialog().getByLabel("Path below /api/rest/").fill("one-book/:id");
    await press("Create");
    await dialog().getByRole("alert").getByText("Ambiguous URL paths").first().waitFor();
    expect(await dialog().getByLabel("Name").inputValue()).toBe("Second");
    await dialog().getByLabel("Saved operation").selectOption({ label: "add book in shop" });
    await dialog().getByLabel("Path below /api/rest/").fill("books");
    expect(await methods().getByLabel("GET").isChecked()).toBe(false);
    await press("Create");
    await confirmWidening(page);
    await page.getByRole("heading", { name: "Second" }).waitFor();
  });

  it("A change that the server refuses leaves the endpoint as it is", async () => {
    await press("Edit");
    await dialog().getByLabel("Path below /api/rest/").fill("one-book/new");
    await methods().getByLabel("PATCH").check();
    await press("Save");
    await dialog().getByRole("alert").getByText("Ambiguous URL paths").first().waitFor();
    await press("Cancel");
    await page.getByRole("region", { name: "Definition" }).getByText("/api/rest/books").waitFor();
    expect((await fetch(`${opened.server.url}/api/rest/books`)).status).toBe(405);
  });

  it("The body of a request has each value by its type", async () => {
    await page.getByLabel("id", { exact: true }).fill("3");
    await page.getByLabel("title", { exact: true }).fill(hostile);
    await page.getByLabel("loud", { exact: true }).selectOption("false");
    await press("Send request");
    await response().getByText("200").waitFor();
    await response().getByText("insert_book_one").waitFor();
    const found = await opened.server.graphql("{ book(where: {id: {_eq: 3}}) { title } }");
    expect(found).toEqual({ data: { book: [{ title: hostile }] } });
  });

  it("The OpenAPI document of a role is shown and downloaded", async () => {
    await page.getByRole("link", { name: "OpenAPI document" }).click();
    const operations = page.getByRole("region", { name: "Operations" });
    await operations.getByText("/api/rest/books", { exact: true }).waitFor();
    await page.getByLabel("Role").selectOption("reader");
    await operations.getByText("/api/rest/books", { exact: true }).waitFor({ state: "detached" });
    await operations.getByText("/api/rest/one-book/{id}").first().click();
    await operations.getByRole("cell", { name: "path" }).first().waitFor();
    await operations
      .getByText(/book_by_pk/)
      .first()
      .waitFor();
    const saved = page.waitForEvent("download");
    await press("Download JSON");
    const file = await saved;
    expect(file.suggestedFilename()).toBe("openapi-reader.json");
    const { paths } = JSON.parse(await readFile(await file.path(), "utf8"));
    expect(Object.keys(paths)).toEqual(["/api/rest/one-book/{id}"]);
    await page.getByLabel("Search").fill("nothing");
    await page.getByText("No matches").waitFor();
  });

  it("An endpoint is deleted after a confirmation that names it", async () => {
    await page.getByRole("link", { name: /^Second/ }).click();
    await press("Delete");
    await dialog().getByRole("heading", { name: "Delete endpoint Second?" }).waitFor();
    await dialog().getByRole("button", { name: "Delete", exact: true }).click();
    await page.getByText("Choose an endpoint from the list").waitFor();
    expect((await fetch(`${opened.server.url}/api/rest/books`, { method: "POST" })).status).toBe(404);
  });

  it("The REST page causes no browser errors and no requests to other hosts", () => {
    expect(opened.complaints).toEqual([]);
    expect(opened.otherHosts).toEqual([]);
  });
});
