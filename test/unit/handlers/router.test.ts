/** The router of the generated module: the calls that reach a handler, and the responses. */
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import fc from "fast-check";
import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { RouterOptions } from "../../golden/handlers/shop/expected/generated.ts";
import { loadShop } from "../../support/handler-module.ts";

type Shop = Awaited<ReturnType<typeof loadShop>>;

const secretOf = (text: string): string => `whsec_${Buffer.from(text.padEnd(32)).toString("base64")}`;
const secrets = { NEW_SECRET: secretOf("new"), OLD_SECRET: secretOf("old") };

const placeOrder = `
import { HandlerError } from "../generated.js";
export async function placeOrder({ input, session_variables }, { headers, answerHeaders }) {
  if (input.note === "refuse") throw new HandlerError("no", { status: 422, code: "why", extensions: { n: 1 } });
  if (input.note === "later") throw new HandlerError("busy", { status: 503, retryAfterSeconds: 2.5 });
  if (input.note === "fail") throw new Error("secret detail");
  answerHeaders.append("set-cookie", "a=1");
  answerHeaders.append("set-cookie", "b=2; Path=/");
  return { id: session_variables["x-engine-role"], parts: [], input, extra: headers.get("x-extra") };
}`;

let shop: Shop;
beforeAll(async () => {
  shop = await loadShop({
    "actions/place_order.ts": placeOrder,
    "actions/transformed.ts": "export const transformed = (body) => ({ got: body });",
    "crons/tick.ts": "export const tick = () => undefined;",
    "events/default/orderPaid.ts": "export const orderPaid = () => undefined;",
  });
});

const order = (note: string | undefined = undefined, more: object = {}) => ({
  action: { name: "place_order" },
  input: { items: [{ book: 1 }], key: "k", extra: null, ...(note !== undefined && { note }), ...more },
  session_variables: { "x-engine-role": "user" },
  request_query: "mutation { … }",
});

const tick = { id: "i", name: "tick", scheduled_time: "2026-01-01T00:00:00Z", payload: null };

