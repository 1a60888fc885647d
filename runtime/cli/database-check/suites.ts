/** The suites of `engine database check`, which the build packs into one file (`.ci/check-suites.mjs`). */
import { readFile } from "node:fs/promises";
import type { SourceKind } from "../../../compiler/catalog/model.ts";
import { ConfigurationError } from "../../config/configuration-error.ts";
import { packageFolder } from "../../config/package-folder.ts";
import { didYouMean } from "../../values/nearest-name.ts";

type ByKind<T> = Readonly<Partial<Record<SourceKind, T>>>;

/** Tables, rows and metadata of a suite on one kind of database. */
export interface Setup {
  /** SQL that creates tables and rows in an empty database. */
  readonly schema: string;
  /** The same for users who are not superusers, if it differs. */
  readonly unprivileged?: string;
  /** Complete metadata whose source is `default`. */
  readonly metadata?: Readonly<Record<string, unknown>>;
  /** Tracked tables, instead of complete metadata. */
  readonly tables?: readonly unknown[];
  /** Values of the first row, by column, for the suite of types. */
  readonly values?: Readonly<Record<string, unknown>>;
  /** The same values as `FOR JSON` of SQL Server writes them according to its documentation. */
  readonly forJson?: Readonly<Record<string, unknown>>;
}

/** One request with its expected response. */
export interface RequestCase {
  readonly name: string;
  readonly query: string;
  /** Queries of kinds of database with another syntax. */
  readonly queries?: ByKind<string>;
  /** Session variables. */
  readonly session?: Readonly<Record<string, string>>;
  readonly variables?: Readonly<Record<string, unknown>>;
  /** Reasons why kinds of database lack the case. */
  readonly absent?: ByKind<string>;
  /** `data` of the response, or `{ "error": { "code" } }`. */
  readonly result: unknown;
  /** The statement that the compiler of this version generates, with its parameters. */
  readonly statements?: ByKind<string>;
}

export interface Suite {
  readonly name: string;
  /** Name of its setup. */
  readonly setup: string;
  /** If set, the tables are recreated before each case, else only before the suite. */
  readonly reset?: "case";
  readonly cases: readonly RequestCase[];
  /** Name of the program that makes further cases. */
  readonly program?: string;
}

export interface Suites {
  readonly setups: Readonly<Record<string, ByKind<Setup>>>;
  readonly suites: readonly Suite[];
}

export async function readSuites(): Promise<Suites> {
  return JSON.parse(await readFile(new URL(".build/check-suites.json", packageFolder()), "utf8"));
}

/** The suite without a setup: whether the metadata of the engine can be in the same database. */
export const metadataSuite = "metadata";

/** Selects cases by `suite` or `suite/case`. */
export type Selection = (suite: string, name?: string) => boolean;

/**
 * Returns the selection of `--only`; without names, it selects everything.
 * @throws ConfigurationError for an unknown suite
 */
export function selectionOf(only: readonly string[], { suites }: Suites): Selection {
  const names = [metadataSuite, ...suites.map(({ name }) => name)];
  const problems = only.flatMap((text) => {
    const [suite = ""] = text.split("/");
    if (names.includes(suite)) return [];
    const hint = didYouMean(suite, names) ?? `the suites are ${names.join(", ")}`;
    return [{ setting: "--only", message: `unknown suite "${suite}": ${hint}` }];
  });
  if (problems.length > 0) throw new ConfigurationError(problems);
  if (only.length === 0) return () => true;
  return (suite, name) =>
    only.some(
      (text) => text === suite || (name === undefined ? text.startsWith(`${suite}/`) : text === `${suite}/${name}`),
    );
}
