/** Laws of comparing accesses: an access equals itself, and the reverse comparison is the mirror image. */
import fc from "fast-check";
import { expect, it, vi } from "vitest";
import { accessText, parseAccess } from "../../../compiler/access/access-file.ts";
import { compareAccess } from "../../../compiler/access/compare.ts";
import { access, mirrored } from "../../unit/access/sample.ts";
import { metadata } from "./random-permissions.ts";

// Each run compiles metadata, which takes time.
vi.setConfig({ testTimeout: 60_000 });

it("A comparison of access with itself, even through a file, has no changes", () => {
  fc.assert(
    fc.property(metadata, (given) => {
      expect(compareAccess(access(given), access(given))).toEqual([]);
      const read = parseAccess(accessText(access(given)));
      expect(read && compareAccess(access(given), read)).toEqual([]);
    }),
    { numRuns: 15 },
  );
});

it("The reverse comparison of access is the mirror image", () => {
  fc.assert(
    fc.property(metadata, metadata, (one, other) => {
      const [from, to] = [access(one), access(other)];
      expect(compareAccess(to, from)).toEqual(compareAccess(from, to).map(mirrored));
    }),
    { numRuns: 30 },
  );
});

it("Changes of access have a fixed order", () => {
  fc.assert(
    fc.property(metadata, metadata, (one, other) => {
      const reversed = <T extends object>(value: T): T =>
        JSON.parse(JSON.stringify(value), (_, member) =>
          typeof member === "object" && member !== null && !Array.isArray(member)
            ? Object.fromEntries(Object.entries(member).reverse())
            : member,
        );
      const [from, to] = [access(one), access(other)];
      expect(compareAccess(reversed(from), reversed(to))).toEqual(compareAccess(from, to));
    }),
    { numRuns: 15 },
  );
});
