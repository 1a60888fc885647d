/**
 * No page breaks a rule of axe-core, in either theme and on a narrow screen. With SCREENSHOTS, the path of a folder, in the
 * environment (`npm run console:screenshots`) it leaves pictures of them.
 */
import { join } from "node:path";
import axe from "axe-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hasBrowser } from "../support/browser.ts";
import { openConsole, type TestConsole } from "../support/console.ts";
import { consoleViews, fillConsole } from "../support/console-views.ts";

const folder = process.env.SCREENSHOTS;

describe.skipIf(!hasBrowser)("the pages of the console", { timeout: 300_000 }, () => {
  let opened: TestConsole;

  beforeAll(async () => {
    opened = await openConsole();
    await fillConsole(opened.server);
  }, 180_000);

  afterAll(() => opened?.close());

  const looks = [
    { name: "light", options: { colorScheme: "light" } },
    { name: "dark", options: { colorScheme: "dark" } },
    { name: "narrow", options: { colorScheme: "light", viewport: { width: 390, height: 800 } } },
  ] as const;

  it.each(looks)("are for all: $name", async ({ name: look, options }) => {
    const page = await opened.newPage(options);
    const found: unknown[] = [];
    for (const { name, path, ready, prepare } of consoleViews) {
      await page.goto(`${opened.server.url}/console/${path}`);
      await ready(page);
      await prepare?.(page);
      if (folder) await page.screenshot({ path: join(folder, `${name}-${look}.png`) });
      await page.evaluate(axe.source);
      const violations = await page.evaluate(async () => {
        const { axe: checker } = globalThis as unknown as { axe: typeof import("axe-core") };
        const { violations: broken } = await checker.run();
        return broken.map(({ id, nodes }) => ({
          id,
          nodes: nodes.slice(0, 3).map(({ html, failureSummary }) => ({ html, failureSummary })),
        }));
      });
      found.push(...violations.map((each) => ({ view: name, ...each })));
    }
    expect(found).toEqual([]);
    await page.context().close();
  });
});
