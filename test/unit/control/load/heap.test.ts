import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

/** In megabytes: about 1 was measured; with `import()`, the same reloads would retain about 50. */
const allowedGrowth = 8;

it("The heap does not grow with the number of reloads", () => {
  const script = fileURLToPath(new URL("reload.ts", import.meta.url));
  const output = execFileSync(process.execPath, ["--expose-gc", "--import", "tsx", script], {
    encoding: "utf8",
    timeout: 120_000,
  });
  const { before, after } = JSON.parse(output) as { before: number; after: number };
  expect(after - before).toBeLessThan(allowedGrowth);
}, 130_000);
