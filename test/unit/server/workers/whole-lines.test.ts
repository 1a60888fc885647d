import { expect, it } from "vitest";
import { WholeLines } from "../../../../runtime/server/workers/whole-lines.ts";

it("WholeLines writes complete lines, regardless of the boundaries of its input", () => {
  const written: string[] = [];
  const lines = new WholeLines((line) => written.push(line));
  for (const piece of ["a\nb", "", "c\n", "\nd", "e"]) lines.add(piece);
  expect(written).toEqual(["a\n", "bc\n", "\n"]);
  lines.end();
  lines.add("f\n");
  expect(written.at(-1)).toBe("f\n");
});
