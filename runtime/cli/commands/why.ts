/** `engine why`: explains whether a role may do something, and why: on a server, with metadata files, or an artifact. */
import { readFile } from "node:fs/promises";
import { text as textOf } from "node:stream/consumers";
import type { RootOperation } from "../../../compiler/access/root-owner.ts";
import type { Json, JsonObject } from "../../../compiler/catalog/model.ts";
import type { AccessExplanation } from "../../control/explanation.ts";
import { EngineError } from "../../values/errors.ts";
import { sessionPrefix } from "../../values/session.ts";
import { explanationText } from "../access/explanation.ts";
import type { ExplanationFormat, TableOperation } from "../project/choices.ts";
import { withServer } from "../project/client.ts";
import { outputColors, printProblems, printResult } from "../project/output.ts";
import { type GlobalFlags, readSettings, type Settings } from "../project/settings.ts";

export interface WhyOptions extends GlobalFlags {
  readonly operation: TableOperation;
  readonly source: string;
  readonly columns?: readonly string[];
  /** Root field, alternative to a table. */
  readonly field?: string;
  readonly fieldOf?: RootOperation;
  readonly argument?: string;
  /** Pairs `name=value`, as of `values` and `session`. */
  readonly row?: readonly string[];
  readonly values?: readonly string[];
  readonly session?: readonly string[];
  readonly backend?: boolean;
  /** Path of a file; `-` for standard input. */
  readonly query?: string;
  /** JSON object. */
  readonly variables?: string;
  /** Metadata directory or file, or an artifact, instead of the server. */
  readonly metadata?: string;
  /** Saved Shape of the databases; only for metadata files. */
  readonly shape?: string;
  readonly format: ExplanationFormat;
  readonly color?: boolean;
}

/**
 * Resolves to the exit code.
 * @throws EngineError for invalid arguments, or the error of the server
 */
export async function whyCommand(role: string, table: string | undefined, options: WhyOptions): Promise<number> {
  const args: JsonObject = {
    role,
    session: sessionOf(options.session ?? []),
    backend: options.backend ?? false,
    ...(await subjectOf(table, options)),
  };
  const settings = await readSettings(options, process.env);
  const found = await (options.metadata === undefined
    ? byServer(args, settings, options)
    : byFiles(args, settings, options));
  if ("problems" in found) {
    printProblems(found.problems);
    return 1;
  }
  printResult(
    options.format === "json" ? `${JSON.stringify(found, null, 2)}\n` : explanationText(found, outputColors(options)),
    found,
  );
  return 0;
}

async function byServer(args: JsonObject, settings: Settings, { shape }: WhyOptions): Promise<AccessExplanation> {
  if (shape !== undefined)
    throw new EngineError("invalid-params", "$", "--shape requires --metadata; a server has its own");
  const result = await withServer(settings, (call) => call({ type: "explain_access", args }));
  return result as unknown as AccessExplanation;
}

async function byFiles(args: JsonObject, { environment }: Settings, { metadata = "", shape, row }: WhyOptions) {
  if (row !== undefined) {
    throw new EngineError(
      "invalid-params",
      "$",
      "--row requires a server: files contain no rows; leave out --metadata",
    );
  }
  const { explainFiles } = await import("../access/explain-files.ts");
  return explainFiles(args, { metadata, ...(shape !== undefined && { shape }) }, environment);
}

async function subjectOf(table: string | undefined, options: WhyOptions): Promise<JsonObject> {
  const { field, query } = options;
  if ([table, field, query].filter((each) => each !== undefined).length !== 1) {
    const message = "give either a table, or a root field with --field, or a GraphQL document with --query";
    throw new EngineError("invalid-params", "$", message);
  }
  if (table !== undefined) return { on: onTable(table, options) };
  if (field !== undefined) return { root_field: rootField(field, options) };
  return { request: await requestIn(query ?? "", options) };
}

function onTable(table: string, { operation, source, columns, row, values }: WhyOptions): JsonObject {
  return {
    source,
    table: tableNamed(table),
    operation,
    ...(columns && { columns: [...columns] }),
    ...(row && { row: pairs("--row", row) }),
    ...(values && { values: pairs("--values", values) }),
  };
}

function rootField(name: string, { fieldOf, argument }: WhyOptions): JsonObject {
  return { name, ...(fieldOf && { operation: fieldOf }), ...(argument !== undefined && { argument }) };
}

async function requestIn(file: string, { variables }: WhyOptions): Promise<JsonObject> {
  const query = file === "-" ? await textOf(process.stdin) : await readFile(file, "utf8");
  return { query, ...(variables !== undefined && { variables: objectOf(variables) }) };
}

/** A name with a dot is qualified by its schema. */
function tableNamed(text: string): Json {
  const dot = text.indexOf(".");
  return dot < 0 ? text : { schema: text.slice(0, dot), name: text.slice(dot + 1) };
}

function sessionOf(given: readonly string[]): JsonObject {
  const variables = Object.entries(texts("--session", given)).map(([name, value]) => {
    const lower = name.toLowerCase();
    return [lower.startsWith(sessionPrefix) ? lower : `${sessionPrefix}${lower}`, value];
  });
  return Object.fromEntries(variables);
}

/** Reads values as JSON, or as strings if they are not JSON. */
function pairs(flag: string, given: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(texts(flag, given)).map(([name, value]) => [name, jsonOf(value) ?? value]));
}

function texts(flag: string, given: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    given.map((pair) => {
      const equals = pair.indexOf("=");
      if (equals > 0) return [pair.slice(0, equals), pair.slice(equals + 1)];
      throw new EngineError("invalid-params", "$", `${flag} expects name=value, not ${JSON.stringify(pair)}`);
    }),
  );
}

function objectOf(text: string): Json {
  const value = jsonOf(text);
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value;
  throw new EngineError("invalid-params", "$", "--variables expects a JSON object");
}

function jsonOf(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}
