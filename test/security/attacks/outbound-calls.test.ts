/** Redirects and crafted addresses cannot send the engine's calls, with their secrets, to other services. */
import { createServer, type IncomingMessage, type RequestListener } from "node:http";
import fc from "fast-check";
import { afterEach, describe, expect, it } from "vitest";
import { HttpClient } from "../../../runtime/outbound/http-client.ts";
import { defaultOutboundRules, parseOutboundRules } from "../../../runtime/values/outbound-rules.ts";
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

describe("Redirects of outbound calls", () => {
  it.each([301, 302, 303, 307, 308])("A redirect with %i to another origin is not followed", async (status) => {
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
    "A redirect to %s is not followed",
    async (location) => {
      const hook = await serve((_, reply) => reply.writeHead(307, { location }).end());
      await expect(client().call({ method: "POST", body: "secret", url: hook, headers: secrets })).rejects.toThrow(
        "the service redirects to another origin",
      );
    },
  );

  it("A redirect within the origin keeps the method or changes it to GET, depending on the status", async () => {
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

  it("A call with endless redirects returns the last redirect", async () => {
    let count = 0;
    const hook = await serve((_, reply) => {
      count++;
      reply.writeHead(307, { location: "/again" }).end();
    });
    expect((await client().call({ method: "GET", url: hook, headers: {} })).status).toBe(307);
    expect(count).toBe(6);
  });
});

describe("Addresses of metadata services", () => {
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
  ])("A metadata service address is never called: %s", async (url) => {
    await expect(client().call({ method: "GET", url, headers: {} })).rejects.toThrow("may expose credentials");
  });

  /** Embeds an IPv4 address in an IPv6 address. `same`: in a form that also represents the address in a list. */
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

  it("Outbound rules treat an IPv4 address alike in every IPv6 form", () => {
    const lists = ["", "10.0.0.0/8", "169.254.0.0/16", "::/0", "2000::/3", "named.example"];
    const addresses = fc.oneof(
      fc.tuple(fc.nat(255), fc.nat(255), fc.nat(255), fc.nat(255)),
      fc.tuple(fc.constantFrom(169, 10, 168, 100, 192), fc.constantFrom(254, 63, 100, 0), fc.nat(255), fc.nat(255)),
      fc.constantFrom([100, 100, 100, 200] as const, [192, 0, 0, 192] as const, [168, 63, 129, 16] as const),
    );
    const law = fc.property(addresses, fc.constantFrom(...lists), fc.constantFrom(...forms), (bytes, list, form) => {
      const plain = bytes.join(".");
      // 0.0.0.0/8 would be written as addresses that IPv6 itself defines, such as `::` and `::1`.
      fc.pre(bytes[0] !== 0);
      const rules = list === "" ? defaultOutboundRules : parseOutboundRules(list);
      const hex = bytes.map((byte) => byte.toString(16).padStart(2, "0"));
      const address = form.write(`${hex[0]}${hex[1]}`, `${hex[2]}${hex[3]}`);
      const [expected, found] = [rules?.refusal("a.example", plain), rules?.refusal("a.example", address)];
      const lists6 = list.includes(":");
      if (expected?.includes("may expose credentials")) expect(found).toContain("may expose credentials");
      // Local NAT64 prefixes have several lengths, so that the same bits can also denote an address of a later byte.
      else if (!form.same && found?.includes("may expose credentials")) expect(plain).toContain(".169.254");
      else if (expected === undefined && (form.same || list === "")) expect(found).toBeUndefined();
      else if (expected !== undefined && !lists6) expect(found).toContain("is not among the hosts");
    });
    fc.assert(law, { numRuns: 5000 });
  });

  it("A metadata service address with a zone is refused, and listed hosts match with or without a trailing dot", () => {
    expect(defaultOutboundRules.refusal("host.example", "fe80::1%eth0")).toContain("may expose credentials");
    expect(defaultOutboundRules.refusal("host.example", "::169.254.169.254%1")).toContain("may expose credentials");
    expect(parseOutboundRules("host.example")?.refusal("Host.example.", "192.0.2.1")).toBeUndefined();
  });

  it("A metadata service address is refused under any name, and so are unlisted hosts", async () => {
    const rules = parseOutboundRules("localhost, 10.0.0.0/8");
    expect(rules?.refusal("metadata.example", "169.254.169.254")).toContain("may expose credentials");
    expect(rules?.refusal("localhost", "169.254.1.1")).toContain("may expose credentials");
    expect(rules?.refusal("localhost", "127.0.0.1")).toBeUndefined();
    expect(rules?.refusal("inside.example", "10.1.2.3")).toBeUndefined();
    expect(rules?.refusal("outside.example", "192.0.2.1")).toContain("not among the hosts");
    expect(defaultOutboundRules.refusal("outside.example", "192.0.2.1")).toBeUndefined();
    expect(parseOutboundRules("169.254.169.254")?.refusal("m", "169.254.169.254")).toBeUndefined();
    for (const text of ["", "a b", "10.0.0.0/33", "10.0.0", "::1/200", "http://x"]) {
      expect(parseOutboundRules(text), text).toBeUndefined();
    }
  });

  it("Outbound rules are checked after the name is resolved", async () => {
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

describe("Outbound calls of authentication", () => {
  const begin = async (environment: Readonly<Record<string, unknown>>) => {
    const opened = await testAuthenticator(environment);
    ends.push(() => opened.close());
    return opened;
  };
  const keys = (jwk_url: string) => ({ JWT_SECRET: { jwk_url } });

  it("An authentication webhook is called only if outbound rules allow it", async () => {
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
      expect(refused.log.join()).toMatch(/not among the hosts|may expose credentials/);
    }
  });

  it("A key set is fetched only if outbound rules allow it", async () => {
    const url = await serve((_, reply) => reply.end('{"keys":[]}'));
    // Concurrently, because each start retries for some seconds before it fails.
    await Promise.all([
      expect(begin({ ...keys(url), OUTBOUND_ALLOW: "10.0.0.0/8" })).rejects.toThrow("not among the hosts"),
      expect(begin(keys("http://169.254.169.254/jwk"))).rejects.toThrow("may expose credentials"),
      begin({ ...keys(url), OUTBOUND_ALLOW: "127.0.0.0/8" }),
    ]);
  });
});
