/** The live tail of the server's log on the health page. */
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hasBrowser } from "../support/browser.ts";
import { openConsole, type TestConsole } from "../support/console.ts";

/** Name of a role and id of a request that are markup. */
const hostile = `<img src=x onerror="document.title='owned'"> ü 'quoted'`;

describe.skipIf(!hasBrowser)("The log page", { timeout: 120_000 }, () => {
  let opened: TestConsole;
  let page: Page;

  beforeAll(async () => {
    opened = await openConsole();
    page = await opened.newPage();
    await page.goto(`${opened.server.url}/console/health`);
    await page.getByRole("tab", { name: "Log" }).click();
  }, 180_000);

  afterAll(() => opened?.close());

  const send = (query: string, headers: Readonly<Record<string, string>> = {}) =>
    opened.server.post("/v1/graphql", { query }, headers);
  const lines = () => page.getByRole("region", { name: "Log lines" });
  const line = (text: string | RegExp) => lines().getByRole("button", { name: text });

  it("New lines of the log appear at the top while the page follows it", async () => {
    await line(/^GET \/console/)
      .first()
      .waitFor();
    await send("{ nothing }", { "x-request-id": "first" });
    await line("POST /v1/graphql 200").first().waitFor();
    const newest = lines().getByRole("row").filter({ hasText: "field 'nothing' not found" }).first();
    await newest.getByText("Error", { exact: true }).waitFor();
    // The console may send requests of its own in between, so that the line is not necessarily the first.
    const times = await lines()
      .getByRole("row")
      .getByRole("cell")
      .filter({ hasText: /^\d\d:\d\d:\d\d\.\d{3}$/ })
      .allInnerTexts();
    expect(times.length).toBeGreaterThan(1);
    expect(times).toEqual(times.toSorted().reverse());
  });

  it("A line opens as its whole entry", async () => {
    await line(/field 'nothing' not found/)
      .first()
      .click();
    const dialog = page.getByRole("dialog", { name: "Log line: http-log" });
    await dialog.getByText('"request_id": "first"').first().waitFor();
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
  });

  it("A paused page shows no new lines until it follows again", async () => {
    await page.getByRole("button", { name: "Pause" }).click();
    await send("{ later }");
    await expect.poll(() => opened.server.log.join("")).toContain("field 'later'");
    const polled: string[] = [];
    page.on("request", (request) => polled.push(request.postData() ?? ""));
    await page.getByLabel("Lines that contain").fill("nothing");
    await expect.poll(() => lines().getByRole("row").count()).toBe(2);
    await page.getByLabel("Lines that contain").fill("");
    await expect.poll(() => polled.filter((body) => body.includes("get_log_lines")).length).toBe(2);
    await send("{ afterwards }");
    await expect.poll(() => opened.server.log.join("")).toContain("field 'afterwards'");
    expect(await line(/'afterwards'/).count()).toBe(0);
    await page.getByRole("button", { name: "Follow" }).click();
    await line(/'afterwards'/)
      .first()
      .waitFor();
    await line(/'later'/)
      .first()
      .waitFor();
  });

  it("Lines are filtered by level, type, role and text", async () => {
    await send("query ByReader { __typename }", { "x-engine-role": "reader" });
    await page.getByLabel("Role").fill("reader");
    await expect.poll(() => lines().getByRole("row").count()).toBe(2);
    await page.getByLabel("Role").fill("");
    await page.getByLabel("Log type").selectOption("startup");
    await expect.poll(() => line(/^POST/).count()).toBe(0);
    await line(/starting API server/).waitFor();
    await page.getByLabel("Log type").selectOption("");
    await page.getByLabel("Lowest level").selectOption("error");
    await line(/'later'/)
      .first()
      .waitFor();
    await expect.poll(() => line(/starting API server/).count()).toBe(0);
    await page.getByLabel("Lines that contain").fill("no such line");
    await page.getByText("No log lines").waitFor();
    await page.getByLabel("Lines that contain").fill("");
    await page.getByLabel("Lowest level").selectOption("debug");
  });

  it("Markup in a line stays text", async () => {
    await send(`query { field(arg: ${JSON.stringify(hostile)}) }`, { "x-request-id": encodeURIComponent(hostile) });
    await send("{ __typename }", { "x-engine-role": "<img src=y>" });
    await page.getByLabel("Lines that contain").fill("<img src=y>");
    await expect.poll(() => lines().getByRole("row").count()).toBe(2);
    await line(/^POST/).click();
    await page.getByRole("dialog").getByText("<img src=y>").first().waitFor();
    await page.keyboard.press("Escape");
    expect(await page.locator("img").count()).toBe(0);
    expect(await page.title()).not.toContain("owned");
    await page.getByLabel("Lines that contain").fill("");
  });

  it("The page shows an error and continues when the server responds again", async () => {
    let isFailing = true;
    await page.route("**/v1/metadata", async (route) => {
      const body = JSON.stringify({ code: "unexpected", error: "log unavailable", path: "$" });
      if (isFailing) await route.fulfill({ status: 500, contentType: "application/json", body });
      else await route.continue();
    });
    await page.getByRole("alert").getByText("log unavailable").waitFor();
    isFailing = false;
    await page.getByRole("alert").waitFor({ state: "detached" });
  });

  it("The log page causes no browser errors and no requests to other hosts", () => {
    expect(opened.otherHosts).toEqual([]);
    expect(opened.complaints).toEqual([]);
  });
});
