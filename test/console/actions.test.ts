/** Actions in the console: their SDL with its types, permissions, and the editor of custom types. */
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hasBrowser } from "../support/browser.ts";
import { confirmWidening, openConsole, type TestConsole } from "../support/console.ts";
import { startWebhookReceiver, type WebhookReceiver } from "../support/webhook-receiver.ts";

const markup = `<img src=x onerror="document.title='owned'">`;

interface ExportedActions {
  readonly actions?: readonly {
    readonly name: string;
    readonly definition: Readonly<Record<string, unknown>>;
    readonly permissions?: readonly { readonly role: string }[];
  }[];
  readonly custom_types?: Readonly<Record<string, readonly { readonly name: string }[]>>;
}

describe.skipIf(!hasBrowser)("Actions in the console", { timeout: 120_000 }, () => {
  let opened: TestConsole;
  let handler: WebhookReceiver;
  let page: Page;

  beforeAll(async () => {
    handler = await startWebhookReceiver((response) => {
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify({ token: markup, kind: "LONG", id: 7 }));
    });
    opened = await openConsole();
    page = await opened.newPage();
    await page.goto(`${opened.server.url}/console/automation/new/action`);
  }, 180_000);

  afterAll(async () => {
    await opened?.close();
    await handler?.close();
  });

  const press = (name: string) => page.getByRole("button", { name, exact: true }).click();
  const follow = (name: string) =>
    page.getByRole("navigation", { name: "Automation" }).getByRole("link", { name, exact: true }).click();
  const exported = async () => (await opened.server.metadata("export_metadata", {})) as ExportedActions;
  const sdl = () => page.getByRole("textbox", { name: "Action as SDL" });
  const write = async (text: string): Promise<void> => {
    await sdl().focus();
    await page.keyboard.press("Control+a");
    await page.keyboard.insertText(text);
  };
  const unharmed = async (): Promise<void> => {
    expect(await page.title()).not.toBe("owned");
    expect(await page.locator("img").count()).toBe(0);
    expect(opened.complaints).toEqual([]);
    expect(opened.otherHosts).toEqual([]);
  };

  const login = `type Mutation {
  "Signs in ${markup.replaceAll('"', "'")}"
  login(credentials: Credentials!): Token!
}

input Credentials {
  name: String!
  password: String!
}

type Token {
  token: String!
  kind: TokenKind
}

enum TokenKind {
  SHORT
  LONG
}
`;

  it("The editor of an action completes keywords and types", async () => {
    await write("type Mutation {\n  login(name: Str");
    await page.getByRole("option", { name: /String/ }).waitFor();
    await page.keyboard.press("Enter");
    await write("type Mutation { login: Tok }\ntype Token { id: Int }");
    await sdl().press("Control+Home");
    for (let step = 0; step < "type Mutation { login: Tok".length; step++) await page.keyboard.press("ArrowRight");
    await page.keyboard.press("Control+Space");
    await page.getByRole("option", { name: /Token/ }).waitFor();
    await page.keyboard.press("Escape");
    await unharmed();
  });

  it("A text that is not SDL, or has parts that actions lack, is not saved", async () => {
    await page.getByLabel("Handler").fill(`${handler.url}/login`);
    for (const [text, problem] of [
      ["type Mutation { login(: Token }", "Syntax Error"],
      ['type Mutation { login(name: String = "x"): String }', "the default value of name is left out"],
      ["interface Node { id: ID }\ntype Mutation { login: String }", 'the interface "Node" is left out'],
      ["type Token { id: Int }", "Define one field in type Query or type Mutation"],
      ["type Mutation { login: Int logout: Int }", "Define one field in type Query or type Mutation"],
    ] as const) {
      await write(text);
      await page.getByText(problem).first().waitFor();
      await press("Create action");
      expect(await sdl().getAttribute("aria-invalid")).toBe("true");
    }
    expect((await exported()).actions ?? []).toEqual([]);
  });

  it("An action that the server refuses changes nothing, and its text stays", async () => {
    await write(login.replace("): Token!", "): Missing!"));
    await page.getByText("There is no type Missing").first().waitFor();
    await press("Create action");
    await page.getByRole("alert").getByText("Missing").first().waitFor();
    expect(await sdl().innerText()).toContain("Missing");
    const { actions = [], custom_types = {} } = await exported();
    expect({ actions, custom_types }).toEqual({ actions: [], custom_types: {} });
  });

  it("An action is created with its types, headers and roles in one change", async () => {
    await write(login);
    await page.getByLabel("Timeout (seconds)").fill("5");
    await page.getByLabel("Forward client headers").check();
    await page.getByLabel("Role to add").fill("user");
    await press("Add role");
    await page.getByLabel("Role to add").fill(`a "b" <i>`);
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: `Remove role a "b" <i>` }).waitFor();
    await press("Create action");
    const widened = page.getByRole("dialog").getByRole("region", { name: "Wider access" });
    await widened.getByText("user", { exact: true }).first().waitFor();
    await widened.getByText(`a "b" <i>`, { exact: true }).first().waitFor();
    expect((await exported()).actions ?? []).toEqual([]);
    await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).click();
    expect((await exported()).actions ?? []).toEqual([]);
    await press("Create action");
    await widened.waitFor();
    // The preview is loaded again if the metadata has changed since.
    await opened.server.metadata("create_query_collection", { name: "later", definition: { queries: [] } });
    await confirmWidening(page);
    await page.getByText("Nothing was changed.").waitFor();
    await widened.waitFor();
    expect((await exported()).actions ?? []).toEqual([]);
    await confirmWidening(page);
    await page.getByRole("heading", { name: "login" }).waitFor();
    const { actions = [], custom_types = {} } = await exported();
    expect(actions).toMatchObject([
      {
        name: "login",
        definition: {
          type: "mutation",
          output_type: "Token!",
          arguments: [{ name: "credentials", type: "Credentials!" }],
          timeout: 5,
          forward_client_headers: true,
        },
        permissions: [{ role: `a "b" <i>` }, { role: "user" }],
      },
    ]);
    expect(custom_types).toMatchObject({
      input_objects: [{ name: "Credentials" }],
      objects: [{ name: "Token" }],
      enums: [{ name: "TokenKind" }],
    });
    await unharmed();
  });

  it("An action is tried with a sample payload, as a role with session variables", async () => {
    await page.getByRole("tab", { name: "Try" }).click();
    const payload = page.getByLabel("Arguments");
    expect(JSON.parse(await payload.inputValue())).toEqual({ credentials: { name: "text", password: "text" } });
    const before = handler.received.length;
    await payload.fill("{ broken");
    await press("Call action");
    await page.getByText("Invalid JSON").waitFor();
    expect(handler.received.length).toBe(before);
    await payload.fill('{"credentials": {"name": "<b>", "password": "secret"}}');
    await page.getByLabel("Role", { exact: true }).fill("user");
    await page.getByLabel("Session variables").fill('{"x-engine-user-id": "7"}');
    await press("Call action");
    const response = page.getByRole("region", { name: "Response" });
    await response.getByText("LONG").waitFor();
    expect(await response.textContent()).toContain("onerror");
    expect(JSON.parse(handler.received.at(-1)?.body ?? "{}")).toMatchObject({
      input: { credentials: { name: "<b>", password: "secret" } },
      session_variables: { "x-engine-role": "user", "x-engine-user-id": "7" },
    });
    await page.getByLabel("Role", { exact: true }).fill("stranger");
    const calls = handler.received.length;
    await press("Call action");
    await page.getByText("Error", { exact: true }).waitFor();
    expect(handler.received.length).toBe(calls);
    await unharmed();
  });

  it("An action shows the code of its handler, with the types of its arguments", async () => {
    await page.getByRole("tab", { name: "Handler" }).click();
    const file = page.getByRole("tablist", { name: "Files" });
    await page
      .getByRole("textbox", { name: /login\.ts$/ })
      .getByText("export async function login")
      .waitFor();
    await file.getByRole("tab", { name: "generated.ts" }).click();
    await page.getByRole("textbox", { name: "generated.ts" }).getByText("interface Credentials").waitFor();
    await page.getByRole("tab", { name: "Definition" }).click();
  });

  it("An action is changed with its types, without the types of other actions", async () => {
    await opened.server.metadata("bulk_atomic", [
      {
        type: "set_custom_types",
        args: {
          ...(await exported()).custom_types,
          scalars: [{ name: "Money" }],
        },
      },
      {
        type: "create_action",
        args: { name: "pay", definition: { handler: handler.url, output_type: "Token", type: "query" } },
      },
    ]);
    await page.reload();
    await follow("login");
    await page.getByRole("tab", { name: "Definition" }).click();
    const before = await sdl().innerText();
    expect(before).toContain("input Credentials");
    expect(before).not.toContain("Money");
    // `Token` stays, because `pay` uses it.
    await write(
      'type Mutation {\n  login(name: String!): Session\n}\ntype Session { id: Int! "the price" cost: Money }',
    );
    await press("Remove role user");
    await press("Save");
    await page.getByText("Saved login").waitFor();
    const { actions = [], custom_types = {} } = await exported();
    expect(actions.find(({ name }) => name === "login")).toMatchObject({
      definition: { output_type: "Session", arguments: [{ name: "name", type: "String!" }], timeout: 5 },
      permissions: [{ role: `a "b" <i>` }],
    });
    expect(custom_types.objects?.map(({ name }) => name)).toEqual(["Session", "Token"]);
    expect(custom_types.input_objects ?? []).toEqual([]);
    expect(custom_types.scalars?.map(({ name }) => name)).toEqual(["Money"]);
  });

  it("A type that another action defines cannot be defined again", async () => {
    await write("type Mutation {\n  login(name: String!): Token\n}\ntype Token { id: Int! }");
    await page.getByText("The type Token exists").first().waitFor();
    await write("type Mutation {\n  logout(name: String!): Session\n}\ntype Session { id: Int! }");
    await page.getByText("The name of the action login cannot be changed").first().waitFor();
    await press("Save");
    expect((await exported()).actions?.map(({ name }) => name)).toEqual(["login", "pay"]);
  });

  it("All custom types are edited as SDL, and a type in use is not deleted", async () => {
    await follow("Custom types");
    const types = page.getByRole("textbox", { name: "Custom types as SDL" });
    const replace = async (text: string): Promise<void> => {
      await types.focus();
      await page.keyboard.press("Control+a");
      await page.keyboard.insertText(text);
    };
    const text = await types.innerText();
    expect(text).toContain("scalar Money");
    await replace("scalar Money");
    await press("Save");
    await page.getByRole("alert").getByText("Token").first().waitFor();
    expect((await exported()).custom_types?.objects).toHaveLength(2);
    await replace(`${text}\nenum Size { SMALL }`);
    await press("Save");
    await page.getByText("Saved the custom types").waitFor();
    expect((await exported()).custom_types?.enums?.map(({ name }) => name)).toContain("Size");
    await unharmed();
  });
});
