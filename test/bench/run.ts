/**
 * `npm run bench -- ARGS` measures the built engine: `--only PART` runs one of `parts`, each in its own file; all
 * other ARGS are passed to the runner in `../shared/bench` (`--only throughput`, `--json FILE`, …). Starts a PostgreSQL
 * without `--pg-url URL`.
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
import { burst } from "./burst.ts";
import { consoleSpeed } from "./console.ts";
import { firstStart } from "./first-start.ts";
import { largeAnswers } from "./large-answers.ts";
import { literalCost } from "./literals.ts";
import { manyTables } from "./many-tables.ts";
import { relationCost } from "./relations.ts";
import { requestCost } from "./request-cost.ts";
import { scaling } from "./scaling.ts";
import { telemetryCost } from "./telemetry.ts";
import { toolCost } from "./tools.ts";
import { workersGain } from "./workers.ts";
import { writeCost } from "./writes.ts";

interface Part {
  /** Required programs. */
  readonly programs: readonly string[];
  /** @param url URL of a PostgreSQL server @param args arguments of the command line */
  readonly run: (url: string, args: readonly string[]) => Promise<void>;
}

const load = ["wrk"];

const parts: Readonly<Record<string, Part>> = {
  burst: { programs: [], run: burst },
  large: { programs: [], run: largeAnswers },
  literals: { programs: load, run: literalCost },
  mcp: { programs: load, run: toolCost },
  relations: { programs: load, run: relationCost },
  scaling: { programs: [], run: scaling },
  start: { programs: [], run: firstStart },
  tables: { programs: [], run: (url, args) => manyTables(url, optionValue(args, "--tables")) },
  telemetry: { programs: load, run: (url, args) => telemetryCost(url, optionValue(args, "--kind")) },
  workers: { programs: load, run: (url) => workersGain(url) },
  writes: { programs: load, run: writeCost },
};

/** Returns the parts that use the data set in `../shared/bench`. */
function partsOf(folder: string): Readonly<Record<string, Part>> {
  const programs = ["psql", "wrk"];
  return {
    cost: {
      programs,
      run: (url, args) =>
        requestCost(url, folder, {
          against: optionValue(args, "--against"),
          cases: optionValue(args, "--cases"),
        }),
    },
    console: { programs, run: (url) => consoleSpeed(url, folder) },
  };
}

await runMain(async () => {
  const args = process.argv.slice(2);
  const only = optionValue(args, "--only") ?? "";
  const folder = sharedFolder("bench");
  const all = folder === undefined ? parts : { ...parts, ...partsOf(folder) };
  const part = Object.hasOwn(all, only) ? all[only] : undefined;
  if (part === undefined && folder === undefined) {
    console.log("bench: skipped, there is no ../shared/bench");
    return 0;
  }
  await ensureBuilt();
  return withPostgres(args, async (url) => {
    requirePrograms(part?.programs ?? ["psql", "wrk"]);
    if (part !== undefined) {
      await part.run(url, args);
      return 0;
    }
    const own = ["--pg-url", url, "--cmd", optionValue(args, "--cmd") ?? engineCommand];
    const rest = withoutOption(withoutOption(args, "--pg-url"), "--cmd");
    return runToEnd(process.execPath, [join(folder ?? "", "run.mjs"), ...own, ...rest]);
  });
});

/** Fails before minutes of measuring. `.ci/postgres.sh` installs both programs; with `--pg-url` they may be missing. */
function requirePrograms(names: readonly string[]): void {
  const folders = (process.env.PATH ?? "").split(delimiter);
  const missing = names.filter((name) => !folders.some((folder) => existsSync(join(folder, name))));
  if (missing.length === 0) return;
  throw new Error(`bench needs ${missing.join(" and ")} (Debian: apt-get install postgresql-client wrk)`);
}
