/** Views of the console, each on a server prepared by `fillConsole`, for checks of all pages and for screenshots. */
import type { Page } from "playwright-core";
import { chooseAction } from "./console.ts";
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

/** A token without a valid signature, which the console decodes. */
const sampleToken = [
  { alg: "HS256", typ: "JWT" },
  {
    exp: 4102444800,
    "https://engine.io/jwt/claims": {
      "x-engine-default-role": "reader",
      "x-engine-allowed-roles": ["reader"],
      "x-engine-user-id": "1",
    },
  },
  {},
]
  .map((part) => Buffer.from(JSON.stringify(part)).toString("base64url"))
  .join(".");

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
    name: "api-explorer",
    path: "api",
    ready: sees("No results yet"),
    prepare: async (page) => {
      const explorer = page.getByRole("region", { name: "Explorer" });
      if (!(await explorer.isVisible())) await press(page, "Explorer");
      await page.getByRole("treeitem", { name: /^book \[/ }).click();
      await page.keyboard.press("ArrowRight");
      await page.getByRole("treeitem", { name: /^limit/ }).waitFor();
    },
  },
  {
    name: "api-documentation",
    path: "api",
    ready: sees("No results yet"),
    prepare: async (page) => {
      await press(page, "Documentation");
      await page.getByRole("button", { name: "query_root" }).click();
      await page.getByRole("region", { name: "Fields of query_root" }).waitFor();
    },
  },
  {
    name: "api-table",
    path: "api",
    ready: sees("No results yet"),
    prepare: async (page) => {
      await page
        .getByRole("textbox", { name: "GraphQL operation" })
        .fill("{ book { id title price author { name } } author { id name } }");
      await press(page, "Run");
      await press(page, "Table");
      await page.getByRole("table", { name: "book" }).waitFor();
      await page.evaluate("localStorage.removeItem('engine-console-result-view')");
    },
  },
  {
    name: "api-session",
    path: "api",
    ready: sees("No results yet"),
    prepare: async (page) => {
      await press(page, "Session");
      await page.getByLabel("Name of header 1").fill("x-engine-user-id");
      await page.getByLabel("Value of header 1").fill("1");
      await page.getByLabel("JSON Web Token").fill(sampleToken);
      await page.getByText("Default role").waitFor();
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
      await page.getByRole("tab", { name: "curl" }).waitFor();
    },
  },
  { name: "rest", path: "rest", ready: sees("Choose an endpoint from the list") },
  {
    name: "rest-endpoint",
    path: "rest/endpoint/books",
    ready: sees("Roles that can run the operation"),
    prepare: async (page) => {
      await press(page, "Send request");
      await page.getByRole("region", { name: "Response" }).getByText("200").waitFor();
    },
  },
  {
    name: "rest-openapi",
    path: "rest/openapi",
    ready: sees("/api/rest/books"),
    prepare: (page) => page.getByText("/api/rest/books").click(),
  },
  {
    name: "rest-create",
    path: "rest",
    ready: sees("Choose an endpoint from the list"),
    prepare: (page) => press(page, "Create endpoint"),
  },
  { name: "assistants", path: "assistants", ready: sees("Choose a tool from the list") },
  { name: "assistants-tool", path: "assistants/tools/titles", ready: sees("Input schema") },
  {
    name: "assistants-create",
    path: "assistants",
    ready: sees("Choose a tool from the list"),
    prepare: async (page) => {
      await press(page, "Create tool");
      await page.getByLabel("Every role that can run the operation").uncheck();
      await page.getByText("Scopes, limits and comment").click();
    },
  },
  {
    name: "assistants-playground",
    path: "assistants/playground/titles",
    ready: sees("No call yet"),
    prepare: async (page) => {
      await page.getByLabel("Role").selectOption("admin");
      await press(page, "Call");
      await page.getByRole("table", { name: "book" }).waitFor();
    },
  },
  {
    name: "assistants-confirm",
    path: "assistants/playground/rename_book",
    ready: sees("No call yet"),
    prepare: async (page) => {
      await page.getByLabel("Role").selectOption("admin");
      await page.getByLabel("id", { exact: true }).fill("1");
      await page.getByLabel("title", { exact: true }).fill("Frankenstein");
      await press(page, "Call");
      await page.getByText("1 row updated").first().waitFor();
    },
  },
  {
    name: "assistants-calls",
    path: "assistants/calls",
    ready: (page) => page.getByRole("cell", { name: "Not confirmed" }).first().waitFor(),
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
  {
    name: "data-diagram",
    path: "data/default/diagram",
    ready: (page) => page.locator("[data-table]").nth(3).waitFor(),
  },
  {
    name: "data-more-actions",
    path: "data/default",
    ready: sees("2 of 4 tracked"),
    prepare: (page) => press(page, "More actions"),
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
      await page.getByRole("button", { name: "Add 1 relationship" }).waitFor();
    },
  },
  {
    name: "data-connect-database",
    path: "data/default",
    ready: sees("2 of 4 tracked"),
    prepare: async (page) => {
      await press(page, "Connect database");
      await press(page, "Add read replica");
    },
  },
  {
    name: "data-suggested-relationships",
    path: "data/default",
    ready: sees("2 of 4 tracked"),
    prepare: async (page) => {
      await chooseAction(page, "Suggest relationships");
      await page.getByText("many book by its author_id").waitFor();
    },
  },
  {
    name: "data-edit-column",
    path: "data/default/public/book",
    ready: sees("rows"),
    prepare: async (page) => {
      await page.getByRole("tab", { name: "Structure" }).click();
      await press(page, "Edit column title");
      await page.getByLabel("Name", { exact: true }).fill("heading");
      await page.getByText("rename column").waitFor();
    },
  },
  {
    name: "data-add-constraint",
    path: "data/default/public/book",
    ready: sees("rows"),
    prepare: async (page) => {
      await page.getByRole("tab", { name: "Structure" }).click();
      await press(page, "Add constraint");
      await page.getByLabel("Referenced table").fill("author");
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
  { name: "permissions-tests", path: "permissions?view=tests", ready: sees("Tests belong to a project") },
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
      await page.getByText("POST").first().waitFor();
    },
  },
  { name: "automation-cron", path: "automation/cron/nightly", ready: sees("1–100") },
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
  { name: "metadata", path: "metadata", ready: sees('"sources"') },
  {
    name: "metadata-import",
    path: "metadata",
    ready: sees('"sources"'),
    prepare: async (page) => {
      const text = await page.evaluate(async () => {
        const body = JSON.stringify({ type: "export_metadata", args: {} });
        return (await fetch("/v1/metadata", { method: "POST", body })).text();
      });
      await press(page, "Import");
      const widened = text.replace('"filter":{"author_id":{"_eq":1}}', '"filter":{}').replace("0 3 * * *", "0 4 * * *");
      await page.getByRole("textbox", { name: "Metadata as JSON or YAML" }).fill(widened);
      await press(page, "Preview");
      await page.getByText("This widens access").waitFor();
    },
  },
  { name: "metadata-inconsistent", path: "metadata/inconsistent", ready: sees("no inconsistent objects") },
  { name: "metadata-advice", path: "metadata/advice", ready: sees("finding") },
  { name: "metadata-history", path: "metadata/history", ready: sees("create_rest_endpoint") },
  { name: "metadata-version", path: "metadata/history/5", ready: sees("Version 4 → 5") },
  { name: "metadata-variables", path: "metadata/variables", ready: sees("ENGINE_GRAPHQL_DATABASE_URL") },
  {
    name: "health",
    path: "health",
    ready: sees("SlowBooks"),
    prepare: (page) => page.locator(".plot canvas").first().waitFor(),
  },
  {
    name: "health-log",
    path: "health/log",
    ready: (page) => page.getByRole("button", { name: "POST" }).first().waitFor(),
  },
  { name: "automation-remote", path: "automation/new/remote-schema", ready: sees("Create remote schema") },
  { name: "nowhere", path: "nowhere", ready: sees("Page not found") },
  { name: "automation-action", path: "automation/new/action", ready: sees("Create action") },
  {
    name: "automation-types",
    path: "automation/custom-types",
    ready: (page) => page.getByRole("textbox", { name: "Custom types as SDL" }).waitFor(),
  },
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

/** Creates a tool that reads and a tool that changes data, both for every role with the permissions. */
export async function fillTools(server: TestServer): Promise<void> {
  const queries = [
    { name: "titles", query: "query Titles($limit: Int) { book(limit: $limit) { id title } }" },
    {
      name: "rename book",
      query:
        "mutation Rename($id: Int!, $title: String!) { update_book_by_pk(pk_columns: {id: $id}, _set: {title: $title}) { id title } }",
    },
  ];
  await server.metadata("create_query_collection", { name: "tools", definition: { queries } });
  for (const { name } of queries) {
    const definition = { query: { collection_name: "tools", query_name: name } };
    await server.metadata("create_agent_tool", { name: name.replace(" ", "_"), definition });
  }
}
