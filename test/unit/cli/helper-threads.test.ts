import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, it } from "vitest";

const file = fileURLToPath(new URL("../../../runtime/cli/helper-threads.ts", import.meta.url));
const program = `
  import { readdirSync } from "node:fs";
  import { getPriority } from "node:os";
  import { lowerHelperPriority } from ${JSON.stringify(file)};
  const own = getPriority();
  const behind = () => readdirSync("/proc/self/task").filter((thread) => getPriority(Number(thread)) > own).length;
  const before = behind();
  lowerHelperPriority();
  console.log(JSON.stringify({ before, after: behind(), hasMoved: getPriority() !== own }));
`;

it.runIf(process.platform === "linux")("Threads of V8 have a lower priority than the main thread", async () => {
  const args = ["--import", "tsx", "--input-type=module", "--eval", program];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  expect(JSON.parse(stdout)).toEqual({ before: 0, after: 5, hasMoved: false });
});
