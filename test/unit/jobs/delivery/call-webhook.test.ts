/**
 * The payload of a webhook, and the stored part of its response, over real connections (`docs/how-to/event-triggers.md`,
 * `docs/how-to/actions.md`).
 */
import { Webhook as Verifier } from "standardwebhooks";
import { afterEach, describe, expect, it } from "vitest";
import { callWebhook, type WebhookAttempt } from "../../../../runtime/jobs/delivery/call-webhook.ts";
import { openWebhook } from "../../../../runtime/jobs/delivery/webhook.ts";
import type { WebhookDefinition } from "../../../../runtime/model/definitions/events/event-trigger.ts";
import type { SessionVariables } from "../../../../runtime/model/templates/scope.ts";
import { HttpClient } from "../../../../runtime/outbound/http-client.ts";
import { type Behaviour, startWebhookReceiver, type WebhookReceiver } from "../../../support/webhook-receiver.ts";

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

const retry = { retries: 0, intervalSeconds: 10, timeoutSeconds: 5 };
const secret = `whsec_${Buffer.from("a secret of some length").toString("base64")}`;
const olderSecret = Buffer.from("an older one").toString("base64");
const environment = { TOKEN: "very secret", HOST: "", SIGNING: secret, OLDER: olderSecret, BROKEN: "not base64!" };

const attempt: WebhookAttempt = {
  id: "85558393-c75d-4d2f-9c15-e80591b83894",
  text: '{"event":{"new":{"id":12345678901234567890,"name":"Zoë"}}}',
  sessionVariables: () => ({ "x-engine-user-id": "7" }),
  trace: { "x-b3-traceid": "0123456789abcdef", "x-b3-spanid": "fedcba9876543210" },
  timeoutMessage: 'Event Trigger "t" timed out while processing.',
};

async function receiver(behave?: Behaviour): Promise<WebhookReceiver> {
  const opened = await startWebhookReceiver(behave);
  closers.push(() => opened.close());
  return opened;
}

function call(
  definition: Partial<WebhookDefinition> & Pick<WebhookDefinition, "url">,
  changed: Partial<WebhookAttempt> = {},
) {
  const client = new HttpClient({
    milliseconds: 1000,
    connections: 10,
    callsAtOnce: 100,
    responseBytes: Number.POSITIVE_INFINITY,
    redirects: 5,
  });
  closers.push(() => client.close());
  const webhook = openWebhook({ headers: [], retry, ...definition });
  const settings = {
    client,
    environment,
    version: "1.2.3",
    storedResponseBytes: 1000,
    logVersion: "2" as const,
    now: () => Date.now(),
  };
  return callWebhook(webhook, { ...attempt, ...changed }, settings);
}

const template = (text: string) => ({ url: { template: text } });

function logOf(outcome: Awaited<ReturnType<typeof call>>) {
  if (!("log" in outcome)) throw new Error("nothing is logged");
  const { status, request, response } = outcome.log;
  return { status, request: JSON.parse(request), response: JSON.parse(response), text: request };
}

