import { expect, it } from "vitest";
import { type PageSettings, pageCheck } from "../../../../runtime/http/auth/foreign-page.ts";

const corsDomains = { any: false, exact: new Set(["https://app.example"]), wildcard: new Set<string>() };
const open = {
  adminSecret: null,
  accessKey: null,
  adminSecrets: [],
  corsDomains,
  serverHost: "localhost",
  insecureNoSecret: false,
} as PageSettings;

it.each([
  [{ host: "localhost:8080" }, null],
  [{}, null],
  [{ host: "127.0.0.1:8080" }, null],
  [{ host: "[::1]:8080" }, null],
  [{ host: "rebound.example" }, "accepts only the Host"],
  [{ host: "not a host" }, "accepts only the Host"],
  [{ host: "localhost", origin: "https://app.example" }, null],
  [{ host: "localhost", origin: "http://localhost" }, null],
  [{ host: "localhost", origin: "https://other.example" }, "https://other.example"],
  [{ host: "localhost", "sec-fetch-site": "cross-site" }, "another site"],
  [{ host: "localhost", "sec-fetch-site": "same-origin" }, null],
] as const)("A server without a secret refuses foreign hosts and pages: %j", (headers, refusal) => {
  const error = pageCheck(open)?.("POST", headers) ?? null;
  if (refusal === null) expect(error).toBeNull();
  else expect(error?.message).toContain(refusal);
});

it.each([
  ["localhost", "localhost, 127.0.0.1, [::1],"],
  ["intern.example", "localhost, 127.0.0.1, [::1], intern.example,"],
])("The refusal of a foreign host lists the hosts that a server at %s accepts", (serverHost, hosts) => {
  const error = pageCheck({ ...open, serverHost })?.("GET", { host: "rebound.example" });
  expect(error?.message).toBe(
    `without an admin secret the server accepts only the Host ${hosts} not "rebound.example"; set ` +
      "--admin-secret (ENGINE_GRAPHQL_ADMIN_SECRET), or configure the proxy to send Host: localhost",
  );
});
