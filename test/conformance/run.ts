/**
 * `npm run conformance -- ARGS`: the request/response cases of `../shared/conformance` against the built engine.
 * ARGS are passed to the runner of the cases (`--suite RE`, `--jobs N`, …), except these options:
 *   --pg-url URL        the PostgreSQL to use; by default, a new one (`.ci/postgres.sh`)
 *   --update-baseline   adds newly passing cases to baseline.json
 *   --check-baseline    runs the suites of the baseline; exits with 1 if one of its cases fails
 *   --sealed            serves data requests from sealed artifacts, which are rebuilt after metadata changes
 */
import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { SealingCounts } from "../support/sealing-front.ts";
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
const sealedExceptionsFile = join(root, "test", "conformance", "sealed-exceptions.md");
const ownFlags = ["--update-baseline", "--check-baseline", "--sealed"] as const;
const isSealed = process.argv.includes("--sealed");
const command = isSealed ? "node --import tsx test/conformance/sealed.ts" : engineCommand;

await runMain(async () => {
  const runner = sharedFolder("conformance");
  if (runner === undefined) {
    console.log("conformance: skipped, there is no ../shared/conformance");
    return 0;
  }
  const given = process.argv.slice(2);
  const args = given.filter((arg) => !ownFlags.some((flag) => flag === arg));
  const script = join(runner, "run.mjs");
  if (isSealed) return withCounts(() => main(given, script, args));
  return main(given, script, args);
});

async function main(given: readonly string[], script: string, args: readonly string[]): Promise<number> {
  if (given.includes("--check-baseline")) return checkBaseline(script, args);
  if (given.includes("--update-baseline")) return updateBaseline(script, args);
  await ensureBuilt();
  return withPostgres(args, (url) => run(script, url, args));
}

/** Runs `work`, then reports how many requests artifacts served, and why they did not serve the remaining requests. */
async function withCounts(work: () => Promise<number>): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), "engine-conformance-"));
  const file = join(folder, "counts.jsonl");
  // The runner passes this variable to the programs that it starts.
  process.env.CONFORMANCE_SEALED_COUNTS = file;
  try {
    const code = await work();
    const lines = existsSync(file) ? (await readFile(file, "utf8")).trim().split("\n") : [];
    const { built, sealed, live } = addCounts(lines.map((line) => JSON.parse(line) as SealingCounts));
    console.log(`${built} artifacts answered ${sealed} requests`);
    for (const [reason, count] of Object.entries(live)) console.log(`the live engine answered ${count}: ${reason}`);
    return code;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function addCounts(counts: readonly SealingCounts[]): SealingCounts {
  const sum: SealingCounts = { built: 0, sealed: 0, live: {} };
  for (const { built, sealed, live } of counts) {
    sum.built += built;
    sum.sealed += sealed;
    for (const [reason, count] of Object.entries(live)) sum.live[reason] = (sum.live[reason] ?? 0) + count;
  }
  return sum;
}

function run(script: string, url: string, args: readonly string[]): Promise<number> {
  const own = ["--pg-url", url, "--cmd", optionValue(args, "--cmd") ?? command];
  return runToEnd(process.execPath, [script, ...own, ...withoutOption(withoutOption(args, "--pg-url"), "--cmd")]);
}

/** Runs the suites of the baseline. The last line is `N passed, N failed`, counting its cases. */
async function checkBaseline(script: string, args: readonly string[]): Promise<number> {
  const left = isSealed ? readExceptions(await readFile(sealedExceptionsFile, "utf8")) : new Set();
  const baseline = parseBaseline(await readFile(baselineFile, "utf8")).filter((id) => !left.has(id));
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
    await rm(file, { force: true }); // results of an earlier run must not be mistaken for those of this run
    const code = await withPostgres(args, (url) =>
      run(script, url, [...withoutOption(args, "--json"), "--json", file]),
    );
    if (!existsSync(file)) throw new Error(`the runner ended without results (exit ${code})`);
    return parseResults(await readFile(file, "utf8"));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
