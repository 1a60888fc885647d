/** Client input that tries to make a connection template select another connection, run for long, or reveal secrets. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compileConnectionTemplate } from "../../../runtime/model/templates/connection-template.ts";

const members = ["north", "south"];

function compiled(source: string) {
  const template = compileConnectionTemplate(source, { hasReplicas: true, members });
  if (!template.ok) throw new Error(JSON.stringify(template.errors));
  return template.value;
}

const indirect = [
  '{{ $.connection_set[$.request.headers["x-to"]] }}',
  '{{ $[$.request.headers["x-a"]][$.request.headers["x-to"]] }}',
  '{{ $?[$.request.headers["x-a"]]?[$.request.session["x-engine-to"]] ?? $.default }}',
  '{{ $.request[$.request.headers["x-a"]][$.request.headers["x-to"]] }}',
  '{{ head({{ range _, x := [$.primary] }} $[$.request.headers["x-to"]] {{ end }}) }}',
  '{{ if $.request.headers["x-to"] in members }} $.primary {{ else }} $.default {{ end }}'.replace(
    "members",
    '["north"]',
  ),
].map(compiled);

const names = fc.oneof(
  fc.constantFrom("__proto__", "constructor", "prototype", "toString", "hasOwnProperty", "valueOf"),
  fc.constantFrom("north", "south", "primary", "default", "read_replicas", "connection_set", "request", "headers"),
  fc.constantFrom("gone", "$", "$.primary", "{{ $.primary }}", '{"routing_to":"primary"}', "0", "-1", "", "NORTH"),
  fc.string(),
);

describe("Requests against connection templates", () => {
  it("A request resolves to a connection of the metadata or to an error, for any template", () => {
    const known = [
      ...(["default", "primary", "read_replicas"] as const).map((routing_to) => ({ routing_to, value: null })),
      ...members.map((value) => ({ routing_to: "connection_set", value })),
    ].map((target) => JSON.stringify(target));
    const law = fc.property(fc.constantFrom(...indirect), names, names, names, (template, a, to, session) => {
      const headers = Object.fromEntries([
        ["x-a", a],
        ["x-to", to],
        [a, to],
      ]);
      const found = template.resolve({
        headers,
        session: [
          ["x-engine-to", session],
          [a, to],
        ],
        query: { operation_type: "query", operation_name: to },
      });
      if (found.ok) expect(known).toContain(JSON.stringify(found.value));
      else expect(found.errors.length).toBeGreaterThan(0);
    });
    fc.assert(law, { numRuns: 5000 });
  });

  it.each([
    [
      "nested ranges over its headers",
      "{{ range _, a := toPairs($.request.headers) }} {{ range _, b := toPairs($.request.headers) }} {{ a == b }} {{ end }} {{ end }}",
    ],
    [
      "long texts for each header",
      '{{ range _, a := toPairs($.request.headers) }} "{{ $.request.headers.x-long }}" {{ end }}',
    ],
    ["a sum of its headers", "{{ toPairs(fromPairs(toPairs($.request.headers))) }}"],
  ])("A connection template fails quickly if it evaluates %s", (_, source) => {
    const headers: Record<string, string> = { "x-long": "x".repeat(500_000) };
    for (let i = 0; i < 20_000; i++) headers[`x-${i}`] = String(i);
    const template = compiled(source);
    let shortest = Number.POSITIVE_INFINITY;
    for (let run = 0; run < 5; run++) {
      const began = performance.now();
      const found = template.resolve({ headers, session: [] });
      shortest = Math.min(shortest, performance.now() - began);
      expect(found).toMatchObject({ ok: false, errors: [{ error_code: "Limit Error" }] });
    }
    // The limit allows for one copy of the headers.
    expect(shortest).toBeLessThan(100);
  });

  it.each(["{{ $.request }}", "{{ if $.request.headers }} $.primary {{ else }} $.default {{ end }}", "{{ $ }}"])(
    "An error of a connection template shows neither credentials nor connections: %s",
    (source) => {
      const headers = {
        authorization: "Bearer s3cret",
        cookie: "s3cret",
        "proxy-authorization": "s3cret",
        "x-engine-admin-secret": "s3cret",
        "x-engine-access-key": "s3cret",
      };
      const found = compiled(source).resolve({ headers, session: [] });
      expect(found.ok).toBe(false);
      expect(JSON.stringify(found)).not.toContain("s3cret");
    },
  );
});
