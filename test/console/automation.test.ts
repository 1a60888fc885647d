/**
 * The automation page: creating a trigger, inspecting and retrying its failed delivery; also schedules and remote
 * schemas.
 */
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hasBrowser } from "../support/browser.ts";
import { confirmWidening, openConsole, type TestConsole } from "../support/console.ts";
import { query } from "../support/database.ts";
import { Keyboard } from "../support/keyboard.ts";
import { startWebhookReceiver, type WebhookReceiver } from "../support/webhook-receiver.ts";

const markup = `<img src=x onerror="document.title='owned'">`;
const override = "safe\u202Egnp.exe";
/** A number that JavaScript would round. */
const long = "12345678901234567890";

describe.skipIf(!hasBrowser)("The automation page", { timeout: 120_000 }, () => {
  let opened: TestConsole;
  let receiver: WebhookReceiver;
  let page: Page;
  let isBroken = true;

  beforeAll(async () => {
    receiver = await startWebhookReceiver((response) => {
      response.statusCode = isBroken ? 500 : 200;
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify({ said: isBroken ? markup : "fine" }));
    });
    opened = await openConsole();
    const { server } = opened;
    await query(server.databaseUrl, "create table note (id int primary key, text text, number numeric)");
    await server.metadata("pg_track_table", { table: "note" });
    page = await opened.newPage();
    await page.goto(`${server.url}/console/automation`);
  }, 180_000);

  afterAll(async () => {
    await opened?.close();
    await receiver?.close();
  });

  const press = (name: string) => page.getByRole("button", { name, exact: true }).click();
  const follow = (name: string) =>
    page.getByRole("navigation", { name: "Automation" }).getByRole("link", { name, exact: true }).click();
  const metadata = async () => JSON.stringify(await opened.server.metadata("export_metadata", {}));
  const unharmed = async (): Promise<void> => {
    expect(await page.title()).not.toBe("owned");
    expect(await page.locator("img").count()).toBe(0);
    expect(opened.complaints).toEqual([]);
    expect(opened.otherHosts).toEqual([]);
  };

  it("The automation page creates an event trigger through its form", async () => {
    await follow("New event trigger");
    await page.getByLabel("Name", { exact: true }).fill("note_made");
    const list = await page.getByLabel("Table", { exact: true }).getAttribute("list");
    const names = await page
      .locator(`[id="${list}"] option`)
      .evaluateAll((all) => all.map((each) => each.getAttribute("value")));
    expect(names).toContain("note");
    await page.getByLabel("Table", { exact: true }).fill("note");
    await page.getByLabel("Webhook").fill(`${receiver.url}/hook`);
    await page.getByLabel("Manual invocation").check();
    await page.getByLabel("On update").check();
    await page.getByLabel("All columns, also those added later").uncheck();
    await page.getByRole("group", { name: "Columns whose update fires the trigger" }).getByLabel("id").uncheck();
    await press("Add header");
    await page.getByLabel("Name of header 1").fill("x-note");
    await page.getByLabel("Value of header 1").fill("yes");
    await press("Create event trigger");
    // The webhook receives rows: the change is shown, and nothing is saved before it is confirmed.
    await page.getByRole("dialog").getByRole("heading", { name: "This widens access" }).waitFor();
    await page.getByRole("dialog").getByText("event trigger").first().waitFor();
    expect(await metadata()).not.toContain("note_made");
    await confirmWidening(page);
    await page.getByRole("heading", { name: "note_made" }).waitFor();
    expect(page.url()).toContain("/console/automation/event/default/note_made");
    expect(await metadata()).toContain('"note_made"');
    expect(await metadata()).toMatch(/"update":\{"columns":\["text"/);
  });

  it("The automation page shows a failed delivery with its request and response as text", async () => {
    const texts = [override, markup].map((text) => `'${text.replaceAll("'", "''")}'`);
    await query(opened.server.databaseUrl, `insert into note values (1, ${texts.join(" || ")}, ${long})`);
    await page.getByRole("cell", { name: "Failed", exact: true }).waitFor();
    await page.getByRole("cell", { name: "Failed", exact: true }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText("Failed", { exact: true }).waitFor();
    await dialog.getByText("500", { exact: true }).waitFor();
    const payload = await dialog.getByRole("region", { name: "Payload" }).textContent();
    expect(payload).toContain(markup.replaceAll('"', '\\"'));
    expect(payload).toContain("safe\\u202egnp.exe");
    expect(payload).toContain(long);
    expect(payload).not.toContain(`"${long}"`);
    expect(await dialog.getByRole("region", { name: "Response" }).textContent()).toContain("onerror");
    expect(receiver.received[0]?.headers["x-note"]).toBe("yes");
    await unharmed();
  });

  it("The automation page hides the values of headers until they are shown", async () => {
    const dialog = page.getByRole("dialog");
    const request = dialog.getByRole("region", { name: "Request" });
    expect(await request.textContent()).toContain("x-note");
    expect(await request.textContent()).not.toContain("yes");
    await dialog.getByRole("button", { name: "Show header values" }).click();
    await request.getByText("yes").waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("tab", { name: "Definition" }).click();
    const value = page.getByLabel("Value of header 1");
    expect(await value.getAttribute("type")).toBe("password");
    await press("Show values");
    expect(await value.getAttribute("type")).toBe("text");
    expect(await value.inputValue()).toBe("yes");
    // The name of a variable is not a secret.
    await press("Show values");
    await page.getByLabel("Source of header 1").selectOption("value_from_env");
    expect(await value.getAttribute("type")).toBe("text");
    await page.getByRole("tab", { name: "Events" }).click();
  });

  it("The automation page opens events by keyboard", async () => {
    const keyboard = new Keyboard(page);
    await page.getByRole("cell", { name: "Failed", exact: true }).waitFor();
    await page.getByRole("tab", { name: "Events" }).focus();
    await keyboard.tabTo(/^tr /);
    await page.keyboard.press("Enter");
    await page.getByRole("dialog", { name: "Event" }).getByText("Failed", { exact: true }).waitFor();
  });

  it("The automation page redelivers an event", async () => {
    isBroken = false;
    const before = receiver.received.length;
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("button", { name: "Redeliver" }).click();
    await dialog.getByText("Delivered", { exact: true }).waitFor();
    await dialog.getByText("200", { exact: true }).first().waitFor();
    expect(receiver.received.length).toBe(before + 1);
    await dialog.getByRole("img", { name: /^Attempts: 500 at .*, 200 at / }).waitFor();
    await dialog.getByRole("button", { name: "Close" }).click();
    await page.getByRole("cell", { name: "Delivered", exact: true }).waitFor();
    await page.getByRole("tab", { name: "Invocations" }).click();
    await page.getByRole("cell", { name: "500", exact: true }).waitFor();
    await page.getByRole("cell", { name: "200", exact: true }).waitFor();
  });

  it("The automation page filters events by outcome and time, and redelivers the failed events of a range", async () => {
    isBroken = true;
    await page.getByRole("tab", { name: "Events" }).click();
    await query(opened.server.databaseUrl, "insert into note values (11, 'a', 1), (12, 'b', 1)");
    await page.getByLabel("Filter by status").selectOption("failed");
    const failed = page.getByRole("cell", { name: "Failed", exact: true });
    await expect.poll(() => failed.count(), { timeout: 60_000 }).toBe(2);
    expect(await page.getByRole("cell", { name: "Delivered", exact: true }).count()).toBe(0);
    await query(
      opened.server.databaseUrl,
      "update engine_catalog.event_log set created_at = '2020-06-01' where payload #>> '{data,new,id}' = '11'",
    );
    await page.getByLabel("To (UTC)").fill("2021-01-01T00:00");
    await page.getByRole("cell", { name: "2020-06-01 00:00:00", exact: true }).waitFor();
    await expect.poll(() => failed.count()).toBe(1);
    isBroken = false;
    await press("Redeliver failed events");
    const dialog = page.getByRole("dialog", { name: "Redeliver failed events of note_made?" });
    await dialog.getByText("created before 2021-01-01 00:00:00Z").waitFor();
    await dialog.getByRole("button", { name: "Redeliver failed events" }).click();
    await page.getByText("Queued 1 event for redelivery").waitFor();
    await page.getByText("No events").waitFor();
    await page.getByLabel("To (UTC)").fill("");
    await expect.poll(() => failed.count()).toBe(1);
    await query(
      opened.server.databaseUrl,
      "delete from engine_catalog.event_log where payload #>> '{data,new,id}' in ('11', '12')",
    );
    await page.getByLabel("Filter by status").selectOption("all");
  });

  it("The automation page redelivers all failed events", async () => {
    isBroken = true;
    await page.getByRole("tab", { name: "Events" }).click();
    await query(opened.server.databaseUrl, "insert into note values (2, 'a', 1), (3, 'b', 1)");
    await expect
      .poll(() => page.getByRole("cell", { name: "Failed", exact: true }).count(), { timeout: 60_000 })
      .toBe(2);
    isBroken = false;
    await press("Redeliver failed events");
    await page.getByRole("dialog").getByRole("button", { name: "Redeliver failed events" }).click();
    await page.getByText("Queued 2 events for redelivery").waitFor();
    const delivered = page.getByRole("cell", { name: "Delivered", exact: true });
    await expect.poll(() => delivered.count(), { timeout: 60_000 }).toBe(3);
  });

  it("The automation page invokes an event trigger manually", async () => {
    await press("Invoke");
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Payload").fill("{ not json");
    await dialog.getByText("Invalid JSON").waitFor();
    await dialog.getByRole("button", { name: "Invoke" }).click();
    // The invalid field has the focus, and nothing is sent: the dialog is still open.
    await expect.poll(() => page.evaluate("document.activeElement.getAttribute('aria-invalid')")).toBe("true");
    expect(await dialog.isVisible()).toBe(true);
    await dialog.getByLabel("Payload").fill(`{"by": "hand", "number": ${long}}`);
    await dialog.getByRole("button", { name: "Invoke" }).click();
    const manual = () =>
      receiver.received.map(({ body }) => body.replaceAll(" ", "")).find((body) => body.includes('"hand"'));
    await expect.poll(manual, { timeout: 60_000 }).toContain(`"number":${long}`);
  });

  it("The automation page edits a trigger as JSON and keeps members that the form lacks", async () => {
    await page.getByRole("tab", { name: "Definition" }).click();
    await press("JSON");
    const text = page.getByRole("textbox", { name: "Event trigger as JSON" });
    await text.fill("{ broken");
    await page.getByText("Invalid JSON").waitFor();
    expect(await page.getByRole("button", { name: "Save", exact: true }).isDisabled()).toBe(true);
    const definition = {
      name: "note_made",
      source: "default",
      table: { schema: "public", name: "note" },
      insert: { columns: "*", payload: ["id"] },
      webhook: `${receiver.url}/other`,
    };
    await text.fill(JSON.stringify(definition));
    await press("Form");
    await page.getByLabel("On delete").check();
    await press("Save");
    await confirmWidening(page);
    await page.getByText("Saved note_made").waitFor();
    expect(await metadata()).toContain('"payload":["id"]');
    expect(await metadata()).toContain('"delete"');
  });

  it("The automation page keeps an invalid field when the form changes to JSON", async () => {
    await follow("New cron trigger");
    const payload = page.getByLabel("Payload");
    await payload.fill("{ broken");
    await press("JSON");
    await expect.poll(() => page.evaluate("document.activeElement.getAttribute('aria-invalid')")).toBe("true");
    expect(await payload.inputValue()).toBe("{ broken");
    await payload.fill("{}");
    await press("JSON");
    await page.getByRole("textbox", { name: "Cron trigger as JSON" }).waitFor();
    await press("Form");
  });

  it("The automation page shows why a trigger is refused", async () => {
    await follow("New cron trigger");
    await page.getByLabel("Name", { exact: true }).fill("nightly");
    await page.getByLabel("Webhook").fill(`${receiver.url}/nightly`);
    await page.getByLabel("Schedule").fill("never");
    await press("Create cron trigger");
    await page.getByRole("alert").getByText("$.args.schedule").waitFor();
    const next = page.getByRole("region", { name: "Next times" });
    await next.getByText("The schedule is invalid").waitFor();
    await page.getByLabel("Schedule").fill("0 3 * * 1-5");
    await next.getByText("At 03:00, on Monday to Friday, in UTC.").waitFor();
    expect(await next.getByRole("listitem").count()).toBe(10);
    expect(await next.getByRole("listitem").first().textContent()).toMatch(/ 03:00 UTC$/);
    await page.getByLabel("Time zone").fill("Asia/Tokyo");
    await next.getByText("in the time zone Asia/Tokyo").waitFor();
    expect(await next.getByRole("listitem").first().textContent()).toMatch(/ 03:00 Asia\/Tokyo = .* 18:00 UTC$/);
    await page.getByLabel("Time zone").fill("Nowhere/City");
    await next.getByText("The schedule is invalid").waitFor();
    await page.getByLabel("Time zone").fill("");
    await page.getByLabel("Schedule").fill("0 3 * * *");
    await press("Create cron trigger");
    await page.getByRole("heading", { name: "nightly" }).waitFor();
    await page.getByLabel("Rows per page").selectOption("50");
    await page.getByText("1–50", { exact: true }).waitFor();
    await press("Next page");
    await page.getByText(/^51–\d+$/).waitFor();
  });

  it("The automation page creates a one-off event, which is delivered, and deletes a pending one", async () => {
    const create = async (time: string, path: string): Promise<void> => {
      await page.goto(`${opened.server.url}/console/automation/new/one-off`);
      await page.getByLabel("Webhook").fill(`${receiver.url}/${path}`);
      await page.getByLabel("Time (UTC)", { exact: true }).fill(time);
      await page.getByLabel("Payload").fill('{"once": true}');
      await press("Create one-off event");
      await page.getByRole("heading", { name: "One-off events" }).waitFor();
    };
    await create(new Date().toISOString().slice(0, 16), "once");
    await page.getByLabel("Filter by status").selectOption("delivered");
    await page.getByRole("cell", { name: "Delivered", exact: true }).waitFor();
    const calls = () => receiver.received.filter(({ path }) => path === "/once");
    expect(calls()[0]?.body).toContain('"once":true');
    await press("View event");
    await page.getByRole("dialog", { name: "Event" }).getByRole("button", { name: "Redeliver" }).click();
    await page.getByText("Queued the event for redelivery").waitFor();
    await expect.poll(() => calls().length, { timeout: 60_000 }).toBe(2);
    await query(opened.server.metadataUrl, "update engine_catalog.engine_scheduled_events set status = 'dead'");
    await page.getByLabel("Filter by status").selectOption("failed");
    await page.getByRole("cell", { name: "Missed", exact: true }).waitFor();
    await press("Redeliver failed events");
    const dialog = page.getByRole("dialog", { name: "Redeliver failed events?" });
    await dialog.getByRole("button", { name: "Redeliver failed events" }).click();
    await page.getByText("Queued 1 event for redelivery").waitFor();
    await expect.poll(() => calls().length, { timeout: 60_000 }).toBe(3);
    await create("2090-01-01T00:00", "later");
    await page.getByRole("cell", { name: "2090-01-01 00:00:00Z", exact: true }).waitFor();
    await press("View event");
    await press("Delete");
    await page.getByRole("dialog", { name: "Delete event?" }).getByRole("button", { name: "Delete" }).click();
    await page.getByText("No events").waitFor();
  });

  it("The automation page lists the calls of an asynchronous action with their input, output and errors as text", async () => {
    const { server } = opened;
    const definition = { kind: "asynchronous", handler: `${receiver.url}/act`, output_type: "json" };
    const withInput = { ...definition, arguments: [{ name: "value", type: "json" }] };
    await server.metadata("create_action", { name: "act", definition: withInput });
    isBroken = false;
    const call = (value: unknown) =>
      server.post("/v1/graphql", { query: "mutation ($value: json) { act(value: $value) }", variables: { value } });
    await call(markup);
    await page.goto(`${server.url}/console/automation/action/act`);
    await page.getByRole("cell", { name: "Completed", exact: true }).click();
    const dialog = page.getByRole("dialog", { name: "Call" });
    expect(await dialog.getByRole("region", { name: "Input" }).textContent()).toContain("onerror");
    expect(await dialog.getByRole("region", { name: "Output" }).textContent()).toContain("fine");
    await dialog.getByRole("button", { name: "Close" }).click();
    isBroken = true;
    await call(1);
    await page.getByLabel("Filter by status").selectOption("failed");
    await page.getByRole("cell", { name: "Failed", exact: true }).click();
    const errors = dialog.getByRole("region", { name: "Errors" });
    await errors.getByText("internal error").waitFor();
    expect(await errors.textContent()).not.toContain("application/json");
    await dialog.getByRole("button", { name: "Show header values" }).click();
    await errors.getByText("application/json").waitFor();
    await dialog.getByRole("button", { name: "Close" }).click();
    isBroken = false;
    await server.metadata("drop_action", { name: "act" });
    await unharmed();
  });

  it("The automation page lists dead letters with their reason and payload as text, and replays one", async () => {
    const { server } = opened;
    isBroken = true;
    await server.metadata("create_scheduled_event", {
      webhook: `${receiver.url}/letter`,
      schedule_at: new Date().toISOString(),
      payload: { note: markup },
    });
    await follow("Dead letters");
    await page.getByLabel("Filter by status").selectOption("one_off");
    const row = page.getByRole("button", { name: /^View letter/ }).first();
    await row.waitFor({ timeout: 20_000 });
    await row.click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText("HTTP 500").waitFor();
    await dialog.getByText("owned").first().waitFor();
    isBroken = false;
    const before = receiver.received.length;
    await dialog.getByRole("button", { name: "Replay", exact: true }).click();
    await page.getByRole("dialog", { name: "Replay dead letter" }).getByRole("button", { name: "Replay" }).click();
    await page.getByText("No dead letters").waitFor({ timeout: 20_000 });
    expect(receiver.received.slice(before).some(({ path }) => path === "/letter")).toBe(true);
    await unharmed();
  });

  it("The automation page previews a transform while it is edited, without sending a request", async () => {
    const before = receiver.received.length;
    await page.goto(`${opened.server.url}/console/automation/cron/nightly`);
    await page.getByRole("tab", { name: "Test transform" }).click();
    await page.getByLabel("Body", { exact: true }).fill('{"text": "hello there"}');
    await page.getByRole("region", { name: "Transformed body" }).getByText("hello there").waitFor();
    const transform = page.getByRole("textbox", { name: "Request transform" });
    const write = async (template: string): Promise<void> => {
      await transform.fill(JSON.stringify({ version: 2, body: { action: "transform", template } }));
    };
    await write('{"said": {{$body.text}}}');
    await page.getByRole("region", { name: "Transformed body" }).getByText("said").waitFor();
    await write('{"said": {{$body.missing}}}');
    await page.getByRole("alert").getByText("request transform validation failed").waitFor();
    await transform.fill("{ broken");
    await page.getByText("Correct the marked fields").waitFor();
    await write('{"said": 1}');
    await page.getByRole("region", { name: "Transformed body" }).waitFor();
    await page.getByLabel("Body", { exact: true }).fill("{ broken");
    await page.getByText("Correct the marked fields").waitFor();
    await page.getByLabel("Body", { exact: true }).fill("{}");
    await write(`{"said": "${markup.replaceAll('"', "'")}"}`);
    await page.getByRole("region", { name: "Transformed body" }).getByText("onerror").waitFor();
    await unharmed();
    expect(receiver.received.length).toBe(before);
  });

  it("The automation page shows a working remote schema and an unreachable one", async () => {
    await follow("New remote schema");
    await page.getByLabel("Name", { exact: true }).fill("gone");
    await page.getByLabel("URL").fill("http://127.0.0.1:9/graphql");
    await press("Create remote schema");
    await page.getByRole("alert").getByText("remote-schema-error").waitFor();
    await page.getByLabel("Name", { exact: true }).fill("itself");
    await page.getByLabel("URL").fill(`${opened.server.url}/v1/graphql`);
    // Without a prefix, the remote schema's names would collide, because it is this server's own schema.
    await page
      .getByLabel("Customization")
      .fill('{"root_fields_namespace": "itself", "type_names": {"prefix": "Self"}}');
    await press("Create remote schema");
    await page.getByRole("heading", { name: "itself" }).waitFor();
    await page.getByRole("textbox", { name: "Schema of itself" }).getByText("query_root").first().waitFor();
    await press("Reload schema");
    await page.getByText("Reloaded the schema").waitFor();
    await press("Delete");
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
    await page.getByText("Deleted itself").waitFor();
    expect(await metadata()).not.toContain("root_fields_namespace");
  });

  it("The automation page stops polling while it is hidden and resumes when it is visible", async () => {
    await page.goto(`${opened.server.url}/console/automation/event/default/note_made`);
    await page.getByRole("cell", { name: "Delivered", exact: true }).first().waitFor();
    const hide = (isHidden: boolean) =>
      page.evaluate(`Object.defineProperty(document, "hidden", { configurable: true, get: () => ${isHidden} })`);
    let requests = 0;
    page.on("request", () => {
      requests += 1;
    });
    await hide(true);
    // Two polling intervals of the page, by its own clock.
    await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 11_000)));
    const whileHidden = requests;
    await hide(false);
    await expect.poll(() => requests, { timeout: 60_000 }).toBeGreaterThan(whileHidden);
    // One request may have been in progress when the page was hidden.
    expect(whileHidden).toBeLessThanOrEqual(1);
    await unharmed();
  });

  it("The automation page deletes an event trigger after confirmation", async () => {
    await press("Delete");
    await page.getByRole("dialog").getByText("Its database triggers are dropped").waitFor();
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
    await page.getByText("Deleted note_made").waitFor();
    expect(await metadata()).not.toContain("note_made");
    await unharmed();
  });
});
