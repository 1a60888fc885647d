/** Counts of a server's plans by origin, from its metrics. */
import { expect } from "vitest";
import type { TestServer } from "./server.ts";

export interface PlanSources {
  /** Plans precompiled ahead of requests. */
  readonly saved: number;
  /** Plans made for an earlier request. */
  readonly hit: number;
  /** Plans made for the request itself. */
  readonly miss: number;
}

/** Reads the counts from a server with the API `metrics` and without a secret. */
export async function planSources({ url }: Pick<TestServer, "url">): Promise<PlanSources> {
  const response = await fetch(`${url}/v1/metrics`, { headers: { "x-engine-role": "admin" } });
  if (response.status !== 200) throw new Error(`/v1/metrics: ${response.status}`);
  const text = await response.text();
  const count = (status: string): number => {
    const line = new RegExp(`^engine_plan_cache_requests_total\\{.*status="${status}".*\\} (\\d+)$`, "m").exec(text);
    return Number(line?.[1] ?? 0);
  };
  return { saved: count("saved"), hit: count("hit"), miss: count("miss") };
}

/**
 * Checks that a saved text is served from its precompiled plan, with the same result as a text planned on arrival.
 * @param ask returns the value to compare
 */
export async function expectServedAhead(
  server: Pick<TestServer, "url">,
  saved: string,
  ask: (query: string) => Promise<unknown>,
): Promise<void> {
  const before = await planSources(server);
  const ahead = await ask(saved);
  const between = await planSources(server);
  expect(between).toEqual({ ...before, saved: before.saved + 1 });
  // An equivalent text.
  expect(ahead).toEqual(await ask(`${saved} `));
  const after = await planSources(server);
  expect(after.hit + after.miss).toBe(between.hit + between.miss + 1);
}
