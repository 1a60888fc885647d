import { describe, expect, it } from "vitest";
import { decodeRequest } from "../../../compiler/metadata/dispatch.ts";
import type { IoCallOf } from "../../../runtime/control/io-handlers.ts";
import { testWebhookTransform } from "../../../runtime/control/test-webhook-transform.ts";
import { EngineError } from "../../../runtime/values/errors.ts";
import { parseJson } from "../../../runtime/values/json/parse.ts";
import { stringifyJson } from "../../../runtime/values/json-number.ts";

async function run(args: object): Promise<unknown> {
  const decoded = decodeRequest("/v1/metadata", { type: "test_webhook_transform", args });
  if (!decoded.ok) throw new Error(`${decoded.error.path}: ${decoded.error.message}`);
  const { call } = decoded.value;
  if (call.effect !== "io" || call.operation !== "test_webhook_transform") throw new Error("another operation");
  return testWebhookTransform(call as IoCallOf<"test_webhook_transform">);
}

async function refusal(args: object): Promise<Partial<EngineError>> {
  try {
    await run(args);
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    const { code, message, path, status, internal } = error;
    return { code, message, path, status, internal };
  }
  throw new Error("not refused");
}

const url = "http://localhost:1234";
const body = { hello: "world" };
const hello = { version: 2, body: { action: "transform", template: "{{ $body.hello }}" }, template_engine: "Kriti" };
const minimal = { webhook_url: url, body, request_transform: hello };

const position = (start_column: number, end_column: number) => ({
  source_position: { start_line: 0, start_column, end_line: 0, end_column },
});

describe("The test_webhook_transform operation", () => {
  it("test_webhook_transform returns the request that would be sent", async () => {
    const request_transform = {
      url: "http://www.google.com",
      template_engine: "Kriti",
      body: '"hello_{{ $body.hello }}"',
      method: "POST",
      query_params: { foo: "bar" },
      request_headers: { add_headers: { foo: "bar", "Content-Type": "application/json" } },
    };
    expect(stringifyJson(await run({ ...minimal, request_transform }))).toBe(
      '{"webhook_url":"http://www.google.com?foo=bar","method":"POST",' +
        '"headers":[["content-type","application/json"],["foo","bar"]],"body":"hello_world"}',
    );
  });

  it("test_webhook_transform keeps the parts that the transform does not mention", async () => {
    expect(await run({ ...minimal, request_transform: {}, request_headers: [["X-A", "b"]] })).toEqual({
      webhook_url: url,
      method: "POST",
      headers: [["x-a", "b"]],
      body,
    });
  });

  it.each([
    [{ action: "remove" }, ""],
    [{ action: "x_www_form_urlencoded", form_template: { foo: "bar", baz: "{{$body.hello}}" } }, "baz=world&foo=bar"],
    [{ action: "transform", template: "null" }, null],
  ])("test_webhook_transform shows the body of %j", async (transformed, shown) => {
    expect(await run({ ...minimal, request_transform: { version: 2, body: transformed } })).toMatchObject({
      body: shown,
    });
  });

  it("test_webhook_transform keeps the digits of long numbers", async () => {
    const args = parseJson(JSON.stringify(minimal).replace('"world"', "12345678901234567890")) as object;
    expect(stringifyJson(await run(args))).toContain('"body":12345678901234567890}');
  });

  it("test_webhook_transform uses only the given variables", async () => {
    const env = { MY_HOOK: "http://hook", PORT: "80" };
    expect(await run({ ...minimal, env, webhook_url: { from_env: "MY_HOOK" } })).toMatchObject({
      webhook_url: "http://hook",
    });
    expect(await run({ ...minimal, env, webhook_url: "{{MY_HOOK}}:{{ PORT }}/x" })).toMatchObject({
      webhook_url: "http://hook:80/x",
    });
    expect(await refusal({ ...minimal, webhook_url: { from_env: "PATH" } })).toMatchObject({
      code: "not-found",
      status: 400,
      path: "$.args",
      message: "Missing Env Var",
    });
    const { code, status, path, message } = await refusal({ ...minimal, env, webhook_url: "{{MY_HOOK}}/{{PATH}}" });
    expect({ code, status, path }).toEqual({ code: "not-found", status: 400, path: "$.args" });
    expect(message).toMatch(
      /^Missing Env Var: PATH\. For security reasons when testing request options real environment variable values are not available\. Please enter a mock value for PATH in the Sample Env Variables list\. See https:\/\/\S+$/,
    );
  });

  it.each(["http://{{A", "{{}}", "http://{{ {A} }}", "{{A}}{{"])(
    "test_webhook_transform refuses the URL template %s",
    async (webhook_url) => {
      const expected = { code: "parse-failed", path: "$.args", message: "Invalid Url Template" };
      expect(await refusal({ ...minimal, webhook_url })).toMatchObject(expected);
    },
  );

  it("test_webhook_transform refuses an invalid URL without showing credentials", async () => {
    expect(await refusal({ ...minimal, webhook_url: "//user:secret@host" })).toEqual({
      code: "validation-failed",
      message: "request transform validation failed",
      path: "$.args",
      status: 400,
      internal: [{ error_code: "Request Initialization Error", message: "Invalid URL: //host" }],
    });
  });

  it("test_webhook_transform provides the session variables to templates", async () => {
    const request_transform = { body: '[$session_variables, getSessionVariable("X-Engine-User-Id")]' };
    const session_variables = { "X-Engine-User-Id": "1" };
    expect(await run({ ...minimal, session_variables, request_transform })).toMatchObject({
      body: [{ "x-engine-user-id": "1" }, "1"],
    });
  });

  it.each([
    ["$body.hello }}", "Parse Error", "Unexpected token '}'.", position(14, 15)],
    ["{{ $body.world }}", "Attribute Error", "'Object' has no attribute 'world'.", position(4, 15)],
  ])("test_webhook_transform refuses the template %s", async (template, error_code, message, place) => {
    const request_transform = { ...hello, body: { action: "transform", template } };
    expect(await refusal({ ...minimal, request_transform })).toEqual({
      code: "validation-failed",
      message: "request transform validation failed",
      path: "$.args",
      status: 400,
      internal: [{ error_code, message, ...place }],
    });
  });

  it("test_webhook_transform checks the response transform without evaluating it", async () => {
    const response_transform = (template: string) => ({ version: 2, body: { action: "transform", template } });
    expect(await refusal({ ...minimal, response_transform: response_transform("$body.hello }}") })).toEqual({
      code: "validation-failed",
      message: "response transform validation failed",
      path: "$.args",
      status: 400,
      internal: [{ error_code: "Parse Error", message: "Unexpected token '}'.", ...position(14, 15) }],
    });
    expect(await run({ ...minimal, response_transform: response_transform("$unbound") })).toMatchObject({
      body: "world",
    });
  });
});
