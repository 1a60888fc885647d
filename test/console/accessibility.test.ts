/**
 * No page violates a rule of axe-core, in either theme and on a narrow screen. If the environment variable SCREENSHOTS
 * names a folder (`npm run console:screenshots`), screenshots are written there.
 */
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { violationsOn } from "../support/axe.ts";
import { hasBrowser } from "../support/browser.ts";
import { openConsole, type TestConsole } from "../support/console.ts";
import { consoleViews, fillConsole, fillTools } from "../support/console-views.ts";

const folder = process.env.SCREENSHOTS;

describe.skipIf(!hasBrowser)("Accessibility of the console", { timeout: 300_000 }, () => {
  let opened: TestConsole;

  beforeAll(async () => {
    opened = await openConsole({
      ENGINE_GRAPHQL_ENABLED_APIS: "metadata,graphql,config,metrics,mcp",
      ENGINE_GRAPHQL_MCP_ADMIN_SECRET: "true",
    });
    await fillConsole(opened.server);
    await fillTools(opened.server);
  }, 180_000);

  afterAll(() => opened?.close());

  const at = (width: number, colorScheme: "light" | "dark") => ({
    name: `${colorScheme}-${width}`,
    options: { colorScheme, viewport: { width, height: width < 700 ? 800 : 900 } },
  });
  // Screenshots show every combination; the rules need each theme and each layout once.
  const looks = folder
    ? [1440, 1024, 390].flatMap((width) => [at(width, "light"), at(width, "dark")])
    : [at(1440, "light"), at(1024, "dark"), at(390, "light")];

  it.each(looks)("The console's pages have no accessibility problems: $name", async ({ name: look, options }) => {
    const page = await opened.newPage(options);
    const found: unknown[] = [];
    for (const { name, path, ready, prepare } of consoleViews) {
      await page.goto(`${opened.server.url}/console/${path}`);
      await ready(page);
      await prepare?.(page);
      if (folder) await page.screenshot({ path: join(folder, `${name}-${look}.png`) });
      found.push(...(await violationsOn(page)).map((each) => ({ view: name, ...each })));
    }
    expect(found).toEqual([]);
    await page.context().close();
  });

  it("The sign-in page has no accessibility problems in any appearance", async () => {
    const guarded = await openConsole({ ENGINE_GRAPHQL_ADMIN_SECRET: "letmein" });
    try {
      for (const { name: look, options } of looks) {
        const page = await guarded.newPage(options);
        await page.goto(`${guarded.server.url}/console`);
        await page.getByLabel("Admin secret").fill("wrong");
        await page.keyboard.press("Enter");
        await page.getByRole("alert").waitFor();
        if (folder) await page.screenshot({ path: join(folder, `sign-in-${look}.png`) });
        expect(await violationsOn(page)).toEqual([]);
        await page.context().close();
      }
    } finally {
      await guarded.close();
    }
  });
});
