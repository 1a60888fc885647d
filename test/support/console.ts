/** A server with its console, and a browser that notes what must not happen. */
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import type { Environment } from "../../runtime/config/options.ts";
import { launchBrowser } from "./browser.ts";
import { startTestServer, type TestServer } from "./server.ts";
import { ensureBuilt } from "./shared-checks.ts";

export interface TestConsole {
  readonly server: TestServer;
  /** Addresses outside the server that a page asked for. */
  readonly otherHosts: readonly string[];
  /** Of the browser: broken rules of the content security policy, errors of the page. */
  readonly complaints: readonly string[];
  /** In a window of its own. */
  newPage(options?: BrowserContextOptions): Promise<Page>;
  close(): Promise<void>;
}

/** How the browser reports answers that a page expects to fail. */
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
