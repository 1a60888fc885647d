/** Each request has exactly one interpretation, regardless of the proxy in front. */
import { afterEach, describe, expect, it } from "vitest";
import { parseOptions } from "../../../runtime/config/options.ts";
import { Secret } from "../../../runtime/config/secret.ts";
import { createAuthenticator } from "../../../runtime/http/auth/authenticate.ts";
import { exchange, startStubApp } from "../../support/stub-app.ts";

const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

async function start() {
  const authenticator = createAuthenticator(
    { kind: "admin-secret", secrets: [new Secret("first")], unauthorizedRole: null },
    parseOptions({}, {}).corsDomains,
  );
  const app = await startStubApp({}, { authenticator });
  ends.push(() => app.app.close());
  return app;
}

const request = (headers: readonly string[], body = '{"type":"t"}'): string =>
  ["POST /v1/metadata HTTP/1.1", "host: localhost", ...headers, "connection: close", "", body].join("\r\n");
const secret = "x-engine-admin-secret: first";

describe("Request smuggling", () => {
  it.each<readonly [string, readonly string[]]>([
    ["both kinds of length", ["content-length: 12", "transfer-encoding: chunked"]],
    ["two lengths", ["content-length: 12", "content-length: 5"]],
    ["a list of lengths", ["content-length: 12, 12"]],
    ["a signed length", ["content-length: +12"]],
    ["a final coding other than chunked", ["transfer-encoding: chunked, identity"]],
    ["a blank before the colon", ["content-length : 12"]],
    ["a line break in a header", ["content-length: 12", "x-a: 1\nx-engine-role: user"]],
    ["a folded header", ["content-length: 12", "x-a: 1\r\n x-engine-role: user"]],
    ["a zero byte in a header", ["content-length: 12", "x-a: \0"]],
  ])("A request with %s is refused with status 400", async (_what, headers) => {
    const { port, operations } = await start();
    const answer = await exchange(port, request([secret, ...headers]));

    expect(answer).toMatch(/^HTTP\/1.1 400 /);
    expect(operations).toEqual([]);
  });

  it.each<readonly [string, readonly string[]]>([
    ["a wrong secret after the right one", [secret, "x-engine-admin-secret: wrong"]],
    ["the right secret after a wrong one", ["x-engine-admin-secret: wrong", secret]],
    ["one secret split over two headers", ["x-engine-admin-secret: fir", "x-engine-admin-secret: st"]],
  ])("A request with %s is refused with status 401", async (_what, headers) => {
    const { port, operations } = await start();
    expect(await exchange(port, request([...headers, "content-length: 12"]))).toMatch(/^HTTP\/1.1 401 /);
    expect(operations).toEqual([]);
  });

  it("A request with a compressed body is refused without decompression", async () => {
    const { port } = await start();
    const answer = await exchange(
      port,
      request([secret, "content-encoding: gzip", "content-length: 3"], "\x1f\x8b\x08"),
    );
    expect(answer).toMatch(/^HTTP\/1.1 400 /);
    expect(answer).toContain('"path":"$"');
  });
});
