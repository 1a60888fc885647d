import { describe, expect, it } from "vitest";
import { transformBudget } from "../../../../runtime/model/templates/budget.ts";
import { compileRequestTransform } from "../../../../runtime/model/templates/definition.ts";
import type { JsonObject } from "../../../../runtime/model/templates/json-value.ts";
import type { OutgoingRequest } from "../../../../runtime/model/templates/scope.ts";
import type { TemplateError } from "../../../../runtime/model/templates/template-error.ts";
import { type TransformedRequest, transformRequest } from "../../../../runtime/model/templates/transform-request.ts";
import { runToCompletion } from "../../../../runtime/values/interruptible.ts";
import { JsonNumber, stringifyJson } from "../../../../runtime/values/json-number.ts";

const request: OutgoingRequest = {
  method: "POST",
  url: "http://host/path?a=1&b=x%20y&flag#part",
  headers: [
    ["Content-Type", "application/json"],
    ["User-Agent", "engine"],
  ],
  body: { hello: "world", nothing: null, list: [1, 2], big: new JsonNumber("12345678901234567890") },
  sessionVariables: { "x-engine-role": "user", "x-engine-user-id": "7" },
};

function outcomeOf(definition: JsonObject, changes: Partial<OutgoingRequest> = {}) {
  const compiled = compileRequestTransform(definition);
  if (!compiled.ok) return compiled;
  return runToCompletion(transformRequest(compiled.value, { ...request, ...changes }, transformBudget(60_000)));
}

function transform(definition: JsonObject, changes: Partial<OutgoingRequest> = {}): TransformedRequest {
  const outcome = outcomeOf(definition, changes);
  if (!outcome.ok) throw new Error(JSON.stringify(outcome.errors));
  return outcome.value;
}

function errorsOf(definition: JsonObject): readonly TemplateError[] {
  const outcome = outcomeOf(definition);
  return outcome.ok ? [] : outcome.errors;
}

