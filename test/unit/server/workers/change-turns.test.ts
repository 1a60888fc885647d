import { expect, it, vi } from "vitest";
import { ChangeTurns, type Follower } from "../../../../runtime/server/workers/change-turns.ts";

/** A worker that follows when it is let, and serves nothing any more when it is killed. */
class TestFollower implements Follower {
  readySince: number | null = 0;
  asked = 0;
  killed = false;
  answer: () => Promise<number> = async () => stored;
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
    this.asked++;
    return this.answer();
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
  const turns = new ChangeTurns({ followers: () => followers, failed, patience: 100 });
  const [a, b, c] = followers;
  if (!a || !b || !c) throw new Error("there are three");
  return { turns, failed, a, b, c };
}

/** Whether it has resolved by now. */
async function isOver(promise: Promise<unknown>): Promise<boolean> {
  let over = false;
  void promise.then(() => {
    over = true;
  });
  await new Promise((resolve) => setImmediate(resolve));
  return over;
}

it("lets one worker change the metadata after the other", async () => {
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

it("ends a turn when all others serve what is stored, and asks nobody after a change that was refused", async () => {
  const { turns, a, b, c } = world();
  await turns.begin(a);
  await turns.end(a, 1, null);
  expect([b.asked, c.asked]).toEqual([1, 1]);
  await turns.begin(a);
  let follow = (): void => undefined;
  c.answer = () => new Promise((resolve) => (follow = () => resolve(2)));
  stored = 2;
  const ended = turns.end(a, 2, null);
  expect(await isOver(ended)).toBe(false);
  follow();
  await ended;
  expect([a.asked, b.asked, c.asked]).toEqual([0, 2, 2]);
  await turns.begin(b);
  await turns.end(b, 2, null);
  expect([a.asked, b.asked, c.asked]).toEqual([0, 2, 2]);
});

it.each([
  ["fails", () => Promise.reject(new Error("the database is away")), "the database is away"],
  ["stays with the version before", async () => 1, "it serves version 1 of 2"],
  ["does not answer", () => new Promise<number>(() => undefined), "it did not follow within 0.1 seconds"],
])("ends a worker that %s, before the change is answered", async (_, answer, reason) => {
  const { turns, failed, a, b, c } = world();
  await turns.begin(a);
  b.answer = answer;
  stored = 2;
  await turns.end(a, 2, null);
  expect([b.killed, c.killed]).toEqual([true, false]);
  expect(failed).toHaveBeenCalledExactlyOnceWith(b, reason);
});

it("hands on what the worker has read for its change", async () => {
  const { turns, a, b, c } = world();
  await turns.begin(a);
  const handed = { sources: [] };
  stored = 2;
  await turns.end(a, 2, handed);
  expect([b.handed, c.handed]).toEqual([handed, handed]);
});

it("does not wait for a worker that is not ready, which gets there before it serves", async () => {
  const { turns, a, b } = world();
  b.readySince = null;
  await turns.begin(a);
  stored = 2;
  await turns.end(a, 2, null);
  expect(b.asked).toBe(0);
  await turns.enter(b, 1);
  expect(b.asked).toBe(1);
  await turns.enter(b, 2);
  expect(b.asked).toBe(1);
});

it("has all others follow a change that a worker has seen which got ready meanwhile", async () => {
  const { turns, a, b, c } = world();
  c.readySince = null;
  await turns.begin(a);
  stored = 2;
  await turns.enter(c, 2);
  c.readySince = 1;
  await turns.end(a, 2, null);
  expect(b.asked).toBe(1);
});

it("goes on where the metadata database was put back to an earlier version", async () => {
  const { turns, a, b } = world();
  await turns.begin(a);
  stored = 7;
  await turns.end(a, 7, null);
  await turns.begin(a);
  stored = 3;
  await turns.end(a, 3, null);
  expect([b.asked, b.killed]).toEqual([2, false]);
});

it("has all others look when a worker ends in its turn: what it was about to store may be stored", async () => {
  const { turns, a, b, c } = world();
  await turns.begin(a);
  const next = turns.begin(b);
  const waiting = turns.begin(c);
  stored = 2;
  await turns.gone(a);
  expect([b.asked, c.asked]).toEqual([1, 1]);
  await next;
  // One that ends while it waits is left out.
  await turns.gone(c);
  const after = turns.begin(a);
  await turns.end(b, 2, null);
  await after;
  expect(await isOver(waiting)).toBe(false);
});
