/**
 * `npm run mutate -- [--edits 200] [--sample N] [--seed 1] [--only RE] [--steps N] [--tests COMMIT] [--limit 300]
 * [--report FILE] [--no-baseline] [--list]`:
 * applies small edits to a scratch copy of the repository, one at a time, and checks whether the tests that cover the
 * edited file detect the edit. Edits are chosen evenly over rooms (rooms.ts) and kinds (edits.ts); the same seed
 * chooses the same edits.
 *
 * `--sample N` runs N of the edits, evenly spaced. `--only RE` runs the edits in matching files. `--steps N` runs only
 * the first N steps of tests. `--tests COMMIT` uses `test/`, `generated/` and `fixtures/` of a commit. `--limit` is the
 * timeout of a step in seconds; an edit whose step times out counts as detected. The report has one JSON object per
 * line; edits that are already in the report are skipped. The exit code is 0 if at least 95 % of the edits were
 * detected, not counting equivalent edits (equivalent.json).
 */
import { execFileSync, spawn } from "node:child_process";
import {
  appendFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startEmbeddedPostgres } from "../../runtime/databases/embedded-postgres/start-embedded-postgres.ts";
import { optionValue, root, runMain } from "../support/shared-checks.ts";
import { applied, type Edit, editKinds, editsOf } from "./edits.ts";
import { rooms, stepsOf } from "./rooms.ts";

/** Required fraction of detected edits among those with a result. */
const leastNoticed = 0.95;

interface Outcome extends Pick<Edit, "kind" | "file" | "line" | "before" | "after"> {
  readonly noticed: boolean;
  /** The first failed test, or the reason why there is none. */
  readonly by: string;
  readonly seconds: number;
}

interface Equivalent {
  readonly file: string;
  /** Edited text and its complete line. */
  readonly before: string;
  readonly line: string;
  /** Index among lines with this text; default: the first. */
  readonly occurrence?: number;
  readonly reason: string;
}

/** Chooses edits. @returns equally many edits of each kind in each room, spread evenly over the files of the room */
function choose(count: number, seed: number): readonly Edit[] {
  const random = randomFrom(seed);
  const each = count / (rooms.length * editKinds.length);
  return rooms.flatMap(({ folder }) => {
    const files = trackedBelow(folder).filter((file) => file.endsWith(".ts"));
    const edits = files.flatMap((file) => editsOf(file, readFileSync(join(root, file), "utf8")));
    return editKinds.flatMap((kind) => {
      const candidates = edits.filter((edit) => edit.kind === kind);
      return Array.from({ length: Math.round(each) }, (_, i) => {
        return candidates[Math.floor(((i + random()) * candidates.length) / Math.round(each))];
      }).filter((edit) => edit !== undefined);
    });
  });
}

const sampleOf = (edits: readonly Edit[], count: number): readonly Edit[] =>
  Array.from({ length: Math.min(count, edits.length) }, (_, i) => {
    return edits[Math.floor(((i + 0.5) * edits.length) / Math.min(count, edits.length))];
  }).filter((edit) => edit !== undefined);

/** Reorders the edits so that neighbours are far apart. */
function spread(edits: readonly Edit[]): readonly Edit[] {
  const strides = 7;
  return Array.from({ length: strides }, (_, first) => edits.filter((_, i) => i % strides === first)).flat();
}

/** Returns random numbers in [0, 1): the generator "mulberry32" (public domain). */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const trackedBelow = (folder: string): readonly string[] => git("ls-files", folder).trim().split("\n");

const git = (...args: string[]): string =>
  execFileSync("git", args, { cwd: root, encoding: "utf8", maxBuffer: 64 * 1024 * 1024 });

interface BenchOptions {
  /** Commit whose tests are used; absent: the working tree. */
  readonly commitOfTests: string | undefined;
  /** Timeout of a step in seconds. */
  readonly limit: number;
  /** Maximum number of steps. */
  readonly steps: number;
}

/** A scratch copy of the repository and a PostgreSQL for its tests. */
class Bench {
  readonly #folder: string;
  readonly #postgres: Awaited<ReturnType<typeof startEmbeddedPostgres>>;
  readonly #data: string;
  readonly #limit: number;
  readonly #steps: number;
  #running: number | undefined;
  readonly #leftOut = new Set<string>();

  private constructor(
    folder: string,
    data: string,
    postgres: Awaited<ReturnType<typeof startEmbeddedPostgres>>,
    how: Pick<BenchOptions, "limit" | "steps">,
  ) {
    this.#folder = folder;
    this.#data = data;
    this.#postgres = postgres;
    this.#limit = how.limit;
    this.#steps = how.steps;
  }

