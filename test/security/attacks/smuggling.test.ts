/** A request is read in one way only, whatever a proxy in front makes of it. */
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

describe("a request", () => {
  it.each<readonly [string, readonly string[]]>([
    ["both kinds of length", ["content-length: 12", "transfer-encoding: chunked"]],
    ["two lengths", ["content-length: 12", "content-length: 5"]],
    ["a list of lengths", ["content-length: 12, 12"]],
    ["a signed length", ["content-length: +12"]],
    ["another coding than chunked at the end", ["transfer-encoding: chunked, identity"]],
    ["a blank before the colon", ["content-length : 12"]],
    ["a line break in a header", ["content-length: 12", "x-a: 1\nx-engine-role: user"]],
    ["a folded header", ["content-length: 12", "x-a: 1\r\n x-engine-role: user"]],
    ["a zero byte in a header", ["content-length: 12", "x-a: \0"]],
  ])("with %s gets nothing", async (_what, headers) => {
    const { port, operations } = await start();
    const answer = await exchange(port, request([secret, ...headers]));

    expect(answer).toMatch(/^HTTP\/1.1 400 /);
    expect(operations).toEqual([]);
  });

  it.each<readonly [string, readonly string[]]>([
    ["a wrong secret behind the right one", [secret, "x-engine-admin-secret: wrong"]],
    ["the right secret behind a wrong one", ["x-engine-admin-secret: wrong", secret]],
    ["the secret of one header in two", ["x-engine-admin-secret: fir", "x-engine-admin-secret: st"]],
  ])("with %s is refused", async (_what, headers) => {
    const { port, operations } = await start();
    expect(await exchange(port, request([...headers, "content-length: 12"]))).toMatch(/^HTTP\/1.1 401 /);
    expect(operations).toEqual([]);
  });

  it("with a compressed body is not inflated", async () => {
    const { port } = await start();
    const answer = await exchange(
      port,
      request([secret, "content-encoding: gzip", "content-length: 3"], "\x1f\x8b\x08"),
    );
    expect(answer).toMatch(/^HTTP\/1.1 400 /);
    expect(answer).toContain('"path":"$"');
  });
});
