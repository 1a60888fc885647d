/** The format of a file of permission tests, `tests/*.yaml`, and its reader. */

import { readdir } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import type * as z from "zod";
import type { Json, JsonObject } from "../../../compiler/catalog/model.ts";
import { EngineError } from "../../values/errors.ts";
import { didYouMean } from "../../values/nearest-name.ts";
import { attempt } from "../check/attempt.ts";
import { type Keys, keysOf, type LocatedFile, readLocatedFile } from "../metadata-directory/located-file.ts";
import type { Problem } from "../problem.ts";
import { testFileSchema } from "./test-file-schema.ts";

export interface TestFile {
  readonly path: string;
  /** If true, the seeds of all databases run before the setup. */
  readonly seeds: boolean;
  readonly setup: readonly SetupStep[];
  readonly cases: readonly TestCase[];
}

/** SQL, or rows of one table. */
export type SetupStep = SqlStep | RowsStep;

interface SqlStep {
  /** `file:line:column`. */
  readonly at: string;
  /** Name of the source; absent for the default. */
  readonly database: string | undefined;
  readonly sql: string;
}

export interface RowsStep extends Omit<SqlStep, "sql"> {
  readonly table: { readonly schema: string; readonly name: string };
  /** Missing columns have their defaults. */
  readonly rows: readonly JsonObject[];
}

interface TestSession {
  readonly role: string;
  /** Session variables, by name. */
  readonly variables: Readonly<Record<string, string>>;
}

export interface TestCase {
  readonly name: string;
  /** `file:line:column`. */
  readonly at: string;
  /** Index in the list of its file. */
  readonly index: number;
  /** Name of the session in the file; absent for a session of its own. */
  readonly sessionName: string | undefined;
  readonly session: TestSession;
  readonly query: string;
  readonly operation: string | null;
  readonly variables: JsonObject;
  /** Runs after the setup of the file. */
  readonly setup: readonly SetupStep[];
  /** Absent until `--update` writes it. */
  readonly expected: Expected | undefined;
}

export interface Expected {
  readonly data?: Json;
  readonly error?: ExpectedError;
}

/** Absent members match any value. */
interface ExpectedError {
  readonly code?: string | undefined;
  readonly message?: string | undefined;
  readonly path?: string | undefined;
}

/** Schema of tables that are named without one. */
export const defaultSchema = "public";

/** Returns the folder of a project's tests. */
export function testsFolder(metadataPath: string): string {
  return join(dirname(resolve(metadataPath)), "tests");
}

/**
 * Reads the YAML files in the folder. Files in its folders are only included by them.
 * @returns the files in the order of their names, and a problem for each invalid file
 * @throws EngineError if the folder cannot be read
 */
export async function readTestFiles(
  folder: string,
): Promise<{ readonly files: readonly TestFile[]; readonly problems: readonly Problem[] }> {
  const files: TestFile[] = [];
  const problems: Problem[] = [];
  for (const name of await testFileNames(folder)) {
    const read = await attempt(() => readTestFile(folder, name));
    if ("problem" in read) problems.push(read.problem);
    else files.push(read.value);
  }
  return { files, problems };
}

async function testFileNames(folder: string): Promise<readonly string[]> {
  try {
    const entries = await readdir(folder, { withFileTypes: true });
    const names = entries.filter((entry) => entry.isFile()).map(({ name }) => name);
    return names.filter((name) => /^[^.].*\.ya?ml$/.test(name)).sort();
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return [];
    throw new EngineError("unexpected", "$", `cannot read ${folder}: ${String(error)}`, { cause: error });
  }
}

// ---------------------------------------------------------------- reading

type Input = z.output<typeof testFileSchema>;

/** @throws EngineError with file, line and column */
async function readTestFile(folder: string, name: string): Promise<TestFile> {
  const path = join(folder, name);
  const file = await readLocatedFile(path, "the folder of the tests");
  if (file === undefined) throw new EngineError("not-found", "$", `no such file: ${path}`);
  const result = testFileSchema.safeParse(file.value);
  if (!result.success) {
    const { keys, message } = deepest(result.error.issues);
    return file.fail(message, ...keys);
  }
  return new FileReader(path, result.data, file).file();
}