describe("Request transforms", () => {
  it("A request transform keeps the parts that it does not mention", () => {
    const { method, url, headers, body } = request;
    expect(transform({ version: 2, template_engine: "Kriti" })).toEqual({
      method,
      url,
      headers,
      body: { kind: "json", value: body },
    });
  });

  it("A request transform uses the method literally and refuses an invalid one", () => {
    expect(transform({ method: "pAtCh" }).method).toBe("pAtCh");
    expect(errorsOf({ method: "GET /" })).toEqual([
      { error_code: "TransformationError", message: "Invalid method: GET /" },
    ]);
  });

  it.each<[JsonObject[string], unknown]>([
    ['"hello_{{ $body.hello }}"', { kind: "json", value: "hello_world" }],
    [
      { action: "transform", template: "[{{ $body.list[0] }}]" },
      { kind: "json", value: [1] },
    ],
    [{ action: "remove" }, { kind: "none" }],
    [
      {
        action: "x_www_form_urlencoded",
        form_template: {
          foo: "bar",
          "a&b": "{{ $body.hello }} & {{ true }}",
          n: "{{ $body.big }}",
          dropped: "{{ $body.nothing }}",
          empty: "",
        },
      },
      { kind: "form", text: "a%26b=world%20%26%20true&empty=&foo=bar&n=12345678901234567890" },
    ],
  ])("A request transform makes the body from %j", (body, expected) => {
    expect(transform({ body }).body).toEqual(expected);
  });

  it("A request transform keeps the digits of long numbers in the body", () => {
    const { body } = transform({ body: '{"n": {{ $body.big }}, "m": 98765432109876543210}' });
    expect(stringifyJson(body.kind === "json" && body.value)).toBe(
      '{"n":12345678901234567890,"m":98765432109876543210}',
    );
  });

  it.each([
    ["https://other/{{ $body.hello }}", "https://other/world"],
    ["{{$base_url}}", request.url],
    ['http://h/{{ escapeUri("a/b") }}', "http://h/a%2Fb"],
    ["http://h/{{ $query_params[1][1] == null }}", "http://h/false"],
  ])("A request transform makes the URL from %s", (url, expected) => {
    expect(transform({ url }).url).toBe(expected);
  });

  it.each([
    ["/relative", "Invalid URL: /relative"],
    ["http://a b/", "Invalid URL: http://a b/"],
    ["http://host:99999/", "Invalid URL: http://host:99999/"],
    ["http://host/ä", "Invalid URL: http://host/ä"],
    ["file:///etc/passwd", "Invalid URL: file:///etc/passwd"],
    ["http://user:secret@ho st/", "Invalid URL: http://ho st/"],
    ['x" == "y', "URL Transforms must produce a JSON String: false"],
  ])("A request transform refuses the URL %s", (url, message) => {
    expect(errorsOf({ url })).toEqual([{ error_code: "TransformationError", message }]);
  });

  it.each<[JsonObject[string], string]>([
    [{ foo: "bar" }, "http://host/path?foo=bar#part"],
    [
      { "{{ $body.hello }}": "{{ $body.list[1] }}", "k y": "a&ä", flag: null, empty: "" },
      "http://host/path?world=2&k%20y=a%26%C3%A4&flag&empty=#part",
    ],
    [{ dropped: "{{ $body.nothing }}", "{{ null }}": "x", kept: "1" }, "http://host/path?kept=1#part"],
    [{}, "http://host/path#part"],
    ["a=b&c={{ $body.hello }}&d", "http://host/path?a=b&c=world&d#part"],
    ["?q=a b&r=%C3%A4&s=%zz", "http://host/path?q=a%20b&r=%C3%A4&s=%25zz#part"],
    [
      "{{ $query_params[0][0] }}={{ $query_params[1][1] }}&{{ $query_params[2][1] }}",
      "http://host/path?a=x%20y&null#part",
    ],
  ])("A request transform makes the query parameters from %j", (query_params, expected) => {
    expect(transform({ query_params }).url).toBe(expected);
  });

  it("A request transform replaces the query parameters of a new URL", () => {
    expect(transform({ url: "http://www.example.com?x=1", query_params: { y: "2" } }).url).toBe(
      "http://www.example.com?y=2",
    );
  });

  it("A request transform removes headers regardless of case before it adds headers", () => {
    const add_headers = { foo: "{{ $body.hello }}", "content-type": "text/plain" };
    expect(transform({ request_headers: { remove_headers: ["CONTENT-TYPE", "none"], add_headers } }).headers).toEqual([
      ["User-Agent", "engine"],
      ["content-type", "text/plain"],
      ["foo", "world"],
    ]);
    expect(transform({ request_headers: { add_headers: { "user-agent": "x" } } }).headers).toEqual([
      ...request.headers,
      ["user-agent", "x"],
    ]);
    expect(transform({ request_headers: { remove_headers: ["user-agent"] } }).headers).toHaveLength(1);
  });

  it("A request transform refuses header names and values that could inject another header", () => {
    const errors = (add_headers: JsonObject) => errorsOf({ request_headers: { add_headers } });
    const error = (name: string) => [{ error_code: "TransformationError", message: `Invalid header: ${name}` }];
    expect(errors({ foo: '{{ "a\\r\\nb: c" }}' })).toEqual(error("foo"));
    expect(errors({ "a b": "c" })).toEqual(error("a b"));
    expect(errors({ "": "c" })).toEqual(error(""));
    expect(errors({ foo: "a\tb ä" })).toEqual([]);
  });

  it.each<[string, unknown]>([
    ['getSessionVariable("X-Engine-User-Id")', "7"],
    ["getSessionVariable(null)", null],
    ["$session_variables['x-engine-role']", "user"],
    ["$session_variables.x-engine-role", "user"],
    ["$base_url", request.url],
    [
      "$query_params",
      [
        ["a", "1"],
        ["b", "x y"],
        ["flag", null],
      ],
    ],
  ])("A request transform provides %s", (template, value) => {
    expect(transform({ body: template }).body).toEqual({ kind: "json", value });
  });

  it.each([
    ['getSessionVariable("x-engine-no")', 'Session variable "x-engine-no" not found'],
    ["getSessionVariable(1)", "Session variable name should be a string"],
  ])("A request transform refuses %s", (body, message) => {
    expect(errorsOf({ body })).toMatchObject([{ error_code: "Function Error", message }]);
  });

  it("A request transform works without session variables", () => {
    const missing = outcomeOf({ body: 'getSessionVariable("x-engine-role")' }, { sessionVariables: null });
    expect(missing).toMatchObject({ ok: false, errors: [{ message: 'Session variable "x-engine-role" not found' }] });
    expect(transform({ body: "$session_variables" }, { sessionVariables: null }).body).toEqual({
      kind: "json",
      value: null,
    });
  });

  it("A request transform computes every part from the original request", () => {
    const result = transform({
      url: "http://new/",
      body: '{"url": $base_url, "query": {{ size($query_params) }}}',
      query_params: { from: "{{ $base_url }}" },
    });
    expect(result.body).toEqual({ kind: "json", value: { url: request.url, query: 3 } });
    expect(result.url).toBe(`http://new/?from=${encodeURIComponent(request.url)}`);
  });

  it("A request transform reports all failing parts, both when parsed and when evaluated", () => {
    const parts = (expression: string) => ({
      url: `{{ ${expression} }}`,
      query_params: { "a{{ 1 }}": `{{ ${expression} }}`, b: "fine" },
      request_headers: { add_headers: { h: `{{ ${expression} }}`, i: "fine" } },
      body: `{{ ${expression} }}`,
    });
    expect(errorsOf(parts("")).map(({ error_code }) => error_code)).toEqual(Array(4).fill("Parse Error"));
    expect(errorsOf(parts("$body.no")).map(({ error_code }) => error_code)).toEqual(Array(4).fill("Attribute Error"));
  });

  it("A request transform refuses objects and arrays in text positions", () => {
    const message = "Cannot interpolate type: 'Array'.";
    const definition = { request_headers: { add_headers: { h: "{{ $body.list }}" } } };
    expect(errorsOf(definition)).toMatchObject([{ error_code: "Type Error", message }]);
  });
});
