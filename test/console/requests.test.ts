/** Requests of the API page: their session, tabs, links and snippets. */
import { createHmac } from "node:crypto";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hasBrowser } from "../support/browser.ts";
import { openConsole, type TestConsole } from "../support/console.ts";

const secret = "letmein";
const key = "an-unguessable-key-of-32-characters";
const hostile = `o'Neil "<script>alert(1)</script>`;

function signed(claims: unknown): string {
  const parts = [{ alg: "HS256", typ: "JWT" }, claims].map((part) =>
    Buffer.from(JSON.stringify(part)).toString("base64url"),
  );
  const signature = createHmac("sha256", key).update(parts.join(".")).digest("base64url");
  return [...parts, signature].join(".");
}

const claimsOf = (owner: string) => ({
  "x-engine-default-role": "writer",
  "x-engine-allowed-roles": ["writer"],
  "x-engine-user-id": owner,
});

describe.skipIf(!hasBrowser)("Requests of the API page", { timeout: 120_000 }, () => {
  let opened: TestConsole;
  let page: Page;

  beforeAll(async () => {
    opened = await openConsole({
      ENGINE_GRAPHQL_ADMIN_SECRET: secret,
      ENGINE_GRAPHQL_JWT_SECRET: JSON.stringify({ type: "HS256", key, claims_namespace: "app" }),
    });
    const { server } = opened;
    const admin = { "x-engine-admin-secret": secret };
    const sql = `create table note (id int primary key, text text, owner text);
      insert into note values (1, 'of u1', 'u1'), (2, 'of u2', 'u2'), (3, 'of hostile', $$${hostile}$$)`;
    await server.post("/v2/query", { type: "run_sql", args: { sql } }, admin);
    for (const [type, args] of [
      ["pg_track_table", { table: "note" }],
      [
        "pg_create_select_permission",
        {
          table: "note",
          role: "writer",
          permission: { columns: ["id", "text"], filter: { owner: { _eq: "X-Engine-User-Id" } } },
        },
      ],
    ] as const) {
      expect((await server.post("/v1/metadata", { type, args }, admin)).status).toBe(200);
    }
    page = await opened.newPage();
    await page.goto(`${server.url}/console/api`);
    await page.getByLabel("Admin secret").fill(secret);
    await page.keyboard.press("Enter");
    await editor().waitFor();
  }, 180_000);

  afterAll(() => opened?.close());

  const editor = () => page.getByRole("textbox", { name: "GraphQL operation" });
  const press = (name: string) => page.getByRole("button", { name, exact: true }).click();
  const dialog = () => page.getByRole("dialog");

  it("The session bar states what the request is sent with, and lists the roles", async () => {
    await page.getByText("Sent as admin, authenticated by the admin secret").waitFor();
    expect(await page.locator("datalist option[value=writer]").count()).toBe(1);
    await editor().fill("{ note(order_by: {id: asc}) { text } }");
    await press("Run");
    await page.getByText('"of u2"').waitFor();
  });

  it("Pasted lines become several session variables at once, and the role", async () => {
    await press("Session");
    await dialog().getByLabel("Value of header 1").focus();
    await page.evaluate(`(() => {
      const data = new DataTransfer();
      data.setData("text/plain", "X-Engine-Role: writer\\nX-Engine-User-Id: u1\\nX-Engine-Org: 7");
      document.activeElement.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }));
    })()`);
    expect(await dialog().getByLabel("Value of header 2").inputValue()).toBe("u1");
    await press("Apply");
    await page.getByText("Sent as writer with 2 headers, authenticated by the admin secret").waitFor();
    await press("Run");
    await page.getByText('"of u2"').waitFor({ state: "detached" });
    await page.getByText('"of u1"').waitFor();
  });

  it("A header that cannot be sent keeps the dialog open, and cancelling keeps the session", async () => {
    await press("Session");
    await dialog().getByLabel("Name of header 1").fill("no header");
    await press("Apply");
    await dialog().getByText("Use letters, digits and hyphens only.").waitFor();
    await press("Cancel");
    await page.getByRole("button", { name: "X-Engine-User-Id u1" }).waitFor();
  });

  it("A session variable with quotes and markup is sent as it is", async () => {
    await press("Session");
    await dialog().getByLabel("Value of header 1").fill(hostile);
    await press("Apply");
    await press("Run");
    await page.getByText('"of hostile"').waitFor();
  });

  it("A pasted token is decoded, and its roles and variables are read where the server reads them", async () => {
    await press("Session");
    const field = dialog().getByLabel("JSON Web Token");
    await field.fill("not a token");
    await dialog().getByText("expected three parts").waitFor();
    await press("Apply");
    await dialog().waitFor();
    await field.fill(signed({ exp: 1, app: claimsOf("u2") }));
    await dialog()
      .getByText(/^Expired/)
      .waitFor();
    await field.fill(signed({ exp: 4102444800, app: claimsOf("u2") }));
    await dialog()
      .getByText(/^Expires .*2100/)
      .waitFor();
    const claims = dialog().getByLabel("Session in the token");
    expect(await claims.innerText()).toMatch(/Default role\s+writer\s+Allowed roles\s+writer\s+x-engine-user-id\s+u2/);
    await dialog().getByText("Read from app, as the server does.").waitFor();
    await dialog().getByLabel("Authenticate with this token").check();
    await press("Apply");
    await page.getByLabel("Role", { exact: true }).fill("");
    await page.getByText("Sent with the token as writer, its default role").waitFor();
  });

  it("A request with a token carries no admin secret and has the session of the token", async () => {
    const sent = page.waitForRequest((request) => request.url().endsWith("/v1/graphql"));
    await press("Run");
    const headers = await (await sent).allHeaders();
    expect(headers.authorization).toMatch(/^Bearer ey/);
    expect(headers).not.toHaveProperty("x-engine-admin-secret");
    expect(headers).not.toHaveProperty("x-engine-user-id");
    await page.getByText('"of u2"').waitFor();
    expect(await page.getByText('"of hostile"').count()).toBe(0);
  });

  it("The role of a token that does not allow it is named, and the server's refusal is shown", async () => {
    await page.getByLabel("Role", { exact: true }).fill("stranger");
    await page.getByText("as stranger, which is not among its roles: writer").waitFor();
    await press("Run");
    await page.getByText("Your requested role is not in allowed roles").first().waitFor();
    await page.getByLabel("Role", { exact: true }).fill("");
  });

  it("The plan is that of the token's session, and code samples contain no token", async () => {
    await page.getByRole("tab", { name: "Plan" }).click();
    await press("Explain");
    await page.getByText(/note/).first().waitFor();
    await page.getByLabel("Plan of note").waitFor();
    await page.getByRole("tab", { name: "Code" }).click();
    for (const [client, variable] of [
      ["curl", "$TOKEN"],
      ["Python", "os.environ['TOKEN']"],
      ["Go", 'os.Getenv("TOKEN")'],
    ] as const) {
      await page.getByRole("tab", { name: client, exact: true }).click();
      await page
        .getByRole("textbox", { name: `Operation for ${client}` })
        .getByText(variable)
        .waitFor();
      expect(await page.getByRole("tabpanel", { name: "Code" }).innerText()).not.toContain("eyJ");
    }
    await page.getByRole("tab", { name: "Result" }).click();
  });

  it("The code of an operation includes its TypeScript types, or the reason why the role cannot run it", async () => {
    await page.getByRole("tab", { name: "Code" }).click();
    await page.getByRole("tab", { name: "TypeScript types" }).click();
    const types = page.getByRole("textbox", { name: "Operation for TypeScript" });
    await types.getByText("Result").first().waitFor();
    const kept = await editor().innerText();
    await editor().fill("{ missing }");
    await page.getByRole("alert").getByText("line 1, column 3").first().waitFor();
    await editor().fill("# nothing yet");
    await page.getByRole("alert").getByText("Enter an operation first.").waitFor();
    await editor().fill(kept);
    await types.getByText("Result").first().waitFor();
    await page.getByRole("tab", { name: "Result", exact: true }).click();
  });

  it("The browser stores neither the token nor the headers", async () => {
    const stored = await page.evaluate("JSON.stringify([{ ...localStorage }, { ...sessionStorage }])");
    expect(stored).not.toContain("eyJ");
    expect(stored).not.toContain("Neil");
    await page.reload();
    await page.getByText("authenticated by the admin secret").waitFor();
  });

  const tab = (name: string) =>
    page.getByRole("tablist", { name: "Operations" }).getByRole("tab", { name, exact: true });

  it("Operations are kept in tabs, each with its variables and result, also after reloading", async () => {
    await editor().fill("query First { note { id } }");
    await press("New tab");
    await editor().fill("query Second($id: Int!) { note_by_pk(id: $id) { text } }");
    await page.getByRole("textbox", { name: "Variables as JSON" }).fill('{"id": 2}');
    await press("Run");
    await page.getByText('"of u2"').waitFor();
    await tab("First").click();
    await page.getByText("No results yet").waitFor();
    await editor().getByText("First").waitFor();
    await tab("Second").click();
    await page.getByText('"of u2"').waitFor();
    await page.reload();
    await editor().getByText("Second").waitFor();
    expect(await page.getByRole("textbox", { name: "Variables as JSON" }).innerText()).toContain('"id": 2');
    await tab("First").waitFor();
  });

  it("Tabs are renamed and closed by keyboard, and a closed tab is opened again", async () => {
    await tab("Second").focus();
    await page.keyboard.press("F2");
    await dialog().getByLabel("Name").fill("x".repeat(81));
    await page.keyboard.press("Enter");
    await dialog().getByText("Use at most 80 characters.").waitFor();
    await dialog().getByLabel("Name").fill(hostile);
    await page.keyboard.press("Enter");
    await tab(hostile).focus();
    await page.keyboard.press("Delete");
    await expect.poll(() => page.evaluate("document.activeElement.textContent")).toBe("First");
    await tab(hostile).waitFor({ state: "detached" });
    await press("Undo");
    await tab(hostile).waitFor();
    await editor().getByText("Second").waitFor();
    await page.reload();
    await tab(hostile).waitFor();
  });

  it("A damaged tab in the storage loses no other tab", async () => {
    await page.evaluate("localStorage.setItem('engine-console-operation-1700000000000-a', '{ damaged')");
    await page.reload();
    await tab("First").waitFor();
    expect(await page.getByRole("tablist", { name: "Operations" }).getByRole("tab").count()).toBe(2);
  });

  it("Another window that closes a tab does not change the current one", async () => {
    const other = await page.context().newPage();
    await other.addInitScript(`sessionStorage.setItem('engine-console-admin-secret', '${secret}')`);
    await other.goto(`${opened.server.url}/console/api`);
    await other.getByRole("tab", { name: "First" }).click();
    await tab("First").click();
    await tab(hostile).click();
    await other.getByRole("tab", { name: "First" }).press("Delete");
    await tab("First").waitFor({ state: "detached" });
    await editor().getByText("Second").waitFor();
    await other.close();
  });

  it("The last tab is replaced by a blank one", async () => {
    await tab(hostile).press("Delete");
    await tab("Untitled").waitFor();
    expect((await editor().innerText()).trim()).not.toContain("Second");
    expect(await page.evaluate("Object.keys(localStorage).filter((key) => key.includes('operation-'))")).toEqual([
      "engine-console-operation-1700000000000-a",
    ]);
  });

  it("A link opens the operation in a new tab, without variables and role, and runs nothing", async () => {
    await editor().fill('query Shared { note(where: {text: {_eq: "ü <b>"}}) { id } }');
    await page.getByRole("textbox", { name: "Variables as JSON" }).fill('{"private": 1}');
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await press("Copy link to this operation");
    await page.getByText("Copied a link to the operation").waitFor();
    const link = (await page.evaluate("navigator.clipboard.readText()")) as string;
    expect(link).toMatch(/\/console\/api#operation=[\w-]+$/);
    await press("New tab");
    await page.goto("about:blank");
    const runs: string[] = [];
    page.on("request", (request) => runs.push(request.postData() ?? ""));
    await page.goto(link);
    await editor().getByText("Shared").waitFor();
    expect((await page.getByRole("textbox", { name: "Variables as JSON" }).innerText()).trim()).toBe("{ }");
    expect(await page.getByRole("tablist", { name: "Operations" }).getByRole("tab", { name: "Shared" }).count()).toBe(
      2,
    );
    expect(new URL(page.url()).hash).toBe("");
    expect(runs.join("")).not.toContain("Shared");
  });

  it("A damaged or hostile link is refused with the reason, and changes no tab", async () => {
    for (const [text, reason] of [
      ["type Query { a: Int }", "something other than operations"],
      ["{ a # \u202e }", "invisible characters"],
      ["{".repeat(4000), "not a GraphQL document"],
    ] as const) {
      await page.evaluate(`location.hash = "operation=${Buffer.from(text).toString("base64url")}"`);
      await page.getByRole("alert").getByText(reason).waitFor();
      await press("Dismiss");
    }
    await page.evaluate('location.hash = "operation=%%%"');
    await page.getByRole("alert").getByText("the link is damaged or cut").waitFor();
    await press("Dismiss");
    expect(await page.getByRole("alert").count()).toBe(0);
    await editor().getByText("Shared").waitFor();
  });

  it("Requests cause no browser errors and no requests to other hosts", () => {
    expect(opened.complaints).toEqual([]);
    expect(opened.otherHosts).toEqual([]);
  });
});
