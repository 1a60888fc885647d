/** Views of the console, each on a server prepared by `fillConsole`, for checks of all pages and for screenshots. */
import type { Page } from "playwright-core";
import type { TestServer } from "./server.ts";

export interface ConsoleView {
  readonly name: string;
  /** Path below `/console/`. */
  readonly path: string;
  /** Resolves when the view has loaded. */
  readonly ready: (page: Page) => Promise<void>;
  /** User actions after the view has loaded. */
  readonly prepare?: (page: Page) => Promise<void>;
}

const sees =
  (text: string) =>
  (page: Page): Promise<void> =>
    page.getByText(text).first().waitFor();

const press = (page: Page, name: string): Promise<void> => page.getByRole("button", { name, exact: true }).click();

export const consoleViews: readonly ConsoleView[] = [
  {
    name: "api",
    path: "api",
    ready: sees("No results yet"),
    prepare: async (page) => {
      await page.getByRole("textbox", { name: "GraphQL operation" }).focus();
      await page.keyboard.insertText("query Books { book(order_by: {id: asc}) { title author { name } } }");
      await press(page, "Run");
      await page.getByText("Success").waitFor();
    },
  },
  {
    name: "api-run-as",
    path: "api",
    ready: sees("No results yet"),
    prepare: async (page) => {
      await page.getByRole("tab", { name: "Run as" }).click();
      await press(page, "Add session variable");
    },
  },
  {
    name: "api-plan",
    path: "api",
    ready: sees("No results yet"),
    prepare: async (page) => {
      await page
        .getByRole("textbox", { name: "GraphQL operation" })
        .fill("query Books { book { title author { name } } }");
      await page.getByRole("tab", { name: "Plan" }).click();
      await press(page, "Explain");
      await page.getByText("Highest cost").waitFor();
    },
  },
  {
    name: "api-code",
    path: "api",
    ready: sees("No results yet"),
    prepare: async (page) => {
      await page.getByRole("textbox", { name: "GraphQL operation" }).fill("query Books { book { title } }");
      await page.getByRole("tab", { name: "Code" }).click();
      await page.getByText("curl", { exact: true }).waitFor();
    },
  },
  {
    name: "palette",
    path: "data/default",
    ready: sees("2 of 4 tracked"),
    prepare: async (page) => {
      await page.keyboard.press("Control+k");
      await page.getByRole("combobox", { name: "Search" }).fill("book");
      await page.getByRole("option", { name: /^book/ }).first().waitFor();
    },
  },
  {
    name: "settings",
    path: "data/default",
    ready: sees("2 of 4 tracked"),
    prepare: async (page) => {
      await press(page, "Settings");
      await page.getByLabel("Rows per page").waitFor();
    },
  },
  {
    name: "parts",
    path: "parts",
    ready: sees("Tabs, JSON and editor"),
    prepare: async (page) => {
      await press(page, "Change with undo");
      await press(page, "Open dialog");
    },
  },
  {
    name: "data-overview",
    path: "data/default",
    ready: sees("2 of 4 tracked"),
    prepare: (page) => page.getByLabel("Select shelf").check(),
  },
  {
    name: "data-functions",
    path: "data/default/functions",
    ready: sees("books_like(title_part text)"),
  },
  {
    name: "data-track-function",
    path: "data/default/functions",
    ready: sees("books_like(title_part text)"),
    prepare: (page) => page.getByTitle("Track sell", { exact: true }).click(),
  },
  {
    name: "data-computed",
    path: "data/default/public/book",
    ready: sees("2 of 2 rows"),
    prepare: async (page) => {
      await page.getByRole("tab", { name: "Computed fields" }).click();
      await page.getByText("Available functions").waitFor();
    },
  },
  {
    name: "data-view",
    path: "data/default/public/cheap_book",
    ready: sees("Definition"),
  },
  {
    name: "data-create",
    path: "data/default",
    ready: sees("2 of 4 tracked"),
    prepare: (page) => press(page, "Create table"),
  },
  { name: "data-rows", path: "data/default/public/book", ready: sees("2 of 2 rows") },
  {
    name: "data-insert",
    path: "data/default/public/book",
    ready: sees("2 of 2 rows"),
    prepare: (page) => press(page, "Insert row"),
  },
  {
    name: "data-structure",
    path: "data/default/public/book",
    ready: sees("2 of 2 rows"),
    prepare: (page) => page.getByRole("tab", { name: "Structure" }).click(),
  },
  {
    name: "data-relationships",
    path: "data/default/public/author",
    ready: sees("2 of 2 rows"),
    prepare: async (page) => {
      await page.getByRole("tab", { name: "Relationships" }).click();
      await page.getByText("Suggested by foreign keys").waitFor();
      await page.getByRole("button", { name: "Add", exact: true }).waitFor();
    },
  },
  { name: "data-untracked", path: "data/default/public/shelf", ready: sees("Track table") },
  {
    name: "data-sql",
    path: "data/default/sql",
    ready: sees("No results yet"),
    prepare: async (page) => {
      await page.getByRole("textbox", { name: "SQL" }).focus();
      await page.keyboard.insertText("select id, title from book order by id");
      await page.keyboard.press("Control+Enter");
      await page.getByText("2 rows in").waitFor();
    },
  },
  { name: "permissions", path: "permissions", ready: sees("Some rows") },
  {
    name: "permission",
    path: "permissions/default/public/book/reader",
    ready: sees("Row filter"),
    prepare: async (page) => {
      await page.getByRole("button", { name: "Remove condition 1" }).click();
      await page.getByText("This widens access").waitFor();
    },
  },
  {
    name: "permission-builder",
    path: "permissions/default/public/book/reader",
    ready: sees("Row filter"),
    prepare: async (page) => {
      for (const item of ["Relationship condition", "Group", "Exists condition"]) {
        await press(page, "Add to filter");
        await page.getByRole("menuitem", { name: item, exact: true }).click();
      }
      await page.getByRole("group", { name: "Operator of group 3" }).getByRole("button", { name: "NOT" }).click();
      await page.getByText("No wider access").waitFor();
      await press(page, "Add to filter");
    },
  },
  {
    name: "permission-rows",
    path: "permissions/default/public/book/reader",
    ready: sees("Row filter"),
    prepare: async (page) => {
      await page.getByRole("tab", { name: "Matching rows" }).click();
      await page.getByText("1 of 2 rows match").waitFor();
    },
  },
  {
    name: "permissions-select",
    path: "permissions",
    ready: sees("Some rows"),
    prepare: async (page) => {
      await press(page, "Select cells");
      await page.getByRole("button", { name: /^reader on book/ }).click();
      await page.getByText("1 cell selected").waitFor();
    },
  },
  {
    name: "permissions-copy",
    path: "permissions",
    ready: sees("Some rows"),
    prepare: async (page) => {
      await press(page, "Copy permissions");
      await page.getByLabel("To role").fill("writer");
      await page.getByText("This widens access").waitFor();
    },
  },
  { name: "permissions-inherited", path: "permissions?view=inherited", ready: sees("No inherited roles") },
  {
    name: "permissions-settings",
    path: "permissions?view=settings",
    ready: sees("API limits"),
    prepare: async (page) => {
      await page.getByLabel("Depth limit of reader").fill("3");
      await page.getByText("enter one for all roles").waitFor();
    },
  },
  { name: "permissions-other", path: "permissions?view=other", ready: sees("late_books") },
  { name: "automation", path: "automation", ready: sees("Calls a webhook when rows of a table change") },
  {
    name: "automation-events",
    path: "automation/event/default/book_changed",
    ready: (page) => page.getByRole("cell", { name: "Failed", exact: true }).waitFor(),
  },
  {
    name: "automation-event",
    path: "automation/event/default/book_changed",
    ready: (page) => page.getByRole("cell", { name: "Failed", exact: true }).waitFor(),
    prepare: async (page) => {
      await press(page, "View event");
      await page.getByText("No response").waitFor();
    },
  },
  {
    name: "automation-definition",
    path: "automation/event/default/book_changed",
    ready: (page) => page.getByRole("cell", { name: "Failed", exact: true }).waitFor(),
    prepare: (page) => page.getByRole("tab", { name: "Definition" }).click(),
  },
  {
    name: "automation-transform",
    path: "automation/transform",
    ready: sees("It is not sent."),
    prepare: async (page) => {
      await press(page, "Test");
      await page.getByText("Transformed body").or(page.getByText("POST")).first().waitFor();
    },
  },
  { name: "automation-cron", path: "automation/cron/nightly", ready: sees("1 to 50") },
  {
    name: "automation-one-off",
    path: "automation/one-off",
    ready: (page) => page.getByRole("cell", { name: "Scheduled", exact: true }).waitFor(),
  },
  {
    name: "api-saved",
    path: "api",
    ready: sees("No results yet"),
    prepare: async (page) => {
      await page.getByRole("tab", { name: "Saved" }).click();
      await page.getByText("/api/rest/books").waitFor();
    },
  },
  {
    name: "api-history",
    path: "api",
    ready: sees("No results yet"),
    prepare: async (page) => {
      await page.getByRole("textbox", { name: "GraphQL operation" }).fill("{ book { id } }");
      await press(page, "Run");
      await page.getByText("Success").waitFor();
      await page.getByRole("tab", { name: "History" }).click();
    },
  },
  {
    name: "api-errors",
    path: "api",
    ready: sees("No results yet"),
    prepare: async (page) => {
      await page.getByRole("textbox", { name: "GraphQL operation" }).fill("{ book { nothing } }");
      await page.locator(".cm-lintRange-error").first().waitFor();
      await press(page, "Run");
      await page.getByText("Errors", { exact: true }).waitFor();
    },
  },
  {
    name: "api-save",
    path: "api",
    ready: sees("No results yet"),
    prepare: async (page) => {
      await page.getByRole("textbox", { name: "GraphQL operation" }).fill("query Titles { book { title } }");
      await press(page, "Save operation");
      await page.getByLabel("Expose as a REST endpoint").check();
    },
  },
  {
    name: "code",
    path: "code",
    ready: sees("Select a file"),
  },
  {
    name: "code-file",
    path: "code/roles/reader/default/public.book.ts",
    ready: sees("Rows that role reader may read"),
  },
  {
    name: "code-operation",
    path: "code/operations/shop.books.ts",
    ready: sees("SQL by role"),
    prepare: (page) => page.getByText("SQL by role").click(),
  },
  {
    name: "code-search",
    path: "code/roles/reader/default/public.book.ts",
    ready: sees("Rows that role reader may read"),
    prepare: async (page) => {
      await page.getByLabel("Search these files").fill("author");
      await page.getByRole("cell").first().waitFor();
    },
  },
  {
    name: "health",
    path: "health",
    ready: sees("SlowBooks"),
    prepare: (page) => page.locator(".plot canvas").first().waitFor(),
  },
  { name: "automation-remote", path: "automation/new/remote-schema", ready: sees("Create remote schema") },
  { name: "nowhere", path: "nowhere", ready: sees("Page not found") },
  { name: "automation-action", path: "automation/new/action", ready: sees("Create action") },
  { name: "automation-types", path: "automation/custom-types", ready: sees("input_objects") },
];

