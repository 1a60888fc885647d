/** Calls that an attacker forges, alters or sends again to the router of `engine handlers`. */
import { Webhook } from "standardwebhooks";
import { beforeAll, describe, expect, it } from "vitest";
import { loadShop } from "../../support/handler-module.ts";

type Shop = Awaited<ReturnType<typeof loadShop>>;

const secret = `whsec_${Buffer.from("secret".padEnd(32)).toString("base64")}`;
const time = Date.UTC(2026, 0, 1);
const body = '{"amount": 1}';
const right = new Webhook(secret).sign("msg", new Date(time), body);

let shop: Shop;
beforeAll(async () => {
  shop = await loadShop();
});

interface Altered {
  readonly id?: string | null;
  readonly timestamp?: string | null;
  readonly signature?: string | null;
  readonly body?: string;
  readonly now?: number;
  readonly toleranceSeconds?: number;
}

function isSigned(altered: Altered = {}): Promise<boolean> {
  const { id = "msg", timestamp = String(time / 1000), signature = right, now = time, toleranceSeconds } = altered;
  const headers = new Headers();
  for (const [name, value] of Object.entries({ id, timestamp, signature })) {
    if (value !== null) headers.set(`webhook-${name}`, value);
  }
  const call = { headers, body: new TextEncoder().encode(altered.body ?? body) };
  return shop.isSigned(call, [secret], { now: () => now, toleranceSeconds });
}

describe("A signed call", () => {
  it("is accepted as it was sent", async () => {
    expect(await isSigned()).toBe(true);
  });

  it.each<[string, Altered]>([
    ["another body within the tolerance", { body: '{"amount": 2}' }],
    ["the same JSON written with other bytes", { body: '{"amount":1}' }],
    ["another id", { id: "msg2" }],
    ["a repeated id", { id: "msg, msg" }],
    ["a point moved from the id to the timestamp", { id: "msg.1" }],
    ["a non-ASCII id", { id: "m\u00e9g" }],
    ["a later timestamp", { timestamp: String(time / 1000 + 1) }],
    ["a repeated timestamp", { timestamp: `${time / 1000}, ${time / 1000}` }],
    ["a timestamp in hexadecimal", { timestamp: `0x${(time / 1000).toString(16)}` }],
    ["a negative timestamp", { timestamp: `-${time / 1000}` }],
    ["no id", { id: null }],
    ["no timestamp", { timestamp: null }],
    ["no signature", { signature: null }],
    ["an empty signature", { signature: "" }],
    ["an empty signature of version 1", { signature: "v1," }],
    ["the signature of another version", { signature: right.replace("v1,", "v1a,") }],
    ["the beginning of the signature", { signature: right.slice(0, -1) }],
    ["more after the signature", { signature: `${right}=` }],
    ["a non-ASCII signature", { signature: "v1,\u00e9" }],
    ["a signature of a megabyte", { signature: `v1,${"A".repeat(1 << 20)}` }],
  ])("is refused with %s", async (_, altered) => {
    expect(await isSigned(altered)).toBe(false);
  });

  it("is accepted when one of several signatures is right", async () => {
    expect(await isSigned({ signature: `v1a,x v1,wrong ${right} v2,y` })).toBe(true);
  });

  it.each([
    [-300, true],
    [300, true],
    [-301, false],
    [301, false],
  ])("that is received %i seconds after its timestamp is accepted: %s", async (seconds, expected) => {
    expect(await isSigned({ now: time + seconds * 1000 })).toBe(expected);
  });

  it("is refused at any time when the tolerance is not a number", async () => {
    expect(await isSigned({ toleranceSeconds: Number.NaN, now: time + 1e9 })).toBe(false);
  });
});
