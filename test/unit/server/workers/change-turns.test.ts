import { expect, it, vi } from "vitest";
import { ChangeTurns, type Follower } from "../../../../runtime/server/workers/change-turns.ts";

/** A worker whose responses the test controls. */
class TestFollower implements Follower {
  readySince: number | null = 0;
  followed = 0;
  killed = false;
  respond: () => Promise<number> = async () => stored;
  readonly ended: Promise<void>;
  #end = (): void => undefined;

  constructor() {
    this.ended = new Promise((resolve) => {
      this.#end = resolve;
    });
  }

  handed: unknown;

  follow(handed: object | null): Promise<number> {
    this.handed = handed;
    this.followed++;
    return this.respond();
  }

  kill(): void {
    this.killed = true;
    this.#end();
  }
}

let stored = 1;

function world(count = 3) {
  stored = 1;
  const followers = Array.from({ length: count }, () => new TestFollower());
  const failed = vi.fn();
  const turns = new ChangeTurns({ followers: () => followers, failed, timeout: 100 });
  const [a, b, c] = followers;
  if (!a || !b || !c) throw new Error("there are three");
  return { turns, failed, a, b, c };
}

/** Returns true if the promise has resolved by now. */
async function isOver(promise: Promise<unknown>): Promise<boolean> {
  let over = false;
  void promise.then(() => {
    over = true;
  });
  await new Promise((resolve) => setImmediate(resolve));
  return over;
}

it("Workers change the metadata one after the other", async () => {
  const { turns, a, b, c } = world();
  await turns.begin(a);
  const [ofB, ofC] = [turns.begin(b), turns.begin(c)];
  expect(await isOver(ofB)).toBe(false);
  stored = 2;
  await turns.end(a, 2, null);
  await ofB;
  expect(await isOver(ofC)).toBe(false);
  await turns.end(b, 2, null);
  await ofC;
});

it("A turn ends when all other workers serve the stored version, and a refused change notifies no worker", async () => {
  const { turns, a, b, c } = world();
  await turns.begin(a);
  await turns.end(a, 1, null);
  expect([b.followed, c.followed]).toEqual([1, 1]);
  await turns.begin(a);
  let follow = (): void => undefined;
  c.respond = () => new Promise((resolve) => (follow = () => resolve(2)));
  stored = 2;
  const ended = turns.end(a, 2, null);
  expect(await isOver(ended)).toBe(false);
  follow();
  await ended;
  expect([a.followed, b.followed, c.followed]).toEqual([0, 2, 2]);
  await turns.begin(b);
  await turns.end(b, 2, null);
  expect([a.followed, b.followed, c.followed]).toEqual([0, 2, 2]);
});

it.each([
  ["fails", () => Promise.reject(new Error("the database is away")), "the database is away"],
  ["stays at the previous version", async () => 1, "it serves version 1 of 2"],
  ["does not respond", () => new Promise<number>(() => undefined), "it did not respond within 0.1 seconds"],
])("A worker that %s is ended before the change is acknowledged", async (_, respond, reason) => {
  const { turns, failed, a, b, c } = world();
  await turns.begin(a);
  b.respond = respond;
  stored = 2;
  await turns.end(a, 2, null);
  expect([b.killed, c.killed]).toEqual([true, false]);
  expect(failed).toHaveBeenCalledExactlyOnceWith(b, reason);
});

it("The other workers receive the data that the changing worker has read", async () => {
  const { turns, a, b, c } = world();
  await turns.begin(a);
  const handed = { sources: [] };
  stored = 2;
  await turns.end(a, 2, handed);
  expect([b.handed, c.handed]).toEqual([handed, handed]);
});

it("A turn does not wait for a worker that is not ready, and this worker catches up before it serves", async () => {
  const { turns, a, b } = world();
  b.readySince = null;
  await turns.begin(a);
  stored = 2;
  await turns.end(a, 2, null);
  expect(b.followed).toBe(0);
  await turns.enter(b, 1);
  expect(b.followed).toBe(1);
  await turns.enter(b, 2);
  expect(b.followed).toBe(1);
});

it("All other workers follow a change that a newly ready worker has already seen", async () => {
  const { turns, a, b, c } = world();
  c.readySince = null;
  await turns.begin(a);
  stored = 2;
  await turns.enter(c, 2);
  c.readySince = 1;
  await turns.end(a, 2, null);
  expect(b.followed).toBe(1);
});

it("Turns continue after the metadata database is restored to an earlier version", async () => {
  const { turns, a, b } = world();
  await turns.begin(a);
  stored = 7;
  await turns.end(a, 7, null);
  await turns.begin(a);
  stored = 3;
  await turns.end(a, 3, null);
  expect([b.followed, b.killed]).toEqual([2, false]);
});

it("All other workers check the stored version if a worker ends during its turn", async () => {
  const { turns, a, b, c } = world();
  await turns.begin(a);
  const next = turns.begin(b);
  const waiting = turns.begin(c);
  stored = 2;
  await turns.remove(a);
  expect([b.followed, c.followed]).toEqual([1, 1]);
  await next;
  // A worker that ends while it waits for its turn is skipped.
  await turns.remove(c);
  const after = turns.begin(a);
  await turns.end(b, 2, null);
  await after;
  expect(await isOver(waiting)).toBe(false);
});
