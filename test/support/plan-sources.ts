/** Where a server has the plans of its requests from, as its metrics tell. */
import { expect } from "vitest";
import type { TestServer } from "./server.ts";

export interface PlanSources {
  /** Made ahead of requests. */
  readonly saved: number;
  /** Made for a request before. */
  readonly hit: number;
  /** Made for the request itself. */
  readonly miss: number;
}

/** Of a server with the API `metrics` and no secret. */
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
 * Expects a saved text to be served from the plan that was made ahead, and as a text that is planned when it comes.
 * @param ask answers what is compared
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
  // Another text that means the same.
  expect(ahead).toEqual(await ask(`${saved} `));
  const after = await planSources(server);
  expect(after.hit + after.miss).toBe(between.hit + between.miss + 1);
}
