/**
 * `npm run conformance -- ARGS`: the request/response cases of `../shared/conformance` against the built engine.
 * ARGS go to its runner (`--suite RE`, `--jobs N`, …). Of our own:
 *   --pg-url URL        a PostgreSQL to use; without it one is started (`.ci/postgres.sh`)
 *   --update-baseline   adds what passes now to baseline.json
 *   --check-baseline    runs the suites of the baseline; exit 1 when one of its cases does not pass
 */
import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  engineCommand,
  ensureBuilt,
  optionValue,
  root,
  runMain,
  runToEnd,
  sharedFolder,
  withoutOption,
  withPostgres,
} from "../support/shared-checks.ts";
import {
  brokenCases,
  type CaseResult,
  nextBaseline,
  parseBaseline,
  parseResults,
  readExceptions,
  suitesOf,
} from "./baseline.ts";

const baselineFile = join(root, "test", "conformance", "baseline.json");
const exceptionsFile = join(root, "test", "conformance", "exceptions.md");
const ownFlags = ["--update-baseline", "--check-baseline"] as const;

await runMain(async () => {
  const runner = sharedFolder("conformance");
  if (runner === undefined) {
    console.log("conformance: skipped, there is no ../shared/conformance");
    return 0;
  }
  const given = process.argv.slice(2);
  const args = given.filter((arg) => !ownFlags.some((flag) => flag === arg));
  const script = join(runner, "run.mjs");
  if (given.includes("--check-baseline")) return checkBaseline(script, args);
  if (given.includes("--update-baseline")) return updateBaseline(script, args);
  await ensureBuilt();
  return withPostgres(args, (url) => run(script, url, args));
});

function run(script: string, url: string, args: readonly string[]): Promise<number> {
  const own = ["--pg-url", url, "--cmd", optionValue(args, "--cmd") ?? engineCommand];
  return runToEnd(process.execPath, [script, ...own, ...withoutOption(withoutOption(args, "--pg-url"), "--cmd")]);
}

/** The last line is `N passed, N failed`, in cases of the baseline. */
async function checkBaseline(script: string, args: readonly string[]): Promise<number> {
  const baseline = parseBaseline(await readFile(baselineFile, "utf8"));
  const results = baseline.length === 0 ? [] : await runForResults(script, [...args, "--suite", suitesOf(baseline)]);
  const broken = brokenCases(baseline, results);
  for (const { id, reason } of broken) console.log(`BROKEN ${id}: ${reason}`);
  console.log(`${baseline.length - broken.length} passed, ${broken.length} failed`);
  return broken.length === 0 ? 0 : 1;
}

async function updateBaseline(script: string, args: readonly string[]): Promise<number> {
  if (process.env.CI) throw new Error("the baseline is changed by people, not in continuous integration");
  const baseline = parseBaseline(await readFile(baselineFile, "utf8"));
  const exceptions = readExceptions(await readFile(exceptionsFile, "utf8"));
  const results = await runForResults(script, args);
  const next = nextBaseline(baseline, results, exceptions);
  await writeFile(baselineFile, `${JSON.stringify(next, null, 2)}\n`);
  const ran = new Set(results.map((result) => result.id));
  const broken = brokenCases(
    next.filter((id) => ran.has(id)),
    results,
  );
  for (const { id, reason } of broken) console.log(`BROKEN ${id}: ${reason}`);
  console.log(`baseline: ${baseline.length} cases before, ${next.length} now, ${broken.length} of them broken`);
  return broken.length === 0 ? 0 : 1;
}

async function runForResults(script: string, args: readonly string[]): Promise<readonly CaseResult[]> {
  await ensureBuilt();
  const folder = await mkdtemp(join(tmpdir(), "engine-conformance-"));
  const file = optionValue(args, "--json") ?? join(folder, "results.json");
  try {
    await rm(file, { force: true }); // of an earlier run, which must not be taken for this one's
    const code = await withPostgres(args, (url) =>
      run(script, url, [...withoutOption(args, "--json"), "--json", file]),
    );
    if (!existsSync(file)) throw new Error(`the runner ended without results (exit ${code})`);
    return parseResults(await readFile(file, "utf8"));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