describe("Webhook requests", () => {
  it("A webhook request has the stored payload, the default headers and the trace", async () => {
    const hook = await receiver();
    const outcome = await call(template(`${hook.url}/{{HOST}}in`));
    expect(outcome.kind).toBe("delivered");
    expect(hook.received).toMatchObject([
      {
        path: "/in",
        method: "POST",
        body: attempt.text,
        headers: {
          "content-type": "application/json",
          "user-agent": "engine-graphql-engine/v1.2.3",
          "x-b3-traceid": "0123456789abcdef",
          "x-b3-parentspanid": "fedcba9876543210",
        },
      },
    ]);
    expect(logOf(outcome).text).toContain("12345678901234567890");
  });

  it("A webhook request has the configured headers without changing defaults, and its log has no values of the environment", async () => {
    const hook = await receiver();
    const headers = [
      { name: "X-Plain", value: "ü" },
      { name: "X-Template", value: "Bearer {{TOKEN}}" },
      { name: "X-Env", valueFromEnv: "TOKEN" },
      { name: "content-type", value: "text/plain" },
      { name: "User-Agent", value: "me" },
    ];
    const outcome = await call({ ...template(hook.url), headers });
    expect(hook.received[0]?.headers).toMatchObject({
      "x-plain": Buffer.from("ü").toString("latin1"),
      "x-template": "Bearer very secret",
      "x-env": "very secret",
      "content-type": "application/json",
      "user-agent": "engine-graphql-engine/v1.2.3",
    });
    expect(logOf(outcome).request.headers).toEqual([
      { name: "Content-Type", value: "application/json" },
      { name: "User-Agent", value: "engine-graphql-engine/v1.2.3" },
      { name: "X-Plain", value: "ü" },
      { name: "X-Template", value: "Bearer {{TOKEN}}" },
      { name: "X-Env", value_from_env: "TOKEN" },
    ]);
    expect(JSON.stringify(outcome)).not.toContain("very secret");
  });

  it("A webhook request is signed with every secret over the bytes that are sent", async () => {
    const hook = await receiver();
    await call({ ...template(hook.url), signingSecrets: ["SIGNING", "OLDER"] });
    const { headers = {}, body = "" } = hook.received[0] ?? {};
    const signed = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
    expect(signed["webhook-id"]).toBe(attempt.id);
    for (const each of [secret, olderSecret]) expect(new Verifier(each).verify(body, signed)).toBeTruthy();
    const stranger = new Verifier(Buffer.from("a stranger").toString("base64"));
    expect(() => stranger.verify(body, signed)).toThrow();
    expect(() => new Verifier(secret).verify(`${body} `, signed)).toThrow();
  });

  it("A transformed webhook request is signed in its transformed form", async () => {
    const hook = await receiver();
    const outcome = await call({
      ...template(hook.url),
      signingSecrets: ["SIGNING"],
      headers: [{ name: "X-Gone", value: "x" }],
      requestTransform: {
        version: 2,
        method: "PUT",
        url: "{{$base_url}}/to/{{$session_variables['x-engine-user-id']}}",
        query_params: { q: "{{$body.event.new.name}}" },
        request_headers: { remove_headers: ["x-gone"], add_headers: { "X-New": "é" } },
        body: { action: "transform", template: '{"id": {{$body.event.new.id}}}' },
      },
    });
    const [received] = hook.received;
    expect(received).toMatchObject({ method: "PUT", path: "/to/7?q=Zo%C3%AB", body: '{"id":12345678901234567890}' });
    expect(received?.headers["x-gone"]).toBeUndefined();
    expect(received?.headers["x-new"]).toBe(Buffer.from("é").toString("latin1"));
    const signed = Object.fromEntries(
      Object.entries(received?.headers ?? {}).map(([name, value]) => [name, String(value)]),
    );
    expect(new Verifier(secret).verify(received?.body ?? "", signed)).toBeTruthy();
    expect(logOf(outcome).text).toContain('"payload":{"id":12345678901234567890}');
  });

  it("A webhook request keeps its bytes if the transform does not change the body", async () => {
    const hook = await receiver();
    await call({ ...template(hook.url), requestTransform: { version: 2, method: "PATCH" } });
    expect(hook.received).toMatchObject([{ method: "PATCH", body: attempt.text }]);
  });

  it("A webhook request may be a form or have no body", async () => {
    const hook = await receiver();
    const form = { action: "x_www_form_urlencoded", form_template: { a: "{{$body.event.new.name}}" } };
    await call({ ...template(hook.url), requestTransform: { version: 2, body: form } });
    const outcome = await call({ ...template(hook.url), requestTransform: { version: 2, body: { action: "remove" } } });
    expect(hook.received.map(({ body }) => body)).toEqual(["a=Zo%C3%AB", ""]);
    expect(logOf(outcome).request.payload).toBeNull();
  });
});

describe("Webhook requests that cannot be sent", () => {
  it("A webhook request is not sent if its transform fails", async () => {
    const hook = await receiver();
    const outcome = await call({
      ...template(hook.url),
      requestTransform: { version: 2, body: { action: "transform", template: "{{$body.nothing}}" } },
    });
    expect(outcome).toMatchObject({ kind: "refused", which: "request", errors: [{ error_code: "Attribute Error" }] });
    expect(hook.received).toEqual([]);
  });

  it("A webhook request is not sent if the environment lacks a variable", async () => {
    const outcome = await call({ url: { fromEnv: "NO_URL" }, headers: [{ name: "a", value: "{{NO_HEADER}}" }] });
    expect(outcome).toMatchObject({ kind: "failed", status: undefined, log: { status: 500 } });
    const message = "Error creating the request. The value for environment variables not found: NO_URL, NO_HEADER";
    expect(logOf(outcome).response.data).toEqual({ message });
  });

  it("A webhook request is not sent if a signing secret is invalid", async () => {
    const outcome = await call({ ...template("http://127.0.0.1:1"), signingSecrets: ["BROKEN"] });
    expect(logOf(outcome).response.data.message).toContain("BROKEN is not a signing secret");
    expect(JSON.stringify(outcome)).not.toContain("not base64!");
  });
});

