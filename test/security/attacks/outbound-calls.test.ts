/** What the engine sends to one service does not reach another one, or the client, by detours. */
import { createServer, type IncomingMessage, type RequestListener } from "node:http";
import fc from "fast-check";
import { afterEach, describe, expect, it } from "vitest";
import { HttpClient } from "../../../runtime/outbound/http-client.ts";
import { parseOutboundRules, usualOutboundRules } from "../../../runtime/values/outbound-rules.ts";
import { testAuthenticator } from "../../unit/http/auth/jwt/authenticator.ts";

const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  ends.push(() => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  });
  const address = server.address();
  return `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`;
}

function client(): HttpClient {
  const opened = new HttpClient({
    milliseconds: 5000,
    connections: 2,
    callsAtOnce: 3,
    responseBytes: 10_000,
    redirects: 5,
  });
  ends.push(() => opened.close());
  return opened;
}

const secrets = {
  authorization: "Bearer secret",
  cookie: "session=secret",
  "x-engine-user-id": "secret",
  "x-configured": "secret",
};

describe("a redirect", () => {
  it.each([301, 302, 303, 307, 308])("with %i to another origin is not followed", async (status) => {
    const stolen: IncomingMessage[] = [];
    const other = await serve((request, reply) => {
      stolen.push(request);
      reply.end("{}");
    });
    const hook = await serve((_, reply) => reply.writeHead(status, { location: `${other}/steal` }).end());
    for (const call of [{ method: "POST", body: "secret" } as const, { method: "GET" } as const]) {
      await expect(client().call({ ...call, url: `${hook}/validate`, headers: secrets })).rejects.toThrow(
        `the service redirects to another origin, ${other}, which is not followed: name it directly`,
      );
    }
    expect(stolen).toEqual([]);
  });

  it.each(["https://127.0.0.1:1/", "file:///etc/passwd", "data:,a", "//other.example/"])(
    "to %s is not followed",
    async (location) => {
      const hook = await serve((_, reply) => reply.writeHead(307, { location }).end());
      await expect(client().call({ method: "POST", body: "secret", url: hook, headers: secrets })).rejects.toThrow(
        "the service redirects to another origin",
      );
    },
  );

  it("within the origin keeps the call as it is, or asks for the answer", async () => {
    const listener: RequestListener = async (request, reply) => {
      const { url = "", method, headers } = request;
      if (url.startsWith("/to/")) return reply.writeHead(Number(url.slice(4)), { location: "/there" }).end();
      let body = "";
      for await (const chunk of request) body += chunk;
      reply.end(`${method} ${headers.authorization} ${body}`);
    };
    const hook = await serve((request, reply) => void listener(request, reply));
    const answer = async (status: number): Promise<string> =>
      (await client().call({ method: "POST", url: `${hook}/to/${status}`, headers: secrets, body: "text" })).text;
    expect(await answer(308)).toBe("POST Bearer secret text");
    expect(await answer(307)).toBe("POST Bearer secret text");
    expect(await answer(303)).toBe("GET Bearer secret ");
    expect(await answer(302)).toBe("GET Bearer secret ");
  });

  it("that never ends is answered as it is", async () => {
    let count = 0;
    const hook = await serve((_, reply) => {
      count++;
      reply.writeHead(307, { location: "/again" }).end();
    });
    expect((await client().call({ method: "GET", url: hook, headers: {} })).status).toBe(307);
    expect(count).toBe(6);
  });
});

