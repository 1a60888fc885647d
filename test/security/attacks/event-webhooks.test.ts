/**
 * Payloads of event triggers: values from rows, sessions and the environment in requests, and responses of malicious
 * webhooks.
 */
import { afterEach, describe, expect, it } from "vitest";
import { callWebhook, type WebhookAttempt } from "../../../runtime/jobs/delivery/call-webhook.ts";
import { nextAttempt } from "../../../runtime/jobs/delivery/deliver.ts";
import { openWebhook } from "../../../runtime/jobs/delivery/webhook.ts";
import type { WebhookDefinition } from "../../../runtime/model/definitions/events/event-trigger.ts";
import { HttpClient } from "../../../runtime/outbound/http-client.ts";
import { type Behaviour, startWebhookReceiver, type WebhookReceiver } from "../../support/webhook-receiver.ts";

const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

async function receiver(behave?: Behaviour): Promise<WebhookReceiver> {
  const opened = await startWebhookReceiver(behave);
  ends.push(() => opened.close());
  return opened;
}

const environment = {
  TOKEN: "Bearer very-secret",
  SPLIT: "value\r\nx-injected: very-secret",
  HOST: "hook.invalid",
  NO_URL: "very-secret",
  SIGNING: `whsec_${Buffer.from("very-secret-and-long-enough").toString("base64")}`,
};
const secrets = /very-secret|dmVyeS1zZWNyZX/;

/** Runs one attack through a trigger and a row that the attacker controls. */
async function attack(
  definition: Partial<WebhookDefinition> & Pick<WebhookDefinition, "url">,
  changed: Partial<WebhookAttempt> = {},
) {
  const client = new HttpClient({
    milliseconds: 5000,
    connections: 10,
    callsAtOnce: 100,
    responseBytes: Number.POSITIVE_INFINITY,
    redirects: 5,
  });
  ends.push(() => client.close());
  const retry = { retries: 0, intervalSeconds: 10, timeoutSeconds: 2 };
  const settings = {
    client,
    environment,
    version: "1.2.3",
    storedResponseBytes: 2000,
    logVersion: "2" as const,
    now: () => Date.now(),
  };
  const attempt: WebhookAttempt = {
    id: "85558393-c75d-4d2f-9c15-e80591b83894",
    text: '{"event":{"data":{"new":{"name":"x"}}}}',
    sessionVariables: () => ({}),
    trace: {},
    timeoutMessage: "timed out",
    ...changed,
  };
  return callWebhook(openWebhook({ headers: [], retry, ...definition }), attempt, settings);
}

const at = ({ url }: WebhookReceiver, path = "/") => ({ url: { template: `${url}${path}` } });

/** Puts the name of the row into a header. */
const named = {
  version: 2,
  template_engine: "Kriti",
  request_headers: { add_headers: { "x-name": "{{$body.event.data.new.name}}" } },
};
const row = (name: string) => ({ text: JSON.stringify({ event: { data: { new: { name } } } }) });