describe("Webhook responses", () => {
  it("A webhook response is stored with its headers", async () => {
    const hook = await receiver((response) => {
      response.setHeader("set-cookie", ["a=1", "b=2"]).end("fine");
    });
    const { status, response } = logOf(await call(template(hook.url)));
    expect(status).toBe(200);
    expect(response).toMatchObject({ type: "webhook_response", version: "2", data: { status: 200, body: "fine" } });
    expect(response.data.headers).toEqual(
      expect.arrayContaining([
        { name: "set-cookie", value: "a=1" },
        { name: "set-cookie", value: "b=2" },
      ]),
    );
  });

  it("A webhook response with a failure status fails the attempt and may set the time of the retry", async () => {
    const hook = await receiver((response) => response.writeHead(503, { "retry-after": "7" }).end("later"));
    const outcome = await call(template(hook.url));
    expect(outcome).toMatchObject({ kind: "failed", status: 503, retryAfter: "7", log: { status: 503 } });
    expect(logOf(outcome).response).toEqual({ type: "client_error", version: "2", data: { message: "later" } });
  });

  it("A webhook response of 100 MB is cut and not read to its end", async () => {
    let sent = 0;
    const piece = Buffer.alloc(64 * 1024, "é");
    const hook = await receiver((response) => {
      const more = (): void => {
        while (sent < 100 * 1024 * 1024 && !response.destroyed) {
          sent += piece.length;
          if (!response.write(piece)) return void response.once("drain", more);
        }
        response.end();
      };
      more();
    });
    const { response } = logOf(await call(template(hook.url)));
    expect(response.data).toMatchObject({ status: 200, body: "é".repeat(500), body_is_cut: true });
    expect(sent).toBeLessThan(50 * 1024 * 1024);
  });

  it("A webhook response is transformed only if its status is 2xx", async () => {
    const responseTransform = { version: 2, body: { action: "transform", template: "{{$body.a}}" } };
    const answers = ['{"a": 98765432109876543210}', '{"a": 1}', "{}"];
    const hook = await receiver((response, { path }) => {
      response.statusCode = path === "/bad" ? 400 : 200;
      response.end(answers.shift());
    });
    const transformed = await call({ ...template(hook.url), responseTransform });
    expect(logOf(transformed).response.data.body).toBe("98765432109876543210");
    const refused = await call({ ...template(`${hook.url}/bad`), responseTransform });
    expect(logOf(refused).response.data.message).toBe('{"a": 1}');
    expect(await call({ ...template(hook.url), responseTransform })).toMatchObject({
      kind: "refused",
      which: "response",
    });
  });

  it("A webhook call times out after its configured timeout", async () => {
    const hook = await receiver(() => undefined);
    const outcome = await call({ ...template(hook.url), retry: { ...retry, timeoutSeconds: 0.2 } });
    expect(outcome).toMatchObject({ kind: "failed", status: undefined, log: { status: null } });
    expect(logOf(outcome).response.data.message).toBe('Event Trigger "t" timed out while processing.');
  });

  it("A reset or refused webhook connection fails the attempt", async () => {
    const hook = await receiver((response) => response.socket?.destroy());
    const outcome = await call(template(hook.url));
    expect(outcome).toMatchObject({ kind: "failed", status: undefined, log: { status: null } });
    expect(JSON.parse(logOf(outcome).response.data.message)).toMatchObject({ type: "http_exception" });
    await hook.close();
    expect(await call(template(hook.url))).toMatchObject({ kind: "failed", status: undefined });
  });

  it("A webhook redirect is followed within its origin but not to another origin", async () => {
    const other = await receiver();
    const hook = await receiver((response, { path }) => {
      if (path === "/moved") response.writeHead(307, { location: "/new" }).end();
      else if (path === "/away") response.writeHead(307, { location: other.url }).end();
      else response.end();
    });
    expect(await call(template(`${hook.url}/moved`))).toMatchObject({ kind: "delivered" });
    expect(hook.received.map(({ path }) => path)).toEqual(["/moved", "/new"]);
    const outcome = await call(template(`${hook.url}/away`));
    expect(outcome).toMatchObject({ kind: "failed", log: { status: null } });
    expect(other.received).toEqual([]);
  });

  it("A webhook call with an invalid URL or header fails without sending a request", async () => {
    for (const url of ["ftp://127.0.0.1/", "not a url", "http://127.0.0.1:99999/"]) {
      expect(await call(template(url))).toMatchObject({ kind: "failed", status: undefined });
    }
    const hook = await receiver();
    const headers = [{ name: "x", value: "a\r\nx-admin: 1" }];
    expect(await call({ ...template(hook.url), headers })).toMatchObject({ kind: "failed" });
    expect(hook.received).toEqual([]);
  });
});

describe("Session variables of webhook calls", () => {
  it("Session variables are read from the payload only if a transform may use them", async () => {
    const hook = await receiver();
    const sessionVariables = (): SessionVariables => {
      throw new Error("not needed");
    };
    expect(await call(template(hook.url), { sessionVariables })).toMatchObject({ kind: "delivered" });
  });
});