describe("addresses that give credentials away", () => {
  it.each([
    "http://169.254.169.254/latest/meta-data",
    "http://2852039166/",
    "http://0xa9.254.43518/",
    "http://[::ffff:169.254.169.254]/",
    "http://[::ffff:a9fe:a9fe]/",
    "http://[fe80::1]/",
    "http://[fd00:ec2::254]/",
    "http://[64:ff9b::a9fe:a9fe]/",
    "http://100.100.100.200/",
    "http://0251.0376.0251.0376/",
    "http://169.254.169.254./",
    "http://[::169.254.169.254]/",
    "http://[::ffff:0:169.254.169.254]/",
    "http://[2002:a9fe:a9fe::]/",
    "http://[2002:a9fe:a9fe::1]/",
    "http://[2001:0:a9fe:a9fe::1]/",
    "http://[2001:0:c000:201:0:0:5601:5601]/",
    "http://[64:ff9b:1::a9fe:a9fe]/",
    "http://[64:ff9b:1:a9fe:a9:fe00::]/",
    "http://[64:ff9b:1:a9:fe:a9fe::]/",
    "http://[64:ff9b:1:0:a9:fea9:fe00:0]/",
    "http://[2a00:1::5efe:169.254.169.254]/",
    "http://[2a00:1::200:5efe:169.254.169.254]/",
    "http://[::ffff:6464:64c8]/",
    "http://[fec0::1]/",
    "http://[fd00:ec2::23]/",
    "http://[fd20:ce::254]/",
  ])("are not called: %s", async (url) => {
    await expect(client().call({ method: "GET", url, headers: {} })).rejects.toThrow("gives credentials away");
  });

  /** Places an IPv4 address in an address of IPv6. `same`: in a form that stands for the address in a list, too. */
  const forms: readonly { readonly same: boolean; readonly write: (high: string, low: string) => string }[] = [
    { same: true, write: (high, low) => `::ffff:${high}:${low}` },
    { same: true, write: (high, low) => `::ffff:0:${high}:${low}` },
    { same: true, write: (high, low) => `::${high}:${low}` },
    { same: true, write: (high, low) => `64:ff9b::${high}:${low}` },
    { same: true, write: (high, low) => `2002:${high}:${low}::1` },
    { same: false, write: (high, low) => `64:ff9b:1::${high}:${low}` },
    { same: false, write: (high, low) => `64:ff9b:1:${high}:${low.slice(0, 2)}:${low.slice(2)}00::` },
    { same: false, write: (high, low) => `2001:0:${high}:${low}::` },
    { same: false, write: (high, low) => `2001:0:808:808::${inverted(high)}:${inverted(low)}` },
    { same: false, write: (high, low) => `2a00:1:2:3:0:5efe:${high}:${low}` },
    { same: false, write: (high, low) => `2a00:1:2:3:200:5efe:${high}:${low}` },
  ];
  const inverted = (group: string) => (Number.parseInt(group, 16) ^ 0xffff).toString(16);

  it("have the same verdict in every form of IPv6 that has an IPv4 address in it", () => {
    const lists = ["", "10.0.0.0/8", "169.254.0.0/16", "::/0", "2000::/3", "named.example"];
    const addresses = fc.oneof(
      fc.tuple(fc.nat(255), fc.nat(255), fc.nat(255), fc.nat(255)),
      fc.tuple(fc.constantFrom(169, 10, 168, 100, 192), fc.constantFrom(254, 63, 100, 0), fc.nat(255), fc.nat(255)),
      fc.constantFrom([100, 100, 100, 200] as const, [192, 0, 0, 192] as const, [168, 63, 129, 16] as const),
    );
    const law = fc.property(addresses, fc.constantFrom(...lists), fc.constantFrom(...forms), (bytes, list, form) => {
      const plain = bytes.join(".");
      // Those of IPv6 itself: `::` and `::1` among them.
      fc.pre(bytes[0] !== 0);
      const rules = list === "" ? usualOutboundRules : parseOutboundRules(list);
      const hex = bytes.map((byte) => byte.toString(16).padStart(2, "0"));
      const address = form.write(`${hex[0]}${hex[1]}`, `${hex[2]}${hex[3]}`);
      const [expected, found] = [rules?.refusal("a.example", plain), rules?.refusal("a.example", address)];
      const lists6 = list.includes(":");
      if (expected?.includes("gives credentials away")) expect(found).toContain("gives credentials away");
      else if (expected === undefined && (form.same || list === "")) expect(found).toBeUndefined();
      else if (expected !== undefined && !lists6) expect(found).toContain("is not among the hosts");
    });
    fc.assert(law, { numRuns: 5000 });
  });

  it("are not called with a zone, and hosts are listed with or without the dot at their end", () => {
    expect(usualOutboundRules.refusal("host.example", "fe80::1%eth0")).toContain("gives credentials away");
    expect(usualOutboundRules.refusal("host.example", "::169.254.169.254%1")).toContain("gives credentials away");
    expect(parseOutboundRules("host.example")?.refusal("Host.example.", "192.0.2.1")).toBeUndefined();
  });

  it("are not called under a name, nor is any host that is not listed", async () => {
    const rules = parseOutboundRules("localhost, 10.0.0.0/8");
    expect(rules?.refusal("metadata.example", "169.254.169.254")).toContain("gives credentials away");
    expect(rules?.refusal("localhost", "169.254.1.1")).toContain("gives credentials away");
    expect(rules?.refusal("localhost", "127.0.0.1")).toBeUndefined();
    expect(rules?.refusal("inside.example", "10.1.2.3")).toBeUndefined();
    expect(rules?.refusal("outside.example", "192.0.2.1")).toContain("not among the hosts");
    expect(usualOutboundRules.refusal("outside.example", "192.0.2.1")).toBeUndefined();
    expect(parseOutboundRules("169.254.169.254")?.refusal("m", "169.254.169.254")).toBeUndefined();
    for (const text of ["", "a b", "10.0.0.0/33", "10.0.0", "::1/200", "http://x"]) {
      expect(parseOutboundRules(text), text).toBeUndefined();
    }
  });

  it("are looked at when a name is resolved", async () => {
    const hook = await serve((_, reply) => reply.end("{}"));
    const url = hook.replace("127.0.0.1", "localhost");
    const limits = { milliseconds: 5000, connections: 2, callsAtOnce: 3, responseBytes: 10_000, redirects: 5 };
    const only = (text: string) => {
      const outbound = parseOutboundRules(text);
      const opened = new HttpClient({ ...limits, ...(outbound && { outbound }) });
      ends.push(() => opened.close());
      return opened.call({ method: "GET", url, headers: {} });
    };
    await expect(only("other.example")).rejects.toThrow("localhost is not among the hosts of --outbound-allow");
    expect((await only("localhost")).status).toBe(200);
    expect((await only("127.0.0.0/8,::1")).status).toBe(200);
  });
});

