import { describe, expect, it } from "vitest";
import { forwardedHeaders } from "../../../runtime/outbound/client-headers.ts";

describe("forwarded headers of a client", () => {
  it("hold credentials for others, and say where the request came from", () => {
    const headers = {
      authorization: "Bearer x",
      cookie: "a=b",
      host: "engine.test",
      "user-agent": "browser",
      origin: "http://page.test",
      "content-type": "text/plain",
      "x-other": "1",
    };
    expect(forwardedHeaders(headers)).toEqual({
      authorization: "Bearer x",
      cookie: "a=b",
      "x-other": "1",
      "x-forwarded-host": "engine.test",
      "x-forwarded-user-agent": "browser",
      "x-forwarded-origin": "http://page.test",
    });
  });

  it("never hold session variables and secrets of this server", () => {
    const headers = { "x-engine-admin-secret": "s", "x-engine-role": "user", "x-engine-user-id": "1" };
    expect(forwardedHeaders(headers)).toEqual({});
  });
});
