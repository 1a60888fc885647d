import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { gunzipSync } from "node:zlib";
import fc from "fast-check";
import { expect, it } from "vitest";
import { EnclosedText } from "../../../runtime/values/enclosed-text.ts";
import { ReleasableBytes } from "../../../runtime/values/releasable-bytes.ts";

const unit = fc.constantFrom("a", "é", "€", "😀");
const text = fc.string({ unit, maxLength: 4 });

it("An enclosed text has the bytes of its joined texts in every reading", async () => {
  const long = fc.tuple(unit, fc.integer({ min: 0, max: 300_000 })).map(([each, count]) => each.repeat(count));
  await fc.assert(
    fc.asyncProperty(
      text,
      text,
      text,
      text,
      fc.tuple(text, long),
      async (outer, inner, behind, last, [start, rest]) => {
        const middle = start + rest;
        const enclosed = EnclosedText.of(middle).within(inner, behind).within(outer, last);
        const expected = Buffer.from(outer + inner + middle + behind + last);
        expect(enclosed.size).toBe(expected.length);
        const written = ReleasableBytes.from(enclosed, enclosed.size);
        expect(written.bytes.equals(expected)).toBe(true);
        written.release();
        expect((await buffer(Readable.from(enclosed.pieces()))).equals(expected)).toBe(true);
        expect(gunzipSync(await enclosed.gzip()).equals(expected)).toBe(true);
      },
    ),
    { numRuns: 30 },
  );
});
