/** Attacks on confirmations of writes by forged states, and on subscriptions by callers that open many. */
import { createHmac, scryptSync } from "node:crypto";
import { describe, expect, it } from "vitest";
import { parseOptions } from "../../../runtime/config/options.ts";
import { ChangeStreams } from "../../../runtime/http/mcp/listen.ts";
import { RequestStates } from "../../../runtime/http/mcp/request-state.ts";

describe("States of unconfirmed writes", () => {
  const write = { subject: "s", effect: [], duration: 1 };
  const statesWith = (secret?: string) =>
    new RequestStates(parseOptions({}, secret === undefined ? {} : { ENGINE_GRAPHQL_ADMIN_SECRET: secret }));

  it("Without an admin secret, no client can derive the key, and each process has its own", async () => {
    const states = statesWith();
    const body = Buffer.from(JSON.stringify({ ...write, expires: Date.now() + 60_000 })).toString("base64url");
    const key = scryptSync("", "engine mcp request state", 32);
    const forged = `${body}.${createHmac("sha256", key).update(body).digest("base64url")}`;
    expect(await states.open(forged, "s")).toBeUndefined();
    const own = await states.seal(write);
    expect(await statesWith().open(own, "s")).toBeUndefined();
    expect(await states.open(own, "s")).toMatchObject(write);
  });

  it("With an admin secret, each process accepts a state of another once", async () => {
    const [first, second] = [statesWith("secret"), statesWith("secret")];
    const state = await first.seal(write);
    expect(await second.open(state, "s")).toMatchObject(write);
    expect(await second.open(state, "s")).toBeUndefined();
    expect(await statesWith("other").open(state, "s")).toBeUndefined();
  });
});

describe("Subscriptions to changes of tools", () => {
  const params = { notifications: { toolsListChanged: true } };

  /** Opens streams of sessions until one is refused, and returns their number and the reason. */
  function openAll(streams: ChangeStreams, role: string, users: number): readonly [opened: number, reason: string] {
    let opened = 0;
    try {
      for (;;) {
        const variables = new Map([["x-engine-user-id", String(opened % users)]]);
        const events = streams.open(params, "1", { role, variables, expiresAt: undefined });
        void events.start({ send: () => undefined, ended: new Promise(() => undefined) } as never);
        opened++;
      }
    } catch (error) {
      return [opened, (error as Error).message];
    }
  }

  it("One session cannot occupy the share of its role, nor one role the share of other roles", () => {
    const streams = new ChangeStreams(() => 1);
    expect(openAll(streams, "member", 1)).toEqual([100, expect.stringContaining("your session has 100")]);
    expect(openAll(streams, "member", 1000)).toEqual([0, expect.stringContaining("your session has 100")]);
    expect(openAll(streams, "clerk", 50)).toEqual([500, expect.stringContaining("your role has 500")]);
    expect(openAll(streams, "visitor", 50)[0]).toBe(400);
    expect(openAll(streams, "other", 50)).toEqual([0, expect.stringContaining("the server has 1000")]);
  });
});
