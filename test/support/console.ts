/** A server with its console, and a browser that records forbidden behaviour. */
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import type { Environment } from "../../runtime/config/options.ts";
import { launchBrowser } from "./browser.ts";
import { startTestServer, type TestServer } from "./server.ts";
import { ensureBuilt } from "./shared-checks.ts";

export interface TestConsole {
  readonly server: TestServer;
  /** Hosts outside the server that a page requested. */
  readonly otherHosts: readonly string[];
  /** Violations of the content security policy and page errors in the browser. */
  readonly complaints: readonly string[];
  /** Opens a page in a separate window. */
  newPage(options?: BrowserContextOptions): Promise<Page>;
  close(): Promise<void>;
}

/** Returns whether a browser message reports a response that the page expects to fail. */
const isRefusal = (text: string): boolean => text.startsWith("Failed to load resource");

export async function openConsole(environment: Environment = {}): Promise<TestConsole> {
  await ensureBuilt();
  const server = await startTestServer({
    environment: { ENGINE_GRAPHQL_ENABLE_CONSOLE: "true", ...environment },
    sealed: false,
  });
  const otherHosts: string[] = [];
  const complaints: string[] = [];
  let browser: Browser | undefined;
  return {
    server,
    otherHosts,
    complaints,
    async newPage(options = {}) {
      browser ??= await launchBrowser();
      const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
      context.setDefaultTimeout(60_000);
      const page = await context.newPage();
      page.on("request", (request) => {
        const { origin, protocol } = new URL(request.url());
        if (protocol !== "data:" && origin !== server.url) otherHosts.push(request.url());
      });
      page.on("pageerror", (error) => complaints.push(error.message));
      page.on("console", (message) => {
        if (message.type() === "error" && !isRefusal(message.text())) complaints.push(message.text());
      });
      return page;
    },
    async close() {
      await browser?.close();
      await server.close();
    },
  };
}

/** Chooses an action of the menu *More* of a toolbar. */
export async function chooseAction(page: Page, name: string): Promise<void> {
  await page.getByRole("button", { name: "More actions", exact: true }).click();
  await page.getByRole("menuitem", { name, exact: true }).click();
}

/** Confirms the preview of a change that widens access. */
export const confirmWidening = (page: Page): Promise<void> =>
  page.getByRole("button", { name: "Save and widen access", exact: true }).click();