describe("authentication", () => {
  const begin = async (environment: Readonly<Record<string, unknown>>) => {
    const opened = await testAuthenticator(environment);
    ends.push(() => opened.close());
    return opened;
  };
  const keys = (jwk_url: string) => ({ JWT_SECRET: { jwk_url } });

  it("asks hooks only where calls may go", async () => {
    const hook = await serve((_, reply) => reply.end('{"x-engine-role":"user"}'));
    const allowed = await begin({ AUTH_HOOK: hook, OUTBOUND_ALLOW: "127.0.0.1" });
    expect(await allowed.session({})).toMatchObject({ role: "user" });
    for (const environment of [
      { AUTH_HOOK: hook, OUTBOUND_ALLOW: "10.0.0.0/8" },
      { AUTH_HOOK: hook.replace("127.0.0.1", "localhost"), OUTBOUND_ALLOW: "other.example" },
      { AUTH_HOOK: "http://169.254.169.254/latest" },
    ]) {
      const refused = await begin(environment);
      await expect(refused.session({}), environment.AUTH_HOOK).rejects.toThrow("webhook authentication request failed");
      expect(refused.log.join()).toMatch(/not among the hosts|gives credentials away/);
    }
  });

  it("fetches keys only from where calls may go", async () => {
    const url = await serve((_, reply) => reply.end('{"keys":[]}'));
    // It tries again for some seconds before it gives up.
    await Promise.all([
      expect(begin({ ...keys(url), OUTBOUND_ALLOW: "10.0.0.0/8" })).rejects.toThrow("not among the hosts"),
      expect(begin(keys("http://169.254.169.254/jwk"))).rejects.toThrow("gives credentials away"),
      begin({ ...keys(url), OUTBOUND_ALLOW: "127.0.0.0/8" }),
    ]);
  });
});
