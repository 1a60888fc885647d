/** Views of the console, each on a server that `fillConsole` prepared: for checks of all and for screenshots. */
import type { Page } from "playwright-core";
import type { TestServer } from "./server.ts";

export interface ConsoleView {
  readonly name: string;
  /** Below `/console/`. */
  readonly path: string;
  /** Resolves when what the view is about can be seen. */
  readonly ready: (page: Page) => Promise<void>;
  /** What a user does then. */
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
    ready: sees("Results appear here."),
    prepare: async (page) => {
      await page.getByRole("textbox", { name: "GraphQL operation" }).focus();
      await page.keyboard.insertText("query Books { book(order_by: {id: asc}) { title author { name } } }");
      await press(page, "Run");
      await page.getByText("success").waitFor();
    },
  },
  {
    name: "api-try-as",
    path: "api",
    ready: sees("Results appear here."),
    prepare: async (page) => {
      await page.getByRole("tab", { name: "Try as" }).click();
      await press(page, "Session variable");
    },
  },
  {
    name: "api-plan",
    path: "api",
    ready: sees("Results appear here."),
    prepare: async (page) => {
      await page
        .getByRole("textbox", { name: "GraphQL operation" })
        .fill("query Books { book { title author { name } } }");
      await page.getByRole("tab", { name: "Plan" }).click();
      await press(page, "Explain");
      await page.getByText("costs most").waitFor();
    },
  },
  {
    name: "api-code",
    path: "api",
    ready: sees("Results appear here."),
    prepare: async (page) => {
      await page.getByRole("textbox", { name: "GraphQL operation" }).fill("query Books { book { title } }");
      await page.getByRole("tab", { name: "Code" }).click();
      await page.getByText("curl", { exact: true }).waitFor();
    },
  },
  {
    name: "data-overview",
    path: "data/default",
    ready: sees("2 tracked, 2 not"),
    prepare: (page) => page.getByLabel("Choose shelf").check(),
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
      await page.getByText("Functions that take a row of it").waitFor();
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
    ready: sees("2 tracked, 2 not"),
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
  { name: "data-untracked", path: "data/default/public/shelf", ready: sees("Track this table") },
  {
    name: "data-sql",
    path: "data/default/sql",
    ready: sees("Rows appear here."),
    prepare: async (page) => {
      await page.getByRole("textbox", { name: "SQL" }).focus();
      await page.keyboard.insertText("select id, title from book order by id");
      await page.keyboard.press("Control+Enter");
      await page.getByText("2 rows in").waitFor();
    },
  },
  { name: "permissions", path: "permissions", ready: sees("some rows") },
  {
    name: "permission",
    path: "permissions/default/public/book/reader",
    ready: sees("Rows that may be read"),
    prepare: async (page) => {
      await page.getByRole("button", { name: "Remove condition 1" }).click();
      await page.getByText("This widens access").waitFor();
    },
  },
  {
    name: "permission-builder",
    path: "permissions/default/public/book/reader",
    ready: sees("Rows that may be read"),
    prepare: async (page) => {
      await page.getByRole("button", { name: "Related row" }).click();
      await page.getByRole("button", { name: "Group", exact: true }).last().click();
      await page.getByLabel("How the conditions of 3 count").selectOption("none");
      await page.getByRole("button", { name: "Row anywhere" }).nth(1).click();
      await page.getByText("nothing widens").waitFor();
    },
  },
  {
    name: "permission-rows",
    path: "permissions/default/public/book/reader",
    ready: sees("Rows that may be read"),
    prepare: async (page) => {
      await page.getByRole("tab", { name: "Rows that pass" }).click();
      await page.getByText("1 of 2 rows pass").waitFor();
    },
  },
  { name: "automation", path: "automation", ready: sees("calls a webhook when rows of a table change") },
  {
    name: "automation-events",
    path: "automation/event/default/book_changed",
    ready: (page) => page.getByRole("cell", { name: "failed", exact: true }).waitFor(),
  },
  {
    name: "automation-event",
    path: "automation/event/default/book_changed",
    ready: (page) => page.getByRole("cell", { name: "failed", exact: true }).waitFor(),
    prepare: async (page) => {
      await press(page, "Look at this event");
      await page.getByText("no answer").waitFor();
    },
  },
  {
    name: "automation-definition",
    path: "automation/event/default/book_changed",
    ready: (page) => page.getByRole("cell", { name: "failed", exact: true }).waitFor(),
    prepare: (page) => page.getByRole("tab", { name: "Definition" }).click(),
  },
  {
    name: "automation-transform",
    path: "automation/transform",
    ready: sees("the request appears here"),
    prepare: async (page) => {
      await press(page, "Try it");
      await page.getByText("Body that would be sent").or(page.getByText("POST")).first().waitFor();
    },
  },
  { name: "automation-cron", path: "automation/cron/nightly", ready: sees("1 to 50") },
  {
    name: "automation-one-off",
    path: "automation/one-off",
    ready: (page) => page.getByRole("cell", { name: "due", exact: true }).waitFor(),
  },
  {
    name: "api-saved",
    path: "api",
    ready: sees("Results appear here."),
    prepare: async (page) => {
      await page.getByRole("tab", { name: "Saved" }).click();
      await page.getByText("/api/rest/books").waitFor();
    },
  },
  {
    name: "api-history",
    path: "api",
    ready: sees("Results appear here."),
    prepare: async (page) => {
      await page.getByRole("textbox", { name: "GraphQL operation" }).fill("{ book { id } }");
      await press(page, "Run");
      await page.getByText("success").waitFor();
      await page.getByRole("tab", { name: "History" }).click();
    },
  },
  {
    name: "api-errors",
    path: "api",
    ready: sees("Results appear here."),
    prepare: async (page) => {
      await page.getByRole("textbox", { name: "GraphQL operation" }).fill("{ book { nothing } }");
      await page.locator(".cm-lintRange-error").first().waitFor();
      await press(page, "Run");
      await page.getByText("errors", { exact: true }).waitFor();
    },
  },
  {
    name: "api-save",
    path: "api",
    ready: sees("Results appear here."),
    prepare: async (page) => {
      await page.getByRole("textbox", { name: "GraphQL operation" }).fill("query Titles { book { title } }");
      await press(page, "Save as operation");
      await page.getByLabel("Also serve it as a REST endpoint").check();
    },
  },
  {
    name: "code",
    path: "code",
    ready: sees("Choose a file."),
  },
  {
    name: "code-file",
    path: "code/roles/reader/default/public.book.ts",
    ready: sees("Rows that role reader may read"),
  },
  {
    name: "code-operation",
    path: "code/operations/shop.books.ts",
    ready: sees("SQL of roles"),
    prepare: (page) => page.getByText("SQL of roles").click(),
  },
  {
    name: "code-search",
    path: "code/roles/reader/default/public.book.ts",
    ready: sees("Rows that role reader may read"),
    prepare: async (page) => {
      await page.getByLabel("Search in these files").fill("author");
      await page.getByRole("cell").first().waitFor();
    },
  },
  {
    name: "health",
    path: "health",
    ready: sees("SlowBooks"),
    prepare: (page) => page.locator(".plot canvas").first().waitFor(),
  },
  { name: "automation-remote", path: "automation/new/remote-schema", ready: sees("Create the remote schema") },
  { name: "nowhere", path: "nowhere", ready: sees("There is no such page.") },
  { name: "automation-action", path: "automation/new/action", ready: sees("Create the action") },
  { name: "automation-types", path: "automation/custom-types", ready: sees("input_objects") },
];

/** Tables, rows, a relationship, a role, and triggers whose webhook does not answer. */
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
