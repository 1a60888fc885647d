import { describe, expect, it } from "vitest";
import { FollowerTurn } from "../../../runtime/control/schema-sync.ts";

async function waited(turn: FollowerTurn): Promise<number> {
  const start = performance.now();
  await turn.wait();
  return performance.now() - start;
}

describe("Turns of followers", () => {
  it("A follower waits for a fraction of the time that its work takes", async () => {
    const milliseconds = await waited(new FollowerTurn(600, () => 0.5));
    expect(milliseconds).toBeGreaterThanOrEqual(299);
    expect(milliseconds).toBeLessThan(600);
  });

  it("A follower does not wait if its work is short, even after longer work", async () => {
    expect(await waited(new FollowerTurn(200, () => 1))).toBeLessThan(100);
    const turn = new FollowerTurn(60_000, () => 1);
    await turn.take(async () => undefined);
    expect(await waited(turn)).toBeLessThan(100);
  });

  it("Stopping a turn ends its wait at once", async () => {
    const turn = new FollowerTurn(60_000, () => 1);
    const waiting = waited(turn);
    turn.stop();
    expect(await waiting).toBeLessThan(100);
    expect(await waited(turn)).toBeLessThan(100);
  });
});