describe("Headers of event webhooks", () => {
  it("A webhook header may contain the value of a row", async () => {
    const hook = await receiver();
    expect(await attack({ ...at(hook), requestTransform: named }, row("Zoë: a, b"))).toMatchObject({
      kind: "delivered",
    });
    expect(Buffer.from(String(hook.received[0]?.headers["x-name"]), "latin1").toString("utf8")).toBe("Zoë: a, b");
  });

  it.each(["x\r\nx-injected: 1", "x\nx-injected: 1", "x\u0000", "x\r\n\r\nGET / HTTP/1.1\r\nx-injected: 1"])(
    "A row's value cannot inject a webhook header: %j",
    async (name) => {
      const hook = await receiver();
      const outcome = await attack({ ...at(hook), requestTransform: named }, row(name));
      expect(outcome.kind).not.toBe("delivered");
      expect(hook.received).toEqual([]);
    },
  );

  it("A session variable or trace cannot inject a webhook header", async () => {
    const hook = await receiver();
    const injected = "x\r\nx-injected: 1";
    await attack(
      {
        ...at(hook),
        requestTransform: {
          version: 2,
          template_engine: "Kriti",
          request_headers: { add_headers: { "x-user": "{{$session_variables['x-engine-user-id']}}" } },
        },
      },
      { sessionVariables: () => ({ "x-engine-user-id": injected }) },
    );
    expect(hook.received).toEqual([]);
    const trace = { "x-b3-traceid": injected, "x-b3-spanid": injected, "x-b3-sampled": injected };
    expect(await attack(at(hook), { trace })).toMatchObject({ kind: "delivered" });
    expect(hook.received[0]?.headers).not.toHaveProperty("x-injected");
    expect(hook.received[0]?.headers["x-b3-traceid"]).toMatch(/^[0-9a-f]{32}$/);
  });

  it("A header split by an environment value is neither sent nor logged", async () => {
    const hook = await receiver();
    const outcome = await attack({ ...at(hook), headers: [{ name: "x-split", valueFromEnv: "SPLIT" }] });
    expect(outcome.kind).toBe("failed");
    expect(hook.received).toEqual([]);
    expect(JSON.stringify(outcome)).not.toMatch(secrets);
  });
});

describe("Addresses of event webhooks", () => {
  it.each(["/../../admin", "//other.invalid/", "@other.invalid/", "x?y=1&z=2#fragment", "http://other.invalid/"])(
    "A webhook URL keeps its origin and path for any row value: %s",
    async (name) => {
      const hook = await receiver();
      await attack(
        {
          ...at(hook, "/hook"),
          requestTransform: {
            version: 2,
            template_engine: "Kriti",
            url: "{{$base_url}}/{{escapeUri($body.event.data.new.name)}}",
            query_params: { q: "{{$body.event.data.new.name}}" },
          },
        },
        row(name),
      );
      const [{ path } = { path: "" }] = hook.received;
      expect(path).toMatch(/^\/hook\/[^/?]*\?q=[^&]*$/);
      expect(new URL(path, "http://x").searchParams.get("q")).toBe(name);
    },
  );

  it.each(["file:///etc/passwd", "ftp://127.0.0.1/", "gopher://127.0.0.1/", "data:,x", "javascript:1", "unix:/x"])(
    "A webhook URL must use HTTP: %s",
    async (template) => {
      expect(await attack({ url: { template } })).toMatchObject({ kind: "failed", status: undefined });
    },
  );

  it.each([
    { template: "http://{{HOST}}/{{NO_URL}}" },
    { fromEnv: "NO_URL" },
    { template: "http://127.0.0.1:9/{{TOKEN}}" },
  ])("A failed webhook call does not log values of the environment: %j", async (url) => {
    const outcome = await attack({ url, headers: [{ name: "Authorization", valueFromEnv: "TOKEN" }] });
    expect(outcome.kind).toBe("failed");
    expect(JSON.stringify(outcome)).not.toMatch(secrets);
  });
});

describe("Redirects of event webhooks", () => {
  it.each([301, 302, 303, 307, 308])(
    "A redirect with %i does not send the row, secrets or signature to another origin",
    async (status) => {
      const thief = await receiver();
      const hook = await receiver((response) => response.writeHead(status, { location: `${thief.url}/steal` }).end());
      const outcome = await attack({
        ...at(hook),
        headers: [{ name: "Authorization", valueFromEnv: "TOKEN" }],
        signingSecrets: ["SIGNING"],
      });
      expect(outcome).toMatchObject({ kind: "failed" });
      expect(thief.received).toEqual([]);
      expect(hook.received[0]?.headers.authorization).toBe(environment.TOKEN);
      expect(JSON.stringify(outcome)).not.toMatch(secrets);
    },
  );

  it("Circular webhook redirects end", async () => {
    const hook = await receiver((response) => response.writeHead(307, { location: "/again" }).end());
    expect(await attack(at(hook))).toMatchObject({ kind: "failed", status: 307 });
    expect(hook.received.length).toBeLessThan(10);
  });
});

