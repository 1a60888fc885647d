import { describe, expect, it } from "vitest";
import {
  type Connections,
  compileConnectionTemplate,
} from "../../../../runtime/model/templates/connection-template.ts";
import type { RoutedRequest } from "../../../../runtime/values/connection-target.ts";

const connections = { hasReplicas: true, members: ["north", "__proto__"] };
const request: RoutedRequest = {
  headers: { "x-region": "north", authorization: "Bearer secret" },
  session: [
    ["x-engine-role", "user"],
    ["x-engine-tenant", "north"],
  ],
  query: { operation_type: "query", operation_name: "Orders" },
};

function resolve(source: string, given: Partial<RoutedRequest> = {}, has: Connections = connections): unknown {
  const compiled = compileConnectionTemplate(source, has);
  const found = compiled.ok ? compiled.value.resolve({ ...request, ...given }) : compiled;
  return found.ok ? [found.value.routing_to, found.value.value] : found.errors.map(({ message }) => message).join();
}

describe("Connection templates", () => {
  it.each([
    ["{{ $.default }}", ["default", null]],
    ["{{$.primary}}", ["primary", null]],
    ["$.read_replicas", ["read_replicas", null]],
    ["{{ $.connection_set.north }}", ["connection_set", "north"]],
    ['{{ $.connection_set["north"] }}', ["connection_set", "north"]],
    ["{{ $.connection_set['__proto__'] }}", ["connection_set", "__proto__"]],
    ["{{ $.connection_set[$.request.session.x-engine-tenant] }}", ["connection_set", "north"]],
    ['{{ $.connection_set?[$.request.session?["x-engine-no"]] ?? $.primary }}', ["primary", null]],
    [
      '{{ if "north" in $.connection_set }} {{ $.connection_set.north }} {{ else }} {{ $.default }} {{ end }}',
      ["connection_set", "north"],
    ],
    [
      `{{ if $.request.query.operation_type == "mutation" }} {{ $.primary }}
       {{ elif $.request.query?.operation_name == "Orders" }} {{ $.read_replicas }}
       {{ else }} {{ $.default }} {{ end }}`,
      ["read_replicas", null],
    ],
    [
      '{{ if $.request.headers?["x-region"] == "north" }} {{ $.primary }} {{ else }} {{ $.default }} {{ end }}',
      ["primary", null],
    ],
  ])("A connection template resolves to a connection: %s", (source, expected) => {
    expect(resolve(source)).toEqual(expected);
  });

  it.each([
    ["{{ $.primry }}", `There is no 'primry'. did you mean "primary"?`],
    ["{{ $.connection_set.nort }}", `There is no 'nort'. did you mean "north"?`],
    ["{{ $.request.sessoin.x }}", `There is no 'sessoin'. did you mean "session"?`],
    ["{{ $.request.query.type }}", "There is no 'type'."],
    ["{{ if true }} {{ $.primary }} {{ else }} {{ $.connection_set.none }} {{ end }}", "There is no 'none'."],
    ["{{ $.connection_set[$.request.sesion.x] }}", `There is no 'sesion'. did you mean "session"?`],
    ["{{ $primary }}", "Variable '$primary' not in scope."],
    ["{{ if true }} {{ $.primary }} {{ end }}", "Unexpected token 'end'."],
  ])("A connection template with an unknown member is refused at compile time: %s", (source, message) => {
    const compiled = compileConnectionTemplate(source, connections);
    expect(compiled).toMatchObject({ ok: false, errors: [{ message }] });
  });

  it("A connection template that selects replicas fails if the source has none", () => {
    const none = { hasReplicas: false, members: [] };
    expect(resolve("{{ $.read_replicas }}", {}, none)).toBe("The source has no read replicas.");
  });

  it.each([
    // Input of clients is always text, which cannot select a connection.
    ['{{ $.request.headers["x-region"] }}', "It has to give one of"],
    ['"north"', "It has to give one of"],
    ['{"routing_to": "primary", "value": null}', "It has to give one of"],
    ["{}", "It has to give one of"],
    ["{{ $.connection_set }}", "It has to give one of"],
    ["{{ $ }}", "It has to give one of"],
    ['"postgres://{{ $.request.headers["x-region"] }}/db"', "It has to give one of"],
    ['"{{ $.connection_set.north }}"', "Cannot interpolate type: 'Object'."],
    ["{{ $.connection_set[$.request.session.x-engine-role] }}", "'Object' has no attribute 'user'."],
    ["{{ $.connection_set[$.primary] }}", "Couldn't match expected type 'String' with actual type 'Object'."],
    ["{{ $.request.session.x-engine-none }}", "'Object' has no attribute 'x-engine-none'."],
    ["{{ $.request.headers.authorization }}", "'Object' has no attribute 'authorization'."],
  ])("A connection template without a connection as its result fails: %s", (source, message) => {
    expect(resolve(source)).toContain(message);
  });

  it("A connection template never exposes connections or credentials in its result", () => {
    const headers = { cookie: "secret", "x-engine-admin-secret": "secret", "proxy-authorization": "secret" };
    for (const name of Object.keys(headers)) {
      expect(resolve(`{{ $.request.headers["${name}"] }}`, { headers })).toContain("has no attribute");
    }
    expect(resolve("{{ if $ }} {{ $.primary }} {{ else }} {{ $.default }} {{ end }}")).not.toContain("secret");
  });
});
