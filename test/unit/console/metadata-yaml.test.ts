/** Metadata as YAML: what the console exports, and the texts that it imports. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readDocument } from "../../../runtime/console/pages/metadata/read-document.ts";
import { readYaml, yamlOf } from "../../../runtime/console/pages/metadata/yaml.ts";
import { yamlText } from "../../../runtime/metadata-text/yaml-text.ts";

describe("Metadata as YAML", () => {
  it("YAML of any JSON value is read back as the same value", () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), (value) => {
        const text = JSON.stringify(value);
        // Parsed from the text, because JSON has no negative zero.
        expect(JSON.stringify(readYaml("a.yaml", yamlOf(JSON.parse(text))))).toBe(text);
      }),
      { numRuns: 200 },
    );
  });

  it("Direction controls in values and keys are escapes, which are read back", () => {
    const value = { "a\u202Eb": "safe\u202Egnp.exe", list: ["\u2066 a\nb"], plain: "a" };
    const text = yamlText(value);
    expect(text).not.toMatch(/[\u202E\u2066]/);
    expect(text).toContain("\\u202e");
    expect(readYaml("a.yaml", text)).toEqual(value);
  });

  it("JSON and YAML are distinguished by their content, and a saved response is unwrapped", async () => {
    const metadata = { version: 3, sources: [] };
    const texts = [
      JSON.stringify(metadata),
      ` \n${JSON.stringify({ resource_version: 2, metadata })}`,
      "version: 3\nsources: []",
      "# production\nresource_version: 2\nmetadata:\n  version: 3\n  sources: []\n",
    ];
    for (const text of texts) expect(await readDocument("a", text)).toEqual(metadata);
  });

  it.each([
    ["- a", /This is not metadata/],
    ["", /This is not metadata/],
    ['{"version": 3,}', /This is not JSON/],
    ["version: 3\nsources: [", /This is not YAML: a\.yaml:2:\d+: /],
    ["version: 3\nversion: 3", /This is not YAML: a\.yaml:2:1: Map keys must be unique/],
    ["version: !!js/function a", /This is not YAML: a\.yaml:1:\d+: /],
    ["version: .inf", /This is not YAML: a\.yaml:1:10: \.inf is not a JSON value/],
    ["a: &a\n  b: *a", /This is not YAML: a\.yaml:2:3: an anchor contains an alias of itself/],
    ['sources: "!include databases.yaml"', /one file of a metadata directory: it includes databases\.yaml/],
    [`a: ${"[".repeat(250)}${"]".repeat(250)}`, /nested deeper than 200 levels/],
  ])("The text %.40s is refused with its reason", async (text, reason) => {
    await expect(readDocument("a.yaml", text)).rejects.toThrow(reason);
  });

  it("A short text whose aliases stand for billions of values is refused before they are copied", async () => {
    const levels = ["a0: &a0 [1, 1, 1, 1, 1, 1, 1, 1, 1]"];
    for (let level = 1; level < 12; level += 1) {
      levels.push(`a${level}: &a${level} [${Array.from({ length: 9 }, () => `*a${level - 1}`).join(", ")}]`);
    }
    await expect(readDocument("a.yaml", levels.join("\n"))).rejects.toThrow(/more than 1,000,000 values/);
  });
});
