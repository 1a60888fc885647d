/** Rules of axe-core, checked in a page. */
import axe from "axe-core";
import type { Page } from "playwright-core";

/** Returns the rules that the page violates in its current state. */
export async function violationsOn(page: Page) {
  await page.evaluate(axe.source);
  return page.evaluate(async () => {
    const { axe: checker } = globalThis as unknown as { axe: typeof import("axe-core") };
    const { violations } = await checker.run({ resultTypes: ["violations"] });
    return violations.map(({ id, nodes }) => ({
      id,
      nodes: nodes.slice(0, 3).map(({ html, failureSummary }) => ({ html, failureSummary })),
    }));
  });
}
