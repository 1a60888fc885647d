import { describe, expect, it } from "vitest";
import { HttpUrl } from "../../../../../runtime/config/http-url.ts";
import { hookCall } from "../../../../../runtime/http/auth/webhook/hook-call.ts";
import { readGraphqlRequest } from "../../../../../runtime/http/graphql-body.ts";
import type { AuthenticationContext } from "../../../../../runtime/ports/authentication.ts";
import type { RequestHeaders } from "../../../../../runtime/ports/headers.ts";
import { JsonNumber } from "../../../../../runtime/values/json-number.ts";

const url = new HttpUrl(new URL("http://hook.test/auth?code=1"));
const get = (headers: RequestHeaders) => hookCall({ url, method: "get", sendRequestBody: true }, headers, {}, "1.2.3");
const post = async (headers: RequestHeaders, context: AuthenticationContext = {}, sendRequestBody = true) => {
  const { body, ...call } = await hookCall({ url, method: "post", sendRequestBody }, headers, context, "1.2.3");
  return { ...call, body: body ?? "" };
};

const own = {
  "content-type": "application/json",
  "user-agent": "engine-graphql-engine/v1.2.3",
  "x-b3-traceid": expect.stringMatching(/^[0-9a-f]{32}$/),
  "x-b3-spanid": expect.stringMatching(/^[0-9a-f]{16}$/),
};

const utf8 = Buffer.from("Zoë", "utf8").toString("latin1");

describe("Authentication webhook calls with GET", () => {
  it("A GET call forwards the request headers except those about connection and body", async () => {
    const headers = {
      authorization: "Bearer x",
      cookie: "a=b",
      "x-engine-role": "user",
      "x-name": utf8,
      "content-length": "5",
      "content-md5": "x",
      "user-agent": "browser",
      host: "engine.test",
      origin: "http://page.test",
      referer: "http://page.test/",
      accept: "*/*",
      "accept-encoding": "gzip",
      "accept-language": "en",
      "accept-datetime": "x",
      "cache-control": "no-cache",
      connection: "keep-alive",
      dnt: "1",
      "content-type": "text/plain",
      "transfer-encoding": "chunked",
      upgrade: "websocket",
      expect: "100-continue",
      "keep-alive": "timeout=5",
      te: "trailers",
    };
    expect(await get(headers)).toEqual({
      method: "GET",
      url: "http://hook.test/auth?code=1",
      headers: { ...own, authorization: "Bearer x", cookie: "a=b", "x-engine-role": "user", "x-name": utf8 },
    });
  });

  it("A GET call omits headers that HTTP cannot represent", async () => {
    const headers = {
      "a b": "1",
      "": "1",
      "a\r\nb": "1",
      "x-a": "1\r\nx-b: 2",
      "x-c": "\u0000",
      "x-d": "漢",
      "x-ok": "1",
    };
    expect((await get(headers)).headers).toEqual({ ...own, "x-ok": "1" });
  });
});

describe("Authentication webhook calls with POST", () => {
  const graphql = async () => ({
    query: "{a}",
    operationName: null,
    variables: { n: new JsonNumber("12345678901234567890") },
  });

  it("A POST call sends all headers and the operation as JSON", async () => {
    const { method, headers, body } = await post({ host: "engine.test", "x-name": utf8, cookie: "a=b" }, { graphql });
    expect(method).toBe("POST");
    expect(headers).toEqual(own);
    expect(body).toBe(
      '{"headers":{"host":"engine.test","x-name":"Zoë","cookie":"a=b"},' +
        '"request":{"query":"{a}","variables":{"n":12345678901234567890}}}',
    );
  });

  it.each([
    ['{"query":"{a}"}'],
    ['{"query":"{a}","operationName":null}'],
    ['{"query":"{a}","operationName":"A","variables":null}'],
    ['{"query":"{a}","operationName":null,"variables":null}'],
  ])("A POST call sends exactly the members of the client's operation: %s", async (sent) => {
    const { body } = await post({}, { graphql: async () => readGraphqlRequest(JSON.parse(sent), "$") });
    expect(JSON.parse(body).request).toEqual(JSON.parse(sent));
  });

  it("A POST call sends a batch as a list, and null for requests without an operation", async () => {
    const batch = { graphql: async () => [await graphql(), null] };
    expect(JSON.parse((await post({}, batch)).body)).toMatchObject({ request: [{ query: "{a}" }, null] });
    expect(JSON.parse((await post({}, { graphql: async () => null })).body)).toEqual({ headers: {}, request: null });
    expect(JSON.parse((await post({})).body)).toEqual({ headers: {}, request: null });
  });

  it("A POST call omits the operation if the settings exclude the request body", async () => {
    expect(JSON.parse((await post({ a: "b" }, { graphql }, false)).body)).toEqual({ headers: { a: "b" } });
  });
});

describe("Trace headers of authentication webhook calls", () => {
  const trace = { "x-b3-traceid": "0123456789abcdef", "x-b3-spanid": "fedcba9876543210", "x-b3-sampled": "1" };

  it("An authentication webhook call continues the client's trace", async () => {
    expect((await post(trace)).headers).toMatchObject({
      "x-b3-traceid": "0123456789abcdef",
      "x-b3-parentspanid": "fedcba9876543210",
      "x-b3-spanid": expect.not.stringMatching(/^fedcba9876543210$/),
      "x-b3-sampled": "1",
    });
  });

  it("An authentication webhook call starts a new trace if the client's trace headers are unreadable", async () => {
    expect((await post({ ...trace, "x-b3-traceid": "x\r\ny" })).headers).toEqual(own);
  });
});
