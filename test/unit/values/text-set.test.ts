import fc from "fast-check";
import { expect, it } from "vitest";
import { TextSet } from "../../../runtime/values/text-set.ts";

it("says of each text whether it was not there, as a Set knows", () => {
  fc.assert(
    fc.property(fc.array(fc.string({ maxLength: 3, unit: "binary" })), (texts) => {
      const set = new TextSet();
      const usual = new Set<string>();
      for (const text of texts) {
        expect(set.add(text)).toBe(!usual.has(text));
        usual.add(text);
      }
    }),
  );
});

it("takes a hundred thousand texts without standing still, as a Set does", () => {
  const names = Array.from({ length: 150_000 }, (_, i) => `table_${i}_bool_exp`);
  /** In milliseconds, of sixteen texts. */
  const longest = (add: (name: string) => unknown): number => {
    let [most, before] = [0, performance.now()];
    for (const [i, name] of names.entries()) {
      add(name);
      if (i % 16 > 0) continue;
      const now = performance.now();
      most = Math.max(most, now - before);
      before = now;
    }
    return most;
  };
  const leastOf = (make: () => (name: string) => unknown): number =>
    Math.min(...Array.from({ length: 5 }, () => longest(make())));
  const mine = leastOf(() => {
    const set = new TextSet();
    return (name) => set.add(name);
  });
  const usual = leastOf(() => {
    const set = new Set<string>();
    return (name) => set.add(name);
  });
  expect(mine).toBeLessThan(usual / 3);
});
