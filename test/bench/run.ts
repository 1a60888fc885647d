/**
 * `npm run bench -- ARGS`: the measurements of `../shared/bench` on the built engine.
 * ARGS go to its runner (`--only throughput`, `--json FILE`, …); without `--pg-url URL` a PostgreSQL is started.
 * `--only scaling`, `--only cost`, `--only telemetry`, `--only literals`, `--only workers` and `--only console` are parts of our
 * own: `scaling.ts`, `request-cost.ts`, `telemetry.ts`, `literals.ts`, `workers.ts`, `console.ts`.
 */
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import {
  engineCommand,
  ensureBuilt,
  optionValue,
  runMain,
  runToEnd,
  sharedFolder,
  withoutOption,
  withPostgres,
} from "../support/shared-checks.ts";
import { consoleSpeed } from "./console.ts";
import { literalCost } from "./literals.ts";
import { requestCost } from "./request-cost.ts";
import { scaling } from "./scaling.ts";
import { telemetryCost } from "./telemetry.ts";
import { workersGain } from "./workers.ts";

await runMain(async () => {
  const args = process.argv.slice(2);
  if (optionValue(args, "--only") === "scaling") {
    await ensureBuilt();
    return withPostgres(args, async (url) => {
      await scaling(url);
      return 0;
    });
  }
  if (optionValue(args, "--only") === "telemetry") {
    await ensureBuilt();
    return withPostgres(args, async (url) => {
      requirePrograms(["wrk"]);
      await telemetryCost(url, optionValue(args, "--kind"));
      return 0;
    });
  }
  if (optionValue(args, "--only") === "literals") {
    await ensureBuilt();
    return withPostgres(args, async (url) => {
      requirePrograms(["wrk"]);
      await literalCost(url);
      return 0;
    });
  }
  if (optionValue(args, "--only") === "workers") {
    await ensureBuilt();
    return withPostgres(args, async (url) => {
      requirePrograms(["wrk"]);
      await workersGain(url);
      return 0;
    });
  }
  const folder = sharedFolder("bench");
  if (folder === undefined) {
    console.log("bench: skipped, there is no ../shared/bench");
    return 0;
  }
  await ensureBuilt();
  return withPostgres(args, async (url) => {
    requirePrograms(["psql", "wrk"]);
    if (optionValue(args, "--only") === "cost") {
      await requestCost(url, folder, optionValue(args, "--against"));
      return 0;
    }
    if (optionValue(args, "--only") === "console") {
      await consoleSpeed(url, folder);
      return 0;
    }
    const own = ["--pg-url", url, "--cmd", optionValue(args, "--cmd") ?? engineCommand];
    const rest = withoutOption(withoutOption(args, "--pg-url"), "--cmd");
    return runToEnd(process.execPath, [join(folder, "run.mjs"), ...own, ...rest]);
  });
});

/** Before minutes of measuring, not after. `.ci/postgres.sh` has installed both; with `--pg-url` they may lack. */
function requirePrograms(names: readonly string[]): void {
  const folders = (process.env.PATH ?? "").split(delimiter);
  const missing = names.filter((name) => !folders.some((folder) => existsSync(join(folder, name))));
  if (missing.length === 0) return;
  throw new Error(`bench needs ${missing.join(" and ")} (Debian: apt-get install postgresql-client wrk)`);
}