interface Issue {
  readonly keys: Keys;
  readonly message: string;
}

/** Returns the issue to report: of a union, the alternative that matched furthest. */
function deepest(issues: readonly z.core.$ZodIssue[]): Issue {
  // A misspelt key is the cause of the missing one.
  const ordered = issues.toSorted(
    (a, b) => Number(b.code === "unrecognized_keys") - Number(a.code === "unrecognized_keys"),
  );
  const found = ordered.flatMap((issue): readonly Issue[] => {
    const path = keysOf(issue.path);
    if (issue.code === "invalid_key") return [{ keys: path, message: issue.issues[0]?.message ?? issue.message }];
    if (issue.code === "unrecognized_keys")
      return [{ keys: [...path, ...issue.keys.slice(0, 1)], message: issue.message }];
    if (issue.code !== "invalid_union") return [{ keys: path, message: issue.message }];
    const inner = issue.errors.map(deepest).filter(({ keys }) => keys.length > 0);
    const [first] = inner;
    return [
      first ? { keys: [...path, ...first.keys], message: first.message } : { keys: path, message: issue.message },
    ];
  });
  return found[0] ?? { keys: [], message: "invalid" };
}

type Places = Pick<LocatedFile, "at" | "fail">;

class FileReader {
  readonly #path: string;
  readonly #input: Input;
  readonly #places: Places;

  constructor(path: string, input: Input, places: Places) {
    this.#path = path;
    this.#input = input;
    this.#places = places;
  }

  file(): TestFile {
    const { seeds = false, setup = [], cases } = this.#input;
    const names = new Set<string>();
    return {
      path: this.#path,
      seeds,
      setup: this.#steps(setup, "setup"),
      cases: cases.map((each, index) => {
        if (names.has(each.name)) this.#places.fail(`another case has this name`, "cases", index, "name");
        names.add(each.name);
        return this.#case(each, index);
      }),
    };
  }

  #case(input: Input["cases"][number], index: number): TestCase {
    const { name, session, query, operation = null, variables = {}, setup = [], data, error } = input;
    const isExpected = data !== undefined || error !== undefined;
    return {
      name,
      at: this.#places.at("cases", index),
      index,
      sessionName: typeof session === "string" ? session : undefined,
      session: this.#session(session, index),
      query,
      operation,
      variables,
      setup: this.#steps(setup, "cases", index, "setup"),
      expected: isExpected ? { ...(data !== undefined && { data }), ...(error && { error }) } : undefined,
    };
  }

  #session(session: Input["cases"][number]["session"], index: number): TestSession {
    if (typeof session !== "string") return { role: session.role, variables: session.variables ?? {} };
    const sessions = this.#input.sessions ?? {};
    const found = Object.hasOwn(sessions, session) ? sessions[session] : undefined;
    if (found !== undefined) return { role: found.role, variables: found.variables ?? {} };
    const known = Object.keys(sessions);
    const list = known.length === 0 ? "the file has none" : `the sessions are ${known.join(", ")}`;
    const hint = didYouMean(session, known) ?? list;
    return this.#places.fail(`no session ${JSON.stringify(session)}: ${hint}`, "cases", index, "session");
  }

  #steps(steps: NonNullable<Input["setup"]>, ...keys: Keys): readonly SetupStep[] {
    return steps.flatMap(({ database, sql, rows = {} }, index): readonly SetupStep[] => {
      if (sql !== undefined) return [{ at: this.#places.at(...keys, index, "sql"), database, sql }];
      return Object.entries(rows).map(([name, list]) => {
        const [table = "", schema = defaultSchema] = name.split(".").reverse();
        return {
          at: this.#places.at(...keys, index, "rows", name),
          database,
          table: { schema, name: table },
          rows: list,
        };
      });
    });
  }
}
