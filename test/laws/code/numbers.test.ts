/**
 * Numbers in metadata keep their text in every form of metadata: JSON, catalog, export, parts, metadata directory,
 * single file, and generated code.
 */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { share } from "../../../compiler/2-analyze/share.ts";
import { sameValue } from "../../../compiler/3-lower/same-value.ts";
import { exportMetadata } from "../../../compiler/catalog/canonical.ts";
import type { Json } from "../../../compiler/catalog/model.ts";
import { partsOf } from "../../../compiler/catalog/parts.ts";
import { int } from "../../../compiler/catalog/schema/scalars.ts";
import { parseMetadata } from "../../../compiler/catalog/schema.ts";
import { readMetadataDirectory } from "../../../runtime/cli/metadata-directory/read.ts";
import { writeMetadataDirectory } from "../../../runtime/cli/metadata-directory/write.ts";
import { formatted } from "../../../runtime/cli/project/output.ts";
import { canonicalJson } from "../../../runtime/values/canonical-json.ts";
import { parseWithNumberTexts } from "../../../runtime/values/json/parse.ts";
import { stringifyJson } from "../../../runtime/values/json-number.ts";
import { must } from "../../support/compiled.ts";
import { numberText } from "../number-text.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "engine-numbers-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const numbers = fc.array(numberText, { minLength: 1, maxLength: 8 });

/** Returns JSON text of metadata in canonical form, with numbers in free-form values. */
const documentWith = (list: readonly string[]): string =>
  `{"version":3,"sources":[],"cron_triggers":[{"name":"a","webhook":"http://a","schedule":"* * * * *",` +
  `"payload":{"numbers":[${list}],"text":"${list[0]}","nested":{"n":${list[0]}}},"include_in_metadata":true}]}`;

const read = (text: string) => must(parseMetadata(parseWithNumberTexts(text)));

describe("Numbers in metadata", () => {
  it("Numbers are exported and stored with their original text", () => {
    fc.assert(
      fc.property(numbers, (list) => {
        const text = documentWith(list);
        const catalog = read(text);
        const exported = stringifyJson(exportMetadata(catalog));
        expect(parseWithNumberTexts(exported)).toEqual(parseWithNumberTexts(text));
        expect(exported).toContain(`"payload":{"numbers":[${list}],"text":"${list[0]}","nested":{"n":${list[0]}}}`);
        expect(stringifyJson(exportMetadata(read(exported)))).toBe(exported);
        expect(
          partsOf(catalog)
            .map(({ value }) => stringifyJson(value))
            .join(),
        ).toContain(`[${list}]`);
      }),
      { numRuns: 300 },
    );
  });

  it("Numbers keep their text in a long document, which is read in pieces", () => {
    const filler = JSON.stringify(Array.from({ length: 400 }, (_, i) => ({ i, half: i / 2, text: `${i}` })));
    fc.assert(
      fc.property(numbers, fc.boolean(), (list, isBefore) => {
        const members = [`"numbers":[${list}]`, `"filler":${filler}`];
        const text = `{${(isBefore ? members : members.toReversed()).join()}}`;
        expect(stringifyJson(parseWithNumberTexts(text))).toBe(text);
      }),
      { numRuns: 200 },
    );
  });

  it("Numbers keep their text in a metadata directory and in one file, as YAML and as JSON", async () => {
    await fc.assert(
      fc.asyncProperty(numbers, async (list) => {
        const document = exportMetadata(read(documentWith(list)));
        await writeMetadataDirectory(join(folder, "metadata"), document);
        const wanted = canonicalJson(document);
        expect(canonicalJson((await readMetadataDirectory(join(folder, "metadata"))).metadata)).toBe(wanted);
        for (const format of ["json", "yaml"] as const) {
          const file = join(folder, `all.${format}`);
          await writeFile(file, formatted(document, format));
          expect(canonicalJson((await readMetadataDirectory(file)).metadata)).toBe(wanted);
        }
      }),
      { numRuns: 20 },
    );
  }, 60_000);

  it("Numbers are equal if they have the same text, and never equal to a string or an object", () => {
    fc.assert(
      fc.property(numberText, numberText, (one, other) => {
        const value = (text: string) => parseWithNumberTexts(`{"a":[${text}]}`) as Json;
        expect(sameValue(value(one), value(one))).toBe(true);
        expect(share(value(one), value(one))).toEqual(value(one));
        const unlike = [`"${one}"`, `{"text":"${one}"}`, ...(one === other ? [] : [other])].map(value);
        for (const each of unlike) {
          expect(sameValue(value(one), each)).toBe(false);
          expect(sameValue(each, value(one))).toBe(false);
          expect(share(value(one), each)).toBe(each);
          expect(share(each, value(one))).not.toBe(each);
          expect(canonicalJson(each)).not.toBe(canonicalJson(value(one)));
        }
      }),
    );
  });

  it("A numeric setting accepts any notation of its number", () => {
    const settingOf = (text: string) => int.safeParse(parseWithNumberTexts(text));
    for (const text of ["100000", "1E5", "100000.0", "1.00000e+5"]) expect(settingOf(text).data).toBe(100_000);
    expect(Object.is(settingOf("-0").data, 0)).toBe(true);
    for (const text of ["1e400", "9007199254740993", "1.00000000000000000001", "0.5", "1e-7"]) {
      expect(settingOf(text).error?.issues[0]?.message).toBe(
        `parsing Int failed, not an integer or out of range: ${text}`,
      );
    }
  });
});