  static async open({ commitOfTests, ...how }: BenchOptions): Promise<Bench> {
    const folder = mkdtempSync(join(tmpdir(), "mutate-"));
    const copy = `git ls-files -z --cached --others --exclude-standard | tar --null --ignore-failed-read -T - -c 2>/dev/null`;
    execFileSync("sh", ["-c", `${copy} | tar x -C "$0"`, folder], { cwd: root });
    if (commitOfTests !== undefined) {
      for (const part of ["test", "generated", "fixtures"]) rmSync(join(folder, part), { recursive: true });
      const archive = 'git archive "$1" test generated fixtures | tar x -C "$0"';
      execFileSync("sh", ["-c", archive, folder, commitOfTests], { cwd: root });
    }
    for (const link of ["node_modules", ".build"]) {
      rmSync(join(folder, link), { recursive: true, force: true });
      symlinkSync(join(root, link), join(folder, link));
    }
    const data = mkdtempSync(join(tmpdir(), "mutate-data-"));
    execFileSync("chmod", ["755", data]); // PostgreSQL may run as another user, which must be able to traverse the folder
    const postgres = await startEmbeddedPostgres({ dataDirectory: join(data, "postgres"), durable: false });
    return new Bench(folder, data, postgres, how);
  }

  /** Excludes test files that fail without an edit, because they would detect every edit. */
  async leaveOutFailing(edits: readonly Edit[]): Promise<void> {
    for (const step of new Set(edits.flatMap((edit) => stepsOf(edit).slice(0, this.#steps)))) {
      for (;;) {
        const failure = await this.#run(step);
        if (failure === undefined) break;
        console.log(`left out, because it fails without an edit: ${failure}`);
        const [file = ""] = failure.split(": ");
        if (file.endsWith(".test.ts")) this.#leftOut.add(file);
        else for (const each of step.flatMap((path) => this.#testsBelow(path))) this.#leftOut.add(each);
      }
    }
  }

  async try(edit: Edit): Promise<Outcome> {
    const { kind, file, line, before, after } = edit;
    const path = join(this.#folder, file);
    const text = readFileSync(path, "utf8");
    const began = performance.now();
    const outcome = (noticed: boolean, by: string): Outcome => {
      return { kind, file, line, before, after, noticed, by, seconds: Math.round((performance.now() - began) / 1000) };
    };
    writeFileSync(path, applied(text, edit));
    try {
      for (const step of stepsOf(edit).slice(0, this.#steps)) {
        const failed = await this.#run(step);
        if (failed !== undefined) return outcome(true, failed);
      }
      return outcome(false, "no test failed");
    } finally {
      writeFileSync(path, text);
    }
  }

  /** Runs test files. @returns the first failed test, if any */
  async #run(files: readonly string[]): Promise<string | undefined> {
    const result = join(this.#folder, ".result.json");
    rmSync(result, { force: true });
    const present = files.flatMap((file) => this.#testsBelow(file)).filter((file) => !this.#leftOut.has(file));
    if (present.length === 0) return undefined;
    const vitest = ["node_modules/vitest/vitest.mjs", "run", "--config", "test/vitest.config.ts", ...present];
    const options = ["--maxWorkers=1", "--bail=1", "--testTimeout=60000", "--reporter=json", `--outputFile=${result}`];
    const child = spawn(process.execPath, [...vitest, ...options, "--testNamePattern", "^(?!.*type-checks)"], {
      cwd: this.#folder,
      detached: true,
      stdio: "ignore",
      env: { ...process.env, ENGINE_TEST_POSTGRES_URL: this.#postgres.url, NO_COLOR: "1" },
    });
    const group = -(child.pid ?? 0);
    this.#running = group;
    const timer = setTimeout(() => process.kill(group, "SIGKILL"), this.#limit * 1000);
    const code = await new Promise<number | null>((resolve) => child.once("exit", resolve));
    clearTimeout(timer);
    this.#running = undefined;
    if (code === 0) return undefined;
    return code === null ? `no end after ${this.#limit} s` : firstFailure(result);
  }

  #testsBelow(path: string): readonly string[] {
    if (path.endsWith(".test.ts")) return existsSync(join(this.#folder, path)) ? [path] : [];
    const files = readdirSync(join(this.#folder, path), { recursive: true, encoding: "utf8" });
    return files.filter((file) => file.endsWith(".test.ts")).map((file) => `${path}/${file}`);
  }

  async close(): Promise<void> {
    if (this.#running !== undefined) process.kill(this.#running, "SIGKILL");
    await this.#postgres.stop();
    for (const folder of [this.#folder, this.#data]) rmSync(folder, { recursive: true, force: true });
  }
}

function firstFailure(path: string): string {
  if (!existsSync(path)) return "vitest did not start";
  const { testResults }: { readonly testResults: readonly TestFile[] } = JSON.parse(readFileSync(path, "utf8"));
  for (const { name, status, assertionResults } of testResults) {
    const test = assertionResults.find(({ status }) => status === "failed");
    const file = name.replace(/^.*?\/test\//, "test/");
    if (test !== undefined) return `${file}: ${test.fullName}`;
    if (status === "failed") return file;
  }
  return "vitest failed outside tests";
}

interface TestFile {
  readonly name: string;
  readonly status: string;
  readonly assertionResults: readonly { readonly status: string; readonly fullName: string }[];
}

function readReport(path: string): readonly Outcome[] {
  if (!existsSync(path)) return [];
  const lines = readFileSync(path, "utf8").split("\n");
  return lines.filter((line) => line !== "").map((line) => JSON.parse(line));
}

const keyOf = ({ file, line, before, kind }: Pick<Edit, "file" | "line" | "before" | "kind">): string =>
  JSON.stringify([file, line, before, kind]);

function equivalentOf({ file, line, before }: Edit): Equivalent | undefined {
  const known: readonly Equivalent[] = JSON.parse(readFileSync(join(import.meta.dirname, "equivalent.json"), "utf8"));
  const lines = readFileSync(join(root, file), "utf8")
    .split("\n")
    .map((each) => each.trim());
  const text = lines[line - 1];
  const occurrence = lines.slice(0, line).filter((each) => each === text).length;
  return known.find(
    (each) =>
      each.file === file && each.before === before && each.line === text && (each.occurrence ?? 1) === occurrence,
  );
}

const editOf = ({
  file,
  line,
  kind,
  before,
  after,
}: Pick<Edit, "file" | "line" | "kind" | "before" | "after">): string =>
  `${file}:${line} ${kind}: ${before.replaceAll(/\s+/g, " ").slice(0, 80)} → ${after.replaceAll(/\s+/g, " ").slice(0, 80)}`;

const rowOf = (outcome: Outcome): string =>
  `${outcome.noticed ? "noticed " : "SURVIVED"} ${outcome.seconds} s ${editOf(outcome)} (${outcome.by.slice(0, 120)})`;

function list(edits: readonly Edit[]): number {
  for (const edit of edits) console.log(editOf(edit));
  return 0;
}

function summarize(sample: readonly Edit[], known: ReadonlyMap<string, Outcome>): number {
  const equivalent = sample.filter((edit) => equivalentOf(edit) !== undefined);
  const outcomes = sample
    .filter((edit) => equivalentOf(edit) === undefined)
    .flatMap((edit) => known.get(keyOf(edit)) ?? []);
  const survivors = outcomes.filter(({ noticed }) => !noticed);
  for (const survivor of survivors) console.log(rowOf(survivor));
  const noticed = outcomes.length - survivors.length;
  console.log(`${noticed} of ${outcomes.length} edits noticed, ${equivalent.length} equivalent edits left aside`);
  return noticed >= leastNoticed * outcomes.length ? 0 : 1;
}

await runMain(async () => {
  const args = process.argv.slice(2);
  const chosen = choose(Number(optionValue(args, "--edits") ?? 200), Number(optionValue(args, "--seed") ?? 1));
  const only = new RegExp(optionValue(args, "--only") ?? "");
  const count = Number(optionValue(args, "--sample") ?? chosen.length);
  const sample = sampleOf(chosen, count).filter(({ file }) => only.test(file));
  if (args.includes("--list")) return list(sample);
  const report = optionValue(args, "--report") ?? join(root, ".data", "mutate.jsonl");
  const limit = Number(optionValue(args, "--limit") ?? 300);
  const known = new Map(readReport(report).map((outcome) => [keyOf(outcome), outcome]));
  const left = sample.filter((edit) => !known.has(keyOf(edit)) && equivalentOf(edit) === undefined);
  const steps = Number(optionValue(args, "--steps") ?? Number.POSITIVE_INFINITY);
  const bench = await Bench.open({ commitOfTests: optionValue(args, "--tests"), limit, steps });
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.once(signal, () => void bench.close().finally(() => process.exit(1)));
  }
  try {
    if (!args.includes("--no-baseline")) await bench.leaveOutFailing(left);
    // The order differs from that of the rooms, so that even an interrupted run covers all rooms.
    for (const edit of spread(left)) {
      const outcome = await bench.try(edit);
      appendFileSync(report, `${JSON.stringify(outcome)}\n`);
      console.log(rowOf(outcome));
      known.set(keyOf(outcome), outcome);
    }
  } finally {
    await bench.close();
  }
  return summarize(sample, known);
});
process.exit();
