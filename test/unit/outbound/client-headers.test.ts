import { describe, expect, it } from "vitest";
import { forwardedHeaders } from "../../../runtime/outbound/client-headers.ts";

describe("Forwarded client headers", () => {
  it("Forwarded headers include the client's credentials and the origin of the request", () => {
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

  it("Forwarded headers exclude session variables and secrets of this server", () => {
    const headers = { "x-engine-admin-secret": "s", "x-engine-role": "user", "x-engine-user-id": "1" };
    expect(forwardedHeaders(headers)).toEqual({});
  });
});
