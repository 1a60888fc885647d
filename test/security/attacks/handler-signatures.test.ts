/** Forged, altered and replayed calls to the router of `engine handlers`. */
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

describe("Signed handler calls", () => {
  it("A signed call is accepted as it was sent", async () => {
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
    ["extra text after the signature", { signature: `${right}=` }],
    ["a non-ASCII signature", { signature: "v1,\u00e9" }],
    ["a signature of a megabyte", { signature: `v1,${"A".repeat(1 << 20)}` }],
  ])("A signed call is refused with %s", async (_, altered) => {
    expect(await isSigned(altered)).toBe(false);
  });

  it("A signed call is accepted if one of several signatures is valid", async () => {
    expect(await isSigned({ signature: `v1a,x v1,wrong ${right} v2,y` })).toBe(true);
  });

  it.each([
    [-300, true],
    [300, true],
    [-301, false],
    [301, false],
  ])("A signed call received %i seconds after its timestamp is accepted: %s", async (seconds, expected) => {
    expect(await isSigned({ now: time + seconds * 1000 })).toBe(expected);
  });

  it("A signed call is refused if the tolerance is not a number", async () => {
    expect(await isSigned({ toleranceSeconds: Number.NaN, now: time + 1e9 })).toBe(false);
  });
});

describe("The generated handler router", () => {
  const router = async (options: Partial<Parameters<Shop["createRouter"]>[0]> = {}) => {
    const seen: unknown[] = [];
    const { fetch } = shop.createRouter({
      secrets: { NEW_SECRET: secret },
      now: () => time,
      onError: (error) => seen.push(String(error)),
      ...options,
    });
    const send = async (path: string, text: string, signature?: string) => {
      const headers = new Headers({
        "webhook-id": "msg",
        "webhook-timestamp": String(time / 1000),
        "webhook-signature": signature ?? new Webhook(secret).sign("msg", new Date(time), text),
      });
      const response = await fetch(new Request(`http://localhost${path}`, { method: "POST", headers, body: text }));
      return { status: response.status, json: await response.json() };
    };
    return { send, seen };
  };
  const order = JSON.stringify({
    action: { name: "place_order" },
    input: { items: [], key: "k", extra: null },
    session_variables: { "x-engine-role": "user" },
    request_query: "",
  });

  it("The router returns the same refusal to every unsigned call, whether the handler exists and the body fits or not", async () => {
    const { send } = await router();
    const answers = [];
    for (const [path, text] of [
      ["/actions/place_order", order],
      ["/actions/none", order],
      ["/crons/tick", "{}"],
      ["/", "<html>"],
      ["/actions/place_order", "{}"],
      ["/actions/place_order", "[".repeat(100_000)],
    ] as const) {
      answers.push(await send(path, text, "v1,AAAA"));
    }
    const refused = { status: 401, json: { message: "the call is not signed, or too old", code: "not-signed" } };
    expect(answers).toEqual(answers.map(() => refused));
  });

  it.each(["/actions/transformed", "/actions/sizes", "/crons/tick", "/events/default/order_changed"])(
    "The router refuses a call at %s that was signed for another handler",
    async (path) => {
      const { send, seen } = await router({ unsigned: "accept" });
      const { status, json } = await send(path, order);
      expect({ status, json }).toEqual({
        status: 400,
        json: { message: expect.stringContaining("the payload is for action place_order"), code: "invalid-payload" },
      });
      // At its own path, the call reaches the stub handler.
      expect((await send("/actions/place_order", order)).status).toBe(500);
      expect(seen).toEqual(["Error: place_order is not written yet"]);
    },
  );

  it("The router refuses a call signed with the secret of another handler", async () => {
    const other = `whsec_${Buffer.from("another".padEnd(32)).toString("base64")}`;
    const { send } = await router({ secrets: { NEW_SECRET: secret, OLD_SECRET: other } });
    const signature = new Webhook(other).sign("msg", new Date(time), order);
    expect(await send("/actions/place_order", order, signature)).toEqual({
      status: 401,
      json: { message: "the call is not signed by a secret of action place_order", code: "not-signed" },
    });
  });
});
