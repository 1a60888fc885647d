/** Debian's Chromium, controlled by playwright-core; absent on machines without it. */
import { existsSync } from "node:fs";
import { type Browser, chromium } from "playwright-core";

export const browserPath = process.env.CHROMIUM ?? "/usr/bin/chromium";

/** In continuous integration a missing browser fails the tests that need it; otherwise they are skipped. */
export const hasBrowser = existsSync(browserPath) || process.env.CI !== undefined;

export const launchBrowser = (): Promise<Browser> =>
  chromium.launch({ executablePath: browserPath, args: ["--no-sandbox", "--disable-dev-shm-usage"], timeout: 60_000 });
