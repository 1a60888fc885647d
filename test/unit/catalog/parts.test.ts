/** The parts of a catalog add up to the whole, and a change affects only the necessary parts. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Catalog, emptyCatalog } from "../../../compiler/catalog/catalog.ts";
import type { JsonObject, Source } from "../../../compiler/catalog/model.ts";
import { changedParts, comparedParts, type PartKey, partsOf } from "../../../compiler/catalog/parts.ts";
import { stringifyJson } from "../../../runtime/values/json-number.ts";
import { arbitraryCatalog } from "./arbitrary-catalog.ts";

type Stored = ReadonlyMap<string, JsonObject>;

const keyOf = ({ source, schema, name }: PartKey) => JSON.stringify([source, schema, name]);
const stored = (catalog: Catalog): Stored => new Map(partsOf(catalog).map((part) => [keyOf(part), part.value]));

function afterChange(before: Catalog, after: Catalog): Stored {
  const { written, removed } = changedParts(before, after);
  const parts = new Map(stored(before));
  for (const key of removed) expect(parts.delete(keyOf(key))).toBe(true);
  for (const part of written) parts.set(keyOf(part), part.value);
  return parts;
}

/** Catalogs of two versions: some sources stay, some are replaced under the same name, some appear or disappear. */
const versions = fc
  .tuple(arbitraryCatalog, arbitraryCatalog, fc.infiniteStream(fc.boolean()))
  .map(([before, other, choices]) => {
    const pick = () => choices.next().value === true;
    const sources = new Map<string, Source>();
    for (const source of [...before.sources, ...other.sources]) if (pick()) sources.set(source.name, source);
    for (const source of before.sources) {
      if (pick()) sources.set(source.name, { ...source, tables: source.tables.filter(pick) });
    }
    const after: Catalog = { ...(pick() ? before : other), sources: [...sources.values()] };
    return { before, after };
  });

describe("Stored parts of metadata", () => {
  it("Writing and removing the changed parts turns the stored metadata into the new one", () => {
    fc.assert(
      fc.property(versions, ({ before, after }) => {
        expect(afterChange(before, after)).toEqual(stored(after));
      }),
      { numRuns: 300 },
    );
  });

  it("Compared parts are those whose stored text differs, each before and after", () => {
    fc.assert(
      fc.property(versions, ({ before, after }) => {
        const [from, to] = [stored(before), stored(after)];
        const expected = [...new Set([...from.keys(), ...to.keys()])]
          .filter((key) => stringifyJson(from.get(key)) !== stringifyJson(to.get(key)))
          .map((key) => [key, from.get(key) ?? null, to.get(key) ?? null]);
        const found = comparedParts(before, after).map((part) => [keyOf(part), part.before, part.after]);
        expect(new Map(found.map(([key, ...texts]) => [key, texts]))).toEqual(
          new Map(expected.map(([key, ...texts]) => [key, texts])),
        );
        expect(found).toHaveLength(expected.length);
      }),
      { numRuns: 300 },
    );
  });

  it("Unchanged metadata writes and removes no parts", () => {
    fc.assert(
      fc.property(arbitraryCatalog, (catalog) => {
        expect(changedParts(catalog, { ...catalog })).toEqual({ written: [], removed: [] });
      }),
    );
  });

  it("The empty metadata is stored as one part", () => {
    expect(partsOf(emptyCatalog)).toMatchObject([{ source: "", schema: "", name: "", value: { version: 3 } }]);
  });
});
