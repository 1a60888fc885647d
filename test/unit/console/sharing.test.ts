/** Links to operations, and operations as code of clients. */
import { describe, expect, it } from "vitest";
import { samples } from "../../../runtime/console/pages/api/sample-code.ts";
import { documentIn, fragmentOf } from "../../../runtime/console/pages/api/share-link.ts";

const fragment = (bytes: Uint8Array): string => {
  const binary = Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
  return `#operation=${btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "")}`;
};

const ofText = (text: string): string => fragment(new TextEncoder().encode(text));

describe("Links to operations", () => {
  it("A document survives the link, whatever its characters", () => {
    const document = 'query A {\r\n\tb(c: "日本 <script> \\u0000 + / =") { d }\n}\nfragment F on A { b }';
    expect(documentIn(fragmentOf(document))).toBe(document);
    expect(fragmentOf(document)).toMatch(/^#operation=[\w-]+$/);
  });

  it("Other fragments have no document", () => {
    for (const each of ["", "#", "#key=abc", "#content"]) expect(documentIn(each)).toBeNull();
  });

  it.each([
    ["#operation=", /not a GraphQL document/],
    ["#operation=%25%25", /damaged or cut/],
    [fragment(new Uint8Array([0xff, 0xfe])), /damaged or cut/],
    [ofText("{".repeat(15_000)), /not a GraphQL document/],
    [ofText(`{ ${"a ".repeat(6000)}}`), /not a GraphQL document/],
    [ofText("{ a # \u202e }"), /invisible characters/],
    [ofText("{ a }\u0000"), /invisible characters/],
    [ofText("schema { query: A }"), /something other/],
    [`#operation=${"A".repeat(90_000)}`, /too long/],
    [ofText(`{ a } #${"x".repeat(21_000)}`), /too long/],
  ])("The fragment %.30s is refused", (each, reason) => {
    expect(() => documentIn(each)).toThrow(reason);
  });

  it("A document that does not fit into a link is refused", () => {
    expect(() => fragmentOf("a".repeat(20_001))).toThrow(/Save it instead/);
  });
});

describe("Operations as code", () => {
  const hostile = '\'; rm -rf "$HOME" `$`{process} \\ \n</script> ü😀';
  const request = {
    url: "https://example.com/v1/graphql",
    headers: [
      { name: "x-engine-role", value: "it's" },
      { name: "authorization", prefix: "Bearer ", variable: "TOKEN" },
    ],
    call: { query: `query A { b(c: ${JSON.stringify(hostile)}) }`, variables: { v: hostile }, operationName: "A" },
  } as const;

  it("Every client has the address, the role and the name of the variable with the secret", () => {
    for (const { write } of Object.values(samples)) {
      const text = write(request);
      expect(text).toContain(request.url);
      expect(text).toContain("TOKEN");
      expect(text).toContain("x-engine-role");
    }
  });

  it("A hostile text stays inside its quotes", () => {
    const shell = samples.curl.write(request);
    expect(shell.replace(/'(?:[^']|'\\'')*'/g, "Q").replace(/"[^"$]*\$TOKEN"/, "Q")).toBe(
      "curl Q \\\n  -H Q \\\n  -H Q \\\n  -H Q \\\n  -d Q",
    );
    const written = samples.request.write(request);
    const document = /gql`((?:[^`\\]|\\.)*)`/s.exec(written)?.[1] ?? "";
    expect(document.replace(/(?:\\\\)*\\[`$]/g, "_")).not.toMatch(/`|\$\{/);
    expect(document.replace(/\\(.)/g, "$1").trim()).toBe(request.call.query);
    for (const code of [samples.go.write(request), samples.python.write(request)]) {
      expect(code).not.toContain("ü");
      const body = /"(?:[^"\\]|\\.)*operationName(?:[^"\\]|\\.)*"/.exec(code)?.[0] ?? "";
      expect(JSON.parse(JSON.parse(body))).toEqual(request.call);
    }
  });
});
