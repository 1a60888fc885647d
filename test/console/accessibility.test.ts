/**
 * No page violates a rule of axe-core, in either theme and on a narrow screen. If the environment variable SCREENSHOTS
 * names a folder (`npm run console:screenshots`), screenshots are written there.
 */
import { join } from "node:path";
import type { Page } from "playwright-core";
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
    colorScheme,
    viewport: { width, height: width < 700 ? 800 : 900 },
  });
  // Screenshots show every combination; the rules need each theme and each layout once.
  const looks = folder
    ? [1440, 1024, 390].flatMap((width) => [at(width, "light"), at(width, "dark")])
    : [at(1440, "light"), at(1024, "dark"), at(390, "light")];
  const isNarrow = ({ viewport }: (typeof looks)[number]): boolean => viewport.width < 700;
  // A page is loaded once for wide screens, whose width and theme change afterwards, and once for narrow ones.
  const screens = [
    { screen: "wide", looks: looks.filter((look) => !isNarrow(look)) },
    { screen: "narrow", looks: looks.filter(isNarrow) },
  ];

  async function take(page: Page, { colorScheme, viewport }: (typeof looks)[number]): Promise<void> {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize(viewport);
  }

  it.each(screens)(
    "The console's pages have no accessibility problems on $screen screens",
    async ({ looks: taken }) => {
      const [first, ...others] = taken as [(typeof looks)[number], ...typeof looks];
      const page = await opened.newPage();
      const found: unknown[] = [];
      const check = async (view: string, look: string): Promise<void> => {
        if (folder) await page.screenshot({ path: join(folder, `${view}-${look}.png`) });
        found.push(...(await violationsOn(page)).map((each) => ({ view, look, ...each })));
      };
      for (const { name: view, path, ready, prepare } of consoleViews) {
        await take(page, first);
        await page.goto(`${opened.server.url}/console/${path}`);
        await ready(page);
        await prepare?.(page);
        await check(view, first.name);
        for (const look of others) {
          await take(page, look);
          await check(view, look.name);
        }
      }
      expect(found).toEqual([]);
      await page.context().close();
    },
  );

  it("The sign-in page has no accessibility problems in any appearance", async () => {
    const guarded = await openConsole({ ENGINE_GRAPHQL_ADMIN_SECRET: "letmein" });
    try {
      for (const { name: look, ...options } of looks) {
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
