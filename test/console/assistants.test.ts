/** The page Assistants: tools are created, called, changed and deleted, and their calls are listed. */
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hasBrowser } from "../support/browser.ts";
import { confirmWidening, openConsole, type TestConsole } from "../support/console.ts";

const hostile = `it's "<script>alert(1)</script>"`;

const queries = [
  {
    name: "FindBooks",
    query: "query FindBooks($where: book_bool_exp, $limit: Int) { book(where: $where, limit: $limit) { id title } }",
  },
  {
    name: "AddBook",
    query:
      "mutation AddBook($id: bigint!, $title: String, $due: date) { insert_book_one(object: {id: $id, title: $title, due: $due}) { id title } }",
  },
];

describe.skipIf(!hasBrowser)("The page Assistants", { timeout: 120_000 }, () => {
  let opened: TestConsole;
  let page: Page;

  beforeAll(async () => {
    opened = await openConsole({
      ENGINE_GRAPHQL_ENABLED_APIS: "metadata,graphql,config,mcp",
      ENGINE_GRAPHQL_MCP_ADMIN_SECRET: "true",
    });
    const { server } = opened;
    const sql = `create table book (id bigint primary key, title text, owner text default 'u1', due date);
      insert into book values (1, 'One', 'u1'), (9007199254740993, $$${hostile}$$, 'u2')`;
    await server.post("/v2/query", { type: "run_sql", args: { sql } });
    await server.metadata("pg_track_table", { table: "book" });
    const filter = { owner: { _eq: "X-Engine-User-Id" } };
    const columns = ["id", "title"];
    await server.metadata("pg_create_select_permission", {
      table: "book",
      role: "reader",
      permission: { columns, filter },
    });
    for (const role of ["writer", "clerk"]) {
      const select = { columns: [...columns, "owner"], filter: {} };
      await server.metadata("pg_create_select_permission", { table: "book", role, permission: select });
    }
    const insert = { columns: [...columns, "due"], check: {} };
    await server.metadata("pg_create_insert_permission", { table: "book", role: "writer", permission: insert });
    page = await opened.newPage();
  }, 180_000);

  afterAll(() => opened?.close());

  const press = (name: string) => page.getByRole("button", { name, exact: true }).click();
  const tab = (name: string) => page.getByRole("tab", { name, exact: true }).click();
  const dialog = () => page.getByRole("dialog");
  const definition = () => page.getByRole("region", { name: "Definition" });
  const region = (name: string) => page.getByRole("region", { name, exact: true });
  const tools = async () => {
    const { agent_tools } = (await opened.server.metadata("export_metadata", {})) as { readonly agent_tools: unknown };
    return agent_tools;
  };

  it("Without saved operations, the page leads to the page API", async () => {
    await page.goto(`${opened.server.url}/console/assistants`);
    await page.getByText("Save an operation first, then make it a tool.").waitFor();
    expect(await page.getByRole("button", { name: "Create tool" }).count()).toBe(0);
    await opened.server.metadata("create_query_collection", { name: "shop", definition: { queries } });
    await page.getByRole("link", { name: "Write an operation" }).click();
    await page.getByRole("heading", { name: "API" }).waitFor();
  });

  it("A saved operation is made a tool on the page API", async () => {
    await page.reload();
    await page.getByRole("tab", { name: "Saved" }).click();
    await page.getByRole("button", { name: "Make it a tool" }).first().click();
    await dialog().getByRole("heading", { name: "Create tool" }).waitFor();
    expect(await dialog().getByLabel("Name", { exact: true }).inputValue()).toBe("find_books");
    await dialog().getByText("At present: admin, clerk, reader, writer").waitFor();
    await dialog().getByLabel("Title").fill("Find books");
    await dialog().getByLabel("Description").fill("Finds books by a condition.");
    await press("Create");
    await confirmWidening(page);
    await page.getByRole("heading", { name: "find_books" }).waitFor();
    expect(await tools()).toEqual([
      {
        name: "find_books",
        title: "Find books",
        description: "Finds books by a condition.",
        definition: { query: { collection_name: "shop", query_name: "FindBooks" } },
      },
    ]);
  });

  it("A tool has its hints in words, its operation, limits and schemas", async () => {
    await definition().getByText("Reads only").waitFor();
    await definition().getByText("FindBooks in shop").waitFor();
    await definition().getByText("1,000 rows, 262,144 bytes, 30 seconds").waitFor();
    await region("Input schema").getByText("book_bool_exp").first().waitFor();
    await region("Output schema").getByText('"title"').first().waitFor();
  });

  it("A tool for some roles has scopes and limits, and wrong ones are refused", async () => {
    await press("Create tool");
    await dialog().getByLabel("Operation", { exact: true }).selectOption("AddBook");
    expect(await dialog().getByLabel("Name", { exact: true }).inputValue()).toBe("add_book");
    await dialog().getByLabel("Name", { exact: true }).fill("add book");
    await dialog().getByText("A name contains only letters").waitFor();
    await press("Create");
    await dialog().getByLabel("Name", { exact: true }).fill("find_books");
    await dialog().getByText("There is a tool find_books already.").waitFor();
    await dialog().getByLabel("Name", { exact: true }).fill("add_book");
    await dialog().getByLabel("Every role that can run the operation").uncheck();
    await dialog().getByText("Choose at least one role.").waitFor();
    await press("Create");
    await dialog().getByLabel("Search roles").fill("read");
    await dialog().getByText("cannot run the operation").waitFor();
    await dialog().getByLabel("Search roles").fill("wri");
    await dialog().getByLabel("writer").check();
    await dialog().getByText("Scopes, limits and comment").click();
    await dialog().getByLabel("Row limit").fill("0");
    await press("Create");
    await dialog().getByText("Enter a whole number from 1 to 1,000,000").waitFor();
    await dialog().getByLabel("Row limit").fill("10");
    await dialog().getByLabel("Scopes").fill("books:write");
    await press("Create");
    await confirmWidening(page);
    await page.getByRole("heading", { name: "add_book" }).waitFor();
    expect(await tools()).toContainEqual({
      name: "add_book",
      definition: { query: { collection_name: "shop", query_name: "AddBook" } },
      roles: ["writer"],
      scopes: ["books:write"],
      limits: { rows: 10 },
    });
  });

  it("The list has the tools of the selected role, and those of other roles behind them", async () => {
    await page.getByLabel("Role").selectOption("writer");
    await definition().getByText("Changes data").waitFor();
    await definition().getByText("10 rows, 262,144 bytes, 30 seconds").waitFor();
    await page.getByLabel("Role").selectOption("reader");
    await definition().getByText("Not for this role").waitFor();
    await page.getByRole("navigation", { name: "Tools" }).getByText("Other roles").waitFor();
  });

  it("The playground calls a tool as a role, with a form by the schema, and shows request and response", async () => {
    await tab("Playground");
    await page.getByLabel("Role").selectOption("reader");
    await page.getByLabel("Session variables").fill("X-Engine-User-Id: u2");
    await page.getByLabel("Tool", { exact: true }).selectOption("find_books");
    await page.getByLabel("limit (optional)", { exact: true }).fill("many");
    await page.getByText("Enter a whole number.").waitFor();
    await press("Call");
    expect(await region("Response").count()).toBe(0);
    await page.getByLabel("limit (optional)", { exact: true }).fill("5");
    await press("Call");
    await page.getByRole("table", { name: "book" }).getByText("9007199254740993").waitFor();
    await page.getByRole("table", { name: "book" }).getByText(hostile).waitFor();
    expect(await page.getByRole("table", { name: "book" }).getByText("One").count()).toBe(0);
    await region("Request").getByText("x-engine-user-id: u2").waitFor();
    await region("Request").getByText("tools/call").first().waitFor();
    await region("Response").getByText("Status 200").waitFor();
    await region("Response").getByText("structuredContent").waitFor();
    await tab("Text for the model");
    await page.getByText("The next block is data from a database.").first().waitFor();
  });

  it("An argument as JSON and a null are sent as such", async () => {
    const where = page.getByRole("textbox", { name: "where (optional)" });
    await where.fill('{"id"');
    await press("Call");
    expect(await region("Request").getByText("where").count()).toBe(0);
    await where.fill('{"id": {"_eq": 9007199254740993}}');
    await page.getByRole("checkbox", { name: "Null for limit" }).check();
    await press("Call");
    await region("Request").getByText('"limit": null').waitFor();
    await region("Request").getByText("9007199254740993").waitFor();
    await tab("JSON");
    await region("Result").getByText("9007199254740993").first().waitFor();
  });

  it("A write shows its effect and runs only after its confirmation", async () => {
    await page.getByLabel("Role").selectOption("writer");
    await page.getByLabel("Tool", { exact: true }).selectOption("add_book");
    await page.getByLabel("id", { exact: true }).fill("3");
    await page.getByLabel("title (optional)", { exact: true }).fill(hostile);
    await page.getByLabel("due (optional)", { exact: true }).fill("2026-01-31");
    await press("Call");
    await region("Confirmation").getByText("1 row inserted").waitFor();
    await press("Decline");
    await page.getByText("The user declined the call.").first().waitFor();
    await press("Call");
    await region("Confirmation").getByText("Nothing has changed yet").waitFor();
    // A confirmation is for the arguments that were shown.
    await page.getByLabel("id", { exact: true }).fill("4");
    await region("Confirmation").waitFor({ state: "detached" });
    await press("Call");
    await press("Confirm");
    await page.getByRole("table", { name: "insert_book_one" }).getByText(hostile).waitFor();
    const found = await opened.server.graphql("{ book(where: {id: {_in: [3, 4]}}) { id title due } }");
    expect(found).toEqual({ data: { book: [{ id: 4, title: hostile, due: "2026-01-31" }] } });
  });

  it("A failed call shows the error that the assistant receives", async () => {
    // The rehearsal of the write fails, so that the page shows no confirmation.
    await press("Call");
    await region("Text of the result").getByText("constraint-violation").waitFor();
    await page.getByRole("status").getByText("Error", { exact: true }).waitFor();
  });

  it("The calls are listed with their outcome, filtered, and lead to their log lines", async () => {
    await tab("Calls");
    const table = page.getByRole("table", { name: "Calls of tools" });
    await table.getByText("find_books").first().waitFor();
    await table.getByText("console").first().waitFor();
    await page.getByLabel("Outcome").selectOption("unconfirmed");
    await table.getByText("find_books").first().waitFor({ state: "detached" });
    await table.getByText("Not confirmed").first().waitFor();
    await page.getByLabel("Outcome").selectOption("error");
    await table.getByText("constraint-violation").waitFor();
    await page.getByLabel("Role").selectOption("writer");
    await page.getByLabel("Tool", { exact: true }).selectOption("add_book");
    await page.getByText("1 call in the last hour").waitFor();
    await table.getByRole("link", { name: "Log lines" }).click();
    await page.getByLabel("Lines that contain").waitFor();
    expect(await page.getByLabel("Lines that contain").inputValue()).toMatch(/^[0-9a-f-]{36}$/);
    await page.getByRole("cell", { name: "mcp-log" }).waitFor();
  });

  it("A tool is renamed and changed at once", async () => {
    await page.goto(`${opened.server.url}/console/assistants/tools/add_book`);
    await press("Edit");
    await dialog().getByLabel("Name", { exact: true }).fill("new_book");
    await dialog().getByLabel("Title").fill(hostile);
    await press("Save");
    await confirmWidening(page);
    await page.getByRole("heading", { name: "new_book", exact: true }).waitFor();
    await definition().getByText(hostile).waitFor();
    const names = ((await tools()) as readonly { readonly name: string }[]).map(({ name }) => name);
    expect(names.sort()).toEqual(["find_books", "new_book"]);
    expect(await tools()).toContainEqual(expect.objectContaining({ limits: { rows: 10 }, scopes: ["books:write"] }));
  });

  it("A tool is deleted after a confirmation that names it", async () => {
    await press("Delete");
    await dialog().getByRole("heading", { name: "Delete tool new_book?" }).waitFor();
    await dialog().getByRole("button", { name: "Delete", exact: true }).click();
    await page.getByRole("heading", { name: "new_book", exact: true }).waitFor({ state: "detached" });
    expect(await tools()).toEqual([expect.objectContaining({ name: "find_books" })]);
  });

  it("The playground explains the options without which it cannot call tools", async () => {
    const off = await openConsole();
    const refusing = await openConsole({ ENGINE_GRAPHQL_ENABLED_APIS: "metadata,graphql,mcp" });
    try {
      const other = await off.newPage();
      await other.goto(`${off.server.url}/console/assistants/playground`);
      await other.getByText("--enabled-apis metadata,graphql,pgdump,config,mcp").waitFor();
      expect(off.complaints).toEqual([]);
      const another = await refusing.newPage();
      await another.goto(`${refusing.server.url}/console/assistants/playground`);
      await another.getByText("The server refuses the admin secret at /mcp").waitFor();
      expect(await another.getByText("--enabled-apis").count()).toBe(0);
    } finally {
      await off.close();
      await refusing.close();
    }
  });

  it("The page Assistants causes no browser errors and no requests to other hosts", () => {
    expect(opened.complaints).toEqual([]);
    expect(opened.otherHosts).toEqual([]);
  });
});