/** Creates tables, rows, a relationship, a role, and triggers whose webhook does not respond. */
export async function fillConsole(server: TestServer): Promise<void> {
  const sql = `
    create table author (id int primary key, name text not null);
    create table book (id int primary key, title text not null, author_id int references author, price numeric(8, 2)
      constraint price_is_positive check (price > 0));
    create index book_by_author on book (author_id, price desc) where price < 100;
    create view cheap_book as select id, title from book where price < 7;
    create function books_like(title_part text) returns setof book stable language sql
      as $$ select * from book where title like '%' || title_part || '%' $$;
    create function sell(id int, session json) returns setof book volatile language sql
      as $$ select * from book where book.id = sell.id $$;
    create function headline(of_book book) returns text stable language sql as $$ select upper(of_book.title) $$;
    create function two() returns integer language sql immutable as $$ select 2 $$;
    create function late_books() returns setof book stable language sql as $$ select book.* from book, pg_sleep(0.15) $$;
    create table shelf (id int primary key, room text);
    insert into author values (1, 'Mary Shelley'), (2, 'Jules Verne');
    insert into book values (1, 'Frankenstein', 1, 7.50), (2, 'Around the World in Eighty Days', 2, 6.00);`;
  await server.post("/v2/query", { type: "run_sql", args: { sql } });
  for (const table of ["author", "book"]) await server.metadata("pg_track_table", { table });
  const using = { foreign_key_constraint_on: "author_id" };
  await server.metadata("pg_create_object_relationship", { table: "book", name: "author", using });
  const permission = { columns: ["id", "title"], filter: { author_id: { _eq: 1 } } };
  await server.metadata("pg_create_select_permission", { table: "book", role: "reader", permission });
  const webhook = "http://127.0.0.1:9/hook";
  const trigger = { name: "book_changed", table: "book", webhook, enable_manual: true, update: { columns: "*" } };
  await server.metadata("pg_create_event_trigger", trigger);
  await server.metadata("pg_invoke_event_trigger", { name: "book_changed", payload: { title: "Frankenstein" } });
  const cron = { name: "nightly", webhook, schedule: "0 3 * * *", include_in_metadata: true };
  await server.metadata("create_cron_trigger", cron);
  await server.metadata("create_scheduled_event", { webhook, schedule_at: "2090-01-01T00:00:00Z", payload: { at: 1 } });
  const queries = [{ name: "books", query: "query Books { book { title author { name } } }" }];
  await server.metadata("create_query_collection", { name: "shop", definition: { queries } });
  const definition = { query: { collection_name: "shop", query_name: "books" } };
  const endpoint = { name: "books", url: "books", methods: ["GET"], definition, comment: null };
  await server.metadata("create_rest_endpoint", endpoint);
  await server.metadata("pg_track_function", { function: "late_books" });
  await server.graphql("query SlowBooks { late_books { title } }");
}
