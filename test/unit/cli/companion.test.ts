/** The command of `engine dev --run`, in a process that runs it. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { root } from "../../support/shared-checks.ts";

const companion = join(root, "runtime/cli/dev/companion.ts");

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

describe.skipIf(process.platform === "win32")("The command beside engine dev", () => {
  it.each(["SIGHUP", "SIGTERM"] as const)(
    "The command and its children end when %s ends engine dev",
    async (signal) => {
      const program = `
      import { runCompanion } from ${JSON.stringify(companion)};
      process.once("SIGTERM", () => process.exit(143));
      runCompanion("sh -c 'echo pid=$$; sleep 600'", ".", { environment: process.env });
    `;
      const dev = spawn(process.execPath, ["--import", "tsx", "--input-type=module", "--eval", program], { cwd: root });
      let output = "";
      dev.stdout.on("data", (data) => (output += String(data)));
      await expect.poll(() => output, { timeout: 20_000 }).toMatch(/pid=\d+/);
      const child = Number(/pid=(\d+)/.exec(output)?.[1]);
      expect(isAlive(child)).toBe(true);
      dev.kill(signal);
      await once(dev, "exit");
      await expect.poll(() => isAlive(child), { timeout: 5_000 }).toBe(false);
    },
  );
});