interface Sent {
  readonly body: unknown;
  readonly path?: string;
  readonly method?: string;
  readonly secret?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

function signedHeaders(text: string, secret: string, at = new Date()): Record<string, string> {
  return {
    "webhook-id": "msg",
    "webhook-timestamp": String(Math.floor(at.getTime() / 1000)),
    "webhook-signature": new Webhook(secret).sign("msg", at, text),
  };
}

const errors: unknown[] = [];

async function send(sent: Sent, options: Partial<RouterOptions> = {}) {
  const { body, path = "/", method = "POST", secret = secrets.NEW_SECRET, headers = {} } = sent;
  const router = shop.createRouter({ secrets, onError: (error) => errors.push(error), ...options });
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const all = { ...signedHeaders(text, secret), ...headers };
  const init = method === "GET" ? { method, headers: all } : { method, headers: all, body: text };
  const response = await router.fetch(new Request(`http://handlers.example${path}`, init));
  const answer = await response.text();
  return { status: response.status, headers: response.headers, json: answer === "" ? null : JSON.parse(answer) };
}

describe("Handler calls", () => {
  it("A call reaches its handler by the names in its body, regardless of the path", async () => {
    const { status, headers, json } = await send({ body: order(), path: "/x/y", headers: { "x-extra": "yes" } });
    expect({ status, json }).toEqual({
      status: 200,
      json: { id: "user", parts: [], input: { items: [{ book: 1 }], key: "k", extra: null }, extra: "yes" },
    });
    expect(headers.getSetCookie()).toEqual(["a=1", "b=2; Path=/"]);
    expect(await send({ body: tick }, { unsigned: "accept" })).toMatchObject({ status: 204, json: null });
  });

  it("A call with a transformed body reaches its handler by the path", async () => {
    const sent = { body: { x: 1 }, path: "/base/actions/transformed" };
    expect(await send(sent, { unsigned: "accept" })).toMatchObject({ status: 200, json: { got: { x: 1 } } });
  });

  it.each([
    ["/crons/nightly%20report", 400],
    ["/events/default/orderPaid", 400],
    ["/events/other/orderPaid", 404],
    ["/actions/orderPaid", 404],
    ["/actions/__proto__", 404],
    ["/actions/%ff", 404],
  ])("A call at %s without a fitting body returns status %i", async (path, status) => {
    expect((await send({ body: {}, path }, { unsigned: "accept" })).status).toBe(status);
  });

  it.each([
    ["another table", { trigger: { name: "orderPaid" }, table: { schema: "public", name: "other" } }],
    ["a value that is not an object", [1]],
    ["null", null],
    ["inherited names", { action: { name: "constructor" } }],
  ])("A call with the body of %s reaches no handler", async (_, body) => {
    expect(await send({ body }, { unsigned: "accept" })).toMatchObject({ status: 404, json: { code: "not-found" } });
  });

  it.each([
    ["a missing member", { ...order(), input: { items: [], key: "k" } }, "payload.input.extra"],
    [
      "a wrong type",
      { ...order(), input: { items: [{ book: "1" }], key: "k", extra: 1 } },
      "payload.input.items.0.book",
    ],
    ["an unknown action", { ...order(), action: { name: "none" } }, "payload.action.name"],
    ["an unknown value", order(undefined, { items: [{ book: 1, size: "HUGE" }] }), "payload.input.items.0.size"],
  ])("A call with %s is refused with the location of the error", async (_, body, place) => {
    const { status, json } = await send({ body, path: "/actions/place_order" });
    expect({ status, code: json.code }).toEqual({ status: 400, code: "invalid-payload" });
    expect(json.message.startsWith(`${place}: `)).toBe(true);
  });

  it("A call keeps explicit nulls and may omit optional members", async () => {
    const { json } = await send({ body: order(undefined, { note: null, items: [{ book: 1, size: null }] }) });
    expect(json.input).toEqual({ items: [{ book: 1, size: null }], key: "k", extra: null, note: null });
  });

  it("A call returns the handler's deliberate error and hides other failures", async () => {
    const refused = await send({ body: order("refuse") });
    expect(refused).toMatchObject({ status: 422, json: { message: "no", code: "why", extensions: { n: 1 } } });
    const later = await send({ body: order("later") });
    expect({ status: later.status, after: later.headers.get("retry-after") }).toEqual({ status: 503, after: "3" });
    errors.length = 0;
    expect(await send({ body: order("fail") })).toMatchObject({ status: 500, json: { message: "internal error" } });
    expect(errors).toEqual([new Error("secret detail")]);
  });

  it("A call by GET is refused", async () => {
    const { status, headers } = await send({ body: "", method: "GET" });
    expect({ status, allow: headers.get("allow") }).toEqual({ status: 405, allow: "POST" });
  });
});

describe("Verification of signatures", () => {
  it("A signature by any configured secret is accepted, and by another secret refused", async () => {
    const changed = {
      ...{ id: "e", created_at: "2026-01-01T00:00:00", trigger: { name: "order_changed" } },
      ...{ table: { schema: "public", name: "orders" }, delivery_info: { current_retry: 0, max_retries: 0 } },
      event: { op: "MANUAL", data: { old: null, new: 1 }, session_variables: null, trace_context: null },
    };
    errors.length = 0;
    for (const secret of [secrets.NEW_SECRET, secrets.OLD_SECRET]) {
      // The handler is not implemented and throws: status 500 shows that the call reached it.
      expect((await send({ body: changed, secret })).status).toBe(500);
    }
    expect(errors.map(String)).toEqual(Array(2).fill("Error: order_changed is not written yet"));
    expect(await send({ body: order(), secret: secrets.OLD_SECRET })).toMatchObject({ status: 401 });
    expect(await send({ body: changed, secret: secretOf("x") })).toMatchObject({ status: 401 });
  });

  it("A handler without a signing secret refuses calls unless unsigned calls are accepted", async () => {
    const { status, json } = await send({ body: tick });
    expect({ status, json }).toEqual({
      status: 401,
      json: { message: "the metadata has no signing secret for cron trigger tick", code: "not-signed" },
    });
  });

  it.each([
    ["no headers", { "webhook-id": "", "webhook-timestamp": "", "webhook-signature": "" }],
    ["another id", { "webhook-id": "other" }],
    ["another time", { "webhook-timestamp": String(Math.floor(Date.now() / 1000) - 1) }],
    ["a time that is not a number", { "webhook-timestamp": "NaN" }],
    ["another version", { "webhook-signature": "v2,abc" }],
    ["an empty signature", { "webhook-signature": "v1," }],
    ["thousands of signatures", { "webhook-signature": "v1,AAAA ".repeat(1000) }],
  ])("The signature check refuses %s", async (_, headers) => {
    expect(await send({ body: order(), headers })).toMatchObject({ status: 401, json: { code: "not-signed" } });
  });

  it("The signature check refuses timestamps outside the tolerance", async () => {
    const now = Date.now();
    const at = (seconds: number, options: Partial<RouterOptions> = {}) =>
      send({ body: order() }, { now: () => now + seconds * 1000, ...options });
    expect((await at(298)).status).toBe(200);
    expect((await at(-298)).status).toBe(200);
    expect((await at(302)).status).toBe(401);
    expect((await at(-302)).status).toBe(401);
    expect((await at(10, { toleranceSeconds: 5 })).status).toBe(401);
  });

  it("The signature check refuses every call if its secret is missing or malformed", async () => {
    for (const wrong of [{}, { NEW_SECRET: "" }, { NEW_SECRET: "not base64!" }]) {
      errors.length = 0;
      expect((await send({ body: order() }, { secrets: wrong })).status).toBe(500);
      expect(String(errors[0])).toMatch(/no signing secret is set: NEW_SECRET|a signing secret is whsec_ and base64/);
    }
  });

  it("The signature check agrees with the reference library for any message", async () => {
    const parts = fc.record({
      key: fc.uint8Array({ minLength: 1, maxLength: 64 }),
      id: fc.stringMatching(/^[!-~]{1,40}$/),
      body: fc.string({ unit: "grapheme" }),
      age: fc.integer({ min: -400, max: 400 }),
      change: fc.constantFrom("none", "none", "id", "body", "key", "signature", "prefix"),
    });
    const now = 1_790_000_000_000;
    let accepted = 0;
    await fc.assert(
      fc.asyncProperty(parts, async ({ key, id, body, age, change }) => {
        const secret = Buffer.from(key).toString("base64");
        const at = new Date(now - age * 1000);
        const other = Buffer.concat([key, Buffer.from("x")]).toString("base64");
        const signature = new Webhook(secret).sign(id, at, body);
        const headers = new Headers({
          "webhook-id": change === "id" ? `${id}x` : id,
          "webhook-timestamp": String(at.getTime() / 1000),
          "webhook-signature": `v1,AAAA ${change === "signature" ? signature.toLowerCase() : signature}`,
        });
        const call = { headers, body: new TextEncoder().encode(change === "body" ? `${body} ` : body) };
        const used = change === "key" ? other : change === "prefix" ? `whsec_${secret}` : secret;
        const isSigned = await shop.isSigned(call, [secretOf("no"), used], { now: () => now });
        const isUnchanged = ["none", "prefix"].includes(change) || signature === signature.toLowerCase();
        expect(isSigned).toBe(isUnchanged && Math.abs(age) <= 300);
        if (isSigned) accepted++;
      }),
    );
    expect(accepted).toBeGreaterThan(10);
  });
});

describe("Handlers on Node servers", () => {
  let server: Server;
  let answerWith: (message: IncomingMessage & { body?: unknown }, response: ServerResponse) => void;
  const url = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  beforeAll(async () => {
    server = createServer((message, response) => answerWith(message, response));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  const post = async (body: unknown) => {
    const text = JSON.stringify(body);
    const headers = signedHeaders(text, secrets.NEW_SECRET);
    const response = await fetch(`${url()}/?x=1`, { method: "POST", body: text, headers });
    return { status: response.status, headers: response.headers, text: await response.text() };
  };

  it("The Node router returns the handler's result with cookies", async () => {
    answerWith = shop.createRouter({ secrets }).node;
    const { status, headers, text } = await post(order("größer"));
    expect({ status, cookies: headers.getSetCookie() }).toEqual({ status: 200, cookies: ["a=1", "b=2; Path=/"] });
    expect(JSON.parse(text).input.note).toBe("größer");
  });

  it("The Node router refuses an oversized body while it arrives", async () => {
    answerWith = shop.createRouter({ secrets, maximumBytes: 1000 }).node;
    const { status, connection } = await new Promise<{ status: number | undefined; connection: unknown }>(
      (resolve, reject) => {
        const call = request(url(), { method: "POST" }, (response) => {
          resolve({ status: response.statusCode, connection: response.headers.connection });
          response.resume();
          call.destroy();
        });
        call.on("error", reject);
        // The request never ends.
        call.write("x".repeat(2000));
      },
    );
    expect({ status, connection }).toEqual({ status: 413, connection: "close" });
  });

  it("The Node router survives clients that disconnect before sending the whole body", async () => {
    const reported: unknown[] = [];
    answerWith = shop.createRouter({ secrets, onError: (error) => reported.push(error) }).node;
    const call = request(url(), { method: "POST", headers: { "content-length": 100 } });
    call.on("error", () => undefined);
    call.write("{", () => call.destroy());
    await expect.poll(() => reported.length, { timeout: 10_000 }).toBe(1);
    expect((await post(order())).status).toBe(200);
  });

  it("The Express router accepts a body that was read as bytes before, and refuses a parsed one", async () => {
    const passed: unknown[] = [];
    const { express } = shop.createRouter({ secrets });
    const read = async (message: IncomingMessage) => {
      const chunks: Buffer[] = [];
      for await (const chunk of message) chunks.push(chunk);
      return Buffer.concat(chunks);
    };
    answerWith = async (message, response) => {
      message.body = await read(message);
      await express(message, response, (error) => passed.push(error));
    };
    expect((await post(order())).status).toBe(200);
    answerWith = async (message, response) => {
      message.body = JSON.parse((await read(message)).toString());
      await express(message, response, (error) => {
        passed.push(error);
        response.statusCode = 500;
        response.end();
      });
    };
    expect((await post(order())).status).toBe(500);
    expect(passed.map(String)).toEqual([
      "TypeError: the body was parsed before the router got it, so that its signature cannot be checked",
    ]);
  });
});

describe("Hostile handler bodies", () => {
  it.each([
    ["no JSON", "<html>", 400],
    ["nothing", "", 400],
    ["invalid UTF-8", Buffer.from([0x22, 0xff, 0x22]).toString("latin1"), 404],
    ["a prototype", '{"action":{"name":"place_order"},"__proto__":{"input":{}}}', 400],
  ])("A body of %s is refused", async (_, body, status) => {
    expect((await send({ body })).status).toBe(status);
  });

  it("A body that is not UTF-8 is refused", async () => {
    const body = new Uint8Array([0x22, 0xff, 0x22]);
    const response = await shop
      .createRouter({ secrets, unsigned: "accept", onError: () => undefined })
      .fetch(new Request("http://x/actions/place_order", { method: "POST", body }));
    expect(response.status).toBe(400);
  });

  it("A deeply nested body fails without affecting other calls", async () => {
    const deep = `${'{"book":1,"parts":['.repeat(50_000)}${"]}".repeat(50_000)}`;
    const body = JSON.stringify(order()).replace('{"book":1}', deep);
    const { status } = await send({ body });
    expect([400, 500]).toContain(status);
    expect((await send({ body: order() })).status).toBe(200);
  });
});
