/**
 * `npm run faults -- [--quick] [--only RE] [--jobs 4] [--soak MINUTES]` breaks networks, databases, engines and
 * clients, and prints a row for each fault. The last line is `N passed, N failed`; the exit code is 0 only if nothing
 * failed. `--quick` runs at most three minutes.
 */
import { setTimeout as delay } from "node:timers/promises";
import { ensureBuilt, optionValue, runMain } from "../support/shared-checks.ts";
import { faults } from "./cases/index.ts";
import { type Fault, Lab, Premises } from "./lab/lab.ts";
import { heading, type Outcome, rowOf, type Skipped } from "./lab/report.ts";
import { soak } from "./soak.ts";

/** Time limit of a fault. */
const limitMilliseconds = { quick: 90_000, whole: 300_000 };

await runMain(async () => {
  const args = process.argv.slice(2);
  const isQuick = args.includes("--quick") || args.includes("--short");
  await ensureBuilt();
  const premises = await Premises.open(isQuick);
  // Otherwise database clusters would outlive this process.
  process.once("exit", () => premises.clusters.killAll());
  for (const name of ["SIGINT", "SIGTERM"] as const) process.once(name, () => process.exit(1));
  try {
    const minutes = optionValue(args, "--soak");
    if (minutes !== undefined) return await soak(premises, Number(minutes));
    const only = new RegExp(optionValue(args, "--only") ?? "", "i");
    const chosen = faults.filter(({ name, isQuick: quick }) => only.test(name) && (quick || !isQuick));
    return await runAll(premises, chosen, Number(optionValue(args, "--jobs") ?? 4));
  } finally {
    await premises.close();
  }
});

// Without this, Node 20 may wait indefinitely for sockets that were reset.
process.exit();

async function runAll(premises: Premises, chosen: readonly Fault[], jobs: number): Promise<number> {
  console.log(heading());
  const left = [...chosen];
  const counts = { passed: 0, failed: 0 };
  const job = async (): Promise<void> => {
    for (let fault = left.shift(); fault !== undefined; fault = left.shift()) {
      const result = await runOne(premises, fault);
      console.log(rowOf(fault.name, result));
      if ("skipped" in result) continue;
      counts[result.broken.length === 0 ? "passed" : "failed"]++;
    }
  };
  await Promise.all(Array.from({ length: jobs }, job));
  console.log(`${counts.passed} passed, ${counts.failed} failed`);
  return counts.failed === 0 && counts.passed > 0 ? 0 : 1;
}

async function runOne(premises: Premises, fault: Fault): Promise<Outcome | Skipped> {
  const lab = new Lab(premises);
  const limit = limitMilliseconds[premises.isQuick ? "quick" : "whole"];
  const outOfTime = delay(limit, { figures: {}, broken: [`no end after ${limit / 1000} s`] }, { ref: false });
  try {
    return await Promise.race([fault.run(lab), outOfTime]);
  } catch (error) {
    return { figures: {}, broken: [error instanceof Error ? error.message : String(error)] };
  } finally {
    await lab.close().catch((error: unknown) => console.error(`${fault.name}: cannot clear away: ${String(error)}`));
  }
}
