/**
 * `npm run bench -- --only console` measures the console with the huge schema of `../shared/bench`: the time until a
 * page is usable, the longest task during scrolling, and the delay of other requests while a change for all roles is
 * planned. Input: a PostgreSQL with PostGIS, and Chromium.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import type { Page } from "playwright-core";
import { launchBrowser } from "../support/browser.ts";
import { freePort } from "../support/free-port.ts";
import { scrollThrough, tasksOf } from "../support/page-tasks.ts";
import { startEngine } from "./live/processes.ts";
import { createDatabase, median } from "./pairs.ts";

const turns = 5;

const pages = [
  { path: "api", ready: '[aria-label="GraphQL operation"]', scrollers: [] },
  { path: "data/default", ready: ".data-table td a", scrollers: [".side-scroll", ".data-table"] },
  { path: "permissions", ready: ".matrix-cell", scrollers: [".data-table"] },
];

/** Runs the benchmark. @param folder folder of the data set */
export async function consoleSpeed(url: string, folder: string): Promise<void> {
  const source = await createDatabase(url, "bench_console");
  await load(source, gunzipSync(await readFile(join(folder, "data", "huge.sql.gz"))));
  const port = await freePort();
  const environment = { ENGINE_GRAPHQL_ENABLE_CONSOLE: "true" };
  const engine = await startEngine(source, await createDatabase(url, "bench_console_metadata"), port, environment);
  const browser = await launchBrowser();
  try {
    const text = gunzipSync(await readFile(join(folder, "data", "huge.metadata.json.gz"))).toString();
    const metadata: unknown = JSON.parse(text);
    const args = { allow_inconsistent_metadata: true, metadata };
    await engine.post("/v1/metadata", { type: "replace_metadata", version: 2, args });
    console.log("page            usable after, median of 5   longest task while scrolling, processor time");
    for (const { path, ready, scrollers } of pages) {
      const times: number[] = [];
      let page: Page | undefined;
      for (let turn = 0; turn < turns; turn++) {
        await page?.context().close();
        page = await (await browser.newContext({ viewport: { width: 1280, height: 800 } })).newPage();
        const begin = performance.now();
        await page.goto(`http://127.0.0.1:${port}/console/${path}`);
        await page.locator(ready).first().waitFor();
        times.push(performance.now() - begin);
      }
      const opened = page;
      if (!opened) throw new Error("no turn was taken");
      const scrolled: string[] = [];
      for (const selector of scrollers) {
        const { longest } = await tasksOf(opened, () => scrollThrough(opened, selector));
        scrolled.push(`${longest.toFixed(0)} ms (${selector})`);
      }
      await opened.context().close();
      console.log(path.padEnd(15), `${median(times).toFixed(0)} ms`.padEnd(27), scrolled.join(", "));
    }
    const { tables } = sourceOf(metadata);
    const found = tables.find(({ select_permissions: permissions = [] }) => permissions.length > 0);
    const permission = found?.select_permissions?.[0];
    if (!found || !permission) throw new Error("no table has a permission");
    const name = { table: found.table, role: permission.role };
    const plan = {
      type: "bulk_atomic",
      args: [
        { type: "pg_drop_select_permission", args: name },
        {
          type: "pg_create_select_permission",
          args: { ...name, permission: { ...permission.permission, filter: {} } },
        },
      ],
    };
    for (const turn of ["first", "again"]) {
      const response = engine.post("/v1/metadata", { type: "plan_metadata", args: { operations: [plan] } });
      const begin = performance.now();
      const longest = await longestWait(port, response);
      const took = performance.now() - begin;
      console.log(
        `plan_metadata for all roles, ${turn}: ${took.toFixed(0)} ms; others waited ${longest.toFixed(0)} ms at most`,
      );
    }
  } finally {
    await browser.close();
    await engine.stop();
  }
}

/** Returns the longest latency of consecutive requests during a task. */
async function longestWait(port: number, work: Promise<unknown>): Promise<number> {
  let isDone = false;
  const ended = work.finally(() => {
    isDone = true;
  });
  let longest = 0;
  while (!isDone) {
    const begin = performance.now();
    await (await fetch(`http://127.0.0.1:${port}/v1/version`)).text();
    longest = Math.max(longest, performance.now() - begin);
  }
  await ended;
  return longest;
}

interface Table {
  readonly table: unknown;
  readonly select_permissions?: readonly { readonly role: string; readonly permission: object }[];
}

function sourceOf(metadata: unknown): { readonly tables: readonly Table[] } {
  const { sources } = metadata as { readonly sources: readonly { readonly tables: readonly Table[] }[] };
  const [source] = sources;
  if (!source) throw new Error("the metadata has no source");
  return source;
}

async function load(url: string, dump: Buffer): Promise<void> {
  const psql = spawn("psql", ["-q", "-v", "ON_ERROR_STOP=1", "-o", "/dev/null", url], {
    stdio: ["pipe", "ignore", "inherit"],
  });
  psql.stdin.end(dump);
  const [code] = (await once(psql, "exit")) as [number | null];
  if (code !== 0) throw new Error("psql could not load the schema");
}
