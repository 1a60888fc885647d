import { request as httpRequest } from "node:http";
import { afterEach, describe, expect, it } from "vitest";
import { closeHarness, start } from "./harness.ts";

afterEach(closeHarness);

describe("WebSocket upgrades", () => {
  it("An upgrade is refused on other paths and on endpoints of a disabled group", async () => {
    const { open } = await start();
    const message = "only '/v1/graphql', '/v1alpha1/graphql' and '/v1beta1/relay' are supported on websockets";
    const body = { errors: [{ message, extensions: { path: "$", code: "not-found" } }] };
    await expect(open({ path: "/v1/metadata?a=/v1/graphql" })).rejects.toThrow(`404 ${JSON.stringify(body)}`);
    await closeHarness();
    const off = await start({ ENGINE_GRAPHQL_ENABLED_APIS: "metadata" });
    const missing = { error: "resource does not exist", path: "$", code: "not-found" };
    await expect(off.open({ path: "/v1/graphql" })).rejects.toThrow(`404 ${JSON.stringify(missing)}`);
  });

  it("An upgrade is refused for pages of foreign origins", async () => {
    const { open, events } = await start({ ENGINE_GRAPHQL_CORS_DOMAIN: "https://*.a.org" });
    const message = "received origin header does not match configured CORS domains";
    const error = { errors: [{ message, extensions: { path: "$", code: "access-denied" } }] };
    const foreign = { headers: { origin: "https://b.org" } };
    await expect(open(foreign)).rejects.toThrow(`400 ${JSON.stringify(error)}`);
    const plain = { error: message, path: "$", code: "access-denied" };
    await expect(open({ ...foreign, path: "/v1alpha1/graphql" })).rejects.toThrow(`400 ${JSON.stringify(plain)}`);
    expect(events()).toEqual(["rejected", "rejected"]);
    await open({ headers: { origin: "https://x.a.org" } });
    await open();
  });

  it("An upgrade accepts every origin if CORS is disabled, and the log notes that the cookie is ignored", async () => {
    const { open, log } = await start({ ENGINE_GRAPHQL_DISABLE_CORS: "true", ENGINE_GRAPHQL_ADMIN_SECRET: "hunter2" });
    await open({ headers: { origin: "https://b.org", cookie: "a=b" } });
    expect(log.join("")).toContain("cookie is not read when CORS is disabled");
  });

  it("An upgrade is refused during shutdown, which also closes open connections", async () => {
    const { open, url, websockets } = await start();
    const client = await open();
    websockets.close();
    expect(await client.closed).toEqual({ code: 1012, reason: "shutting server down" });
    const response = await new Promise<{ status: number | undefined; retry: string | undefined }>((resolve, reject) => {
      const headers = { upgrade: "websocket", connection: "upgrade" };
      const request = httpRequest(`${url}/v1/graphql`, { headers }, (response) => {
        response.resume();
        resolve({ status: response.statusCode, retry: response.headers["retry-after"] });
      });
      request.on("error", reject).end();
    });
    expect(response).toEqual({ status: 503, retry: "0" });
    await expect(open()).rejects.toThrow("503 Server is shutting down");
  });

  it("An upgrade to another protocol is handled as an ordinary HTTP request", async () => {
    const { url } = await start();
    const body = await new Promise<string>((resolve, reject) => {
      const headers = { upgrade: "h2c", connection: "Upgrade, HTTP2-Settings", "http2-settings": "" };
      const request = httpRequest(`${url}/v1/graphql`, { method: "POST", headers }, (response) => {
        response.setEncoding("utf8").on("data", resolve);
      });
      request.on("error", reject).end("{}");
    });
    expect(body).toBe("HTTP");
  });

  it("Compression is negotiated only if it is enabled", async () => {
    const { open } = await start({ ENGINE_GRAPHQL_CONNECTION_COMPRESSION: "true" });
    expect((await open({ compression: true })).ws.extensions).toContain("permessage-deflate");
    expect((await open()).ws.extensions).toBe("");
    await closeHarness();
    expect((await (await start()).open({ compression: true })).ws.extensions).toBe("");
  });
});