describe("Stored webhook requests", () => {
  it("A stored webhook request names environment variables without showing their values", async () => {
    const hook = await receiver();
    const outcome = await attack({
      ...at(hook, "/{{NO_URL}}"),
      headers: [
        { name: "Authorization", valueFromEnv: "TOKEN" },
        { name: "x-template", value: "{{TOKEN}}" },
      ],
      signingSecrets: ["SIGNING"],
    });
    expect(outcome.kind).toBe("delivered");
    expect(hook.received[0]?.headers).toMatchObject({
      authorization: environment.TOKEN,
      "x-template": environment.TOKEN,
    });
    expect(JSON.stringify(outcome)).not.toMatch(secrets);
  });
});

describe("Responses of event webhooks", () => {
  it("A webhook response that is not UTF-8 is stored as valid text", async () => {
    const hook = await receiver((response) =>
      response.end(Buffer.from([0xff, 0xfe, 0x00, 0xc3, 0x28, 0xed, 0xa0, 0x80])),
    );
    const outcome = await attack(at(hook));
    if (outcome.kind !== "delivered") throw new Error(outcome.kind);
    expect(JSON.parse(outcome.log.response).data.body).toMatch(/\ufffd/);
    expect(outcome.log.response).not.toContain("\u0000");
    expect(Buffer.from(outcome.log.response, "utf8").toString("utf8")).toBe(outcome.log.response);
  });

  it.each([200, 500])("A webhook response of 100 MB with status %i is read only in part", async (status) => {
    let sent = 0;
    const hook = await receiver((response) => {
      response.writeHead(status);
      const chunk = Buffer.alloc(64 * 1024, "x");
      const more = (): void => {
        for (; sent < 100_000_000; ) {
          sent += chunk.length;
          if (!response.write(chunk)) {
            response.once("drain", more);
            return;
          }
        }
        response.end();
      };
      more();
    });
    const outcome = await attack(at(hook));
    if (!("log" in outcome)) throw new Error(outcome.kind);
    expect(outcome.log.response.length).toBeLessThan(5000);
    expect(sent).toBeLessThan(20_000_000);
  });

  it("A slow webhook response times out after the trigger's timeout", async () => {
    const hook = await receiver((response) => {
      response.writeHead(200);
      const drip = setInterval(() => response.write("x"), 50);
      response.on("close", () => clearInterval(drip));
    });
    const start = performance.now();
    const outcome = await attack(at(hook));
    expect(performance.now() - start).toBeLessThan(10_000);
    expect(outcome).toMatchObject({ kind: "failed", status: undefined });
    expect(JSON.stringify(outcome)).toContain("timed out");
  });

  it("A webhook response with oversized headers fails the attempt", async () => {
    for (const header of ["x: y\r\n".repeat(100_000), `x: ${"y".repeat(1_000_000)}\r\n`]) {
      const hook = await receiver((response) => {
        response.socket?.write(`HTTP/1.1 200 OK\r\n${header}content-length: 0\r\n\r\n`);
      });
      expect(await attack(at(hook))).toMatchObject({ kind: "failed", status: undefined });
    }
  });

  it("Retry-After of a webhook cannot set the next attempt to the past or forever", async () => {
    const values = ["-1", "1e9", "99999999999999999999", "0", "Fri, 31 Dec 2999 23:59:59 GMT", "NaN", "Infinity"];
    for (const retryAfter of values) {
      const hook = await receiver((response) => response.writeHead(503, { "retry-after": retryAfter }).end());
      const outcome = await attack(at(hook));
      if (outcome.kind !== "failed") throw new Error(outcome.kind);
      const policy = { retries: 1, intervalSeconds: 10, timeoutSeconds: 60 };
      expect(nextAttempt({ ...outcome, tries: 0 }, policy, () => 0)).toBe(10);
      expect(nextAttempt({ ...outcome, tries: 1 }, policy, () => 0)).toBeUndefined();
    }
  });
});
