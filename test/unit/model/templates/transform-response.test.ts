import { describe, expect, it } from "vitest";
import { transformBudget } from "../../../../runtime/model/templates/budget.ts";
import { compileResponseTransform } from "../../../../runtime/model/templates/definition.ts";
import type { JsonValue } from "../../../../runtime/model/templates/json-value.ts";
import type { IncomingResponse } from "../../../../runtime/model/templates/scope.ts";
import { transformResponse } from "../../../../runtime/model/templates/transform-response.ts";
import { runToCompletion } from "../../../../runtime/values/interruptible.ts";

const response: IncomingResponse = {
  status: 201,
  body: { id: 1, addresses: [{ city: "Rome" }, { city: "Oslo" }] },
  sessionVariables: { "x-engine-role": "user" },
  request: {
    method: "POST",
    url: "http://host/?a=1",
    headers: [["foo", "bar"]],
    body: { input: 5 },
    sessionVariables: { "x-engine-role": "user" },
  },
};

function transform(body: JsonValue | undefined, changes: Partial<IncomingResponse> = {}) {
  const compiled = compileResponseTransform(body === undefined ? {} : { body });
  if (!compiled.ok) return compiled;
  return runToCompletion(transformResponse(compiled.value, { ...response, ...changes }, transformBudget(60_000)));
}

const json = (value: unknown) => ({ ok: true, value: { kind: "json", value } });

describe("Response transforms", () => {
  it.each<[JsonValue, unknown]>([
    ['{"status": {{ $response.status }}, "id": {{ $body.id }}}', { status: 201, id: 1 }],
    [
      {
        action: "transform",
        template: "{{ range i, x := $body.addresses }} {{ if i > 0 }} x.city {{ else }} null {{ end }} {{ end }}",
      },
      [null, "Oslo"],
    ],
    ["$request.body.input", 5],
    ["[$request.method, $request.url, $request.base_url]", ["POST", "http://host/?a=1", "http://host/?a=1"]],
    ["[$request.query_params, $request.request_headers]", [[["a", "1"]], [["foo", "bar"]]]],
    ["$request.session_variables == $session_variables", true],
    ['getSessionVariable("X-Engine-Role")', "user"],
    [{ action: "x_www_form_urlencoded", form_template: { b: "{{ $body.id }}", a: "x y" } }, "a=x%20y&b=1"],
  ])("A response transform makes the body from %j", (body, value) => {
    expect(transform(body)).toEqual(json(value));
  });

  it("A response transform may omit the body template or remove the body", () => {
    expect(transform(undefined)).toEqual({ ok: true, value: { kind: "unchanged" } });
    expect(transform({ action: "remove" })).toEqual({ ok: true, value: { kind: "none" } });
  });

  it("A response transform receives null for a body that is not JSON and for a request without a transform", () => {
    expect(
      transform("[$body, $request, $session_variables]", { body: null, request: null, sessionVariables: null }),
    ).toEqual(json([null, null, null]));
  });

  it("The name $base_url is not in scope in a response transform", () => {
    expect(transform("$base_url")).toMatchObject({ ok: false, errors: [{ error_code: "Name Error" }] });
  });

  it("A response transform reports syntax errors", () => {
    expect(transform("$body.hello }}")).toEqual({
      ok: false,
      errors: [
        {
          error_code: "Parse Error",
          message: "Unexpected token '}'.",
          source_position: { start_line: 0, start_column: 14, end_line: 0, end_column: 15 },
        },
      ],
    });
  });
});
