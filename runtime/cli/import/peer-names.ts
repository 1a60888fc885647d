/**
 * Translates names of the original engine: session variables and headers, connection settings, the catalog schema and
 * its tables, and environment variables.
 */
import { describeOptions } from "../../config/options.ts";
import { variables as mountedVariables } from "../deployment/mounted-project.ts";
import { variables as commandVariables } from "../project/choices.ts";

export interface Renamed {
  readonly text: string;
  /** New names by old names. */
  readonly names: ReadonlyMap<string, string>;
}

type Rule = readonly [pattern: RegExp, replacement: (...groups: readonly string[]) => string];

/** Returns `lower` in the case of the original: `X-Hasura-`, `x-hasura-`, `X-HASURA-`. */
const sameCase = (original: string, lower: string): string => {
  if (original === original.toUpperCase()) return lower.toUpperCase();
  return original[0] === original[0]?.toUpperCase() ? `${lower[0]?.toUpperCase()}${lower.slice(1)}` : lower;
};

const sessionVariable: Rule = [
  /\b(x)-(hasura)-([\w-]*)/gi,
  (_, x = "", name = "", rest = "") => `${x}-${sameCase(name, "engine")}-${rest}`,
];

const options: ReadonlySet<string> = new Set(describeOptions().map(({ variable }) => variable));

/** Variables of commands and of the container image. */
const others: ReadonlySet<string> = new Set([...Object.values(commandVariables), ...Object.values(mountedVariables)]);

export const isPeerVariable = (name: string): boolean => name.startsWith("HASURA_");

/** Returns the corresponding variable of this engine, if any. */
export function ourVariable(variable: string): string | undefined {
  const ours = variable.replace(/^HASURA_/, "ENGINE_");
  return options.has(ours) || others.has(ours) ? ours : undefined;
}

/** Rule for environment variables. It keeps variables of the user, which may have the same prefix. */
const environmentVariable: Rule = [/\bHASURA_GRAPHQL_\w+/g, (variable = "") => ourVariable(variable) ?? variable];

/** Rules for SQL. They include tables of the catalog schema whose names contain the product's name. */
const sqlRules: readonly Rule[] = [
  [/\b(?:hdb_catalog|"hdb_catalog")\s*\.\s*gen_hasura_uuid\s*\(\s*\)/gi, () => "gen_random_uuid()"],
  [/\bgen_hasura_uuid\s*\(\s*\)/gi, () => "gen_random_uuid()"],
  [/\bhdb_catalog\b/g, () => "engine_catalog"],
  [
    /\bhdb_(action_log|cron_events|cron_event_invocation_logs|scheduled_events|scheduled_event_invocation_logs|metadata|version|schema_notifications)\b/g,
    (_, name = "") => `engine_${name}`,
  ],
  [/^(\s*--\s*)hasura:no-transaction\b/g, (_, before = "") => `${before}engine:no-transaction`],
  [/\bhasura\.(user|tracecontext)\b/g, (_, name = "") => `engine.${name}`],
  sessionVariable,
];

/** Translates texts of metadata other than SQL. */
export const renameInText = (text: string): Renamed => rename(text, [sessionVariable, environmentVariable]);

export const renameInSql = (text: string): Renamed => rename(text, sqlRules);

/** Translates names of schemas and tables outside of SQL. */
export const renameObject = (text: string): Renamed => rename(text, sqlRules.slice(2, 4));

function rename(text: string, rules: readonly Rule[]): Renamed {
  const names = new Map<string, string>();
  const changed = rules.reduce(
    (current, [pattern, replacement]) =>
      current.replace(pattern, (...match: readonly unknown[]) => {
        const groups = match.filter((group) => typeof group === "string");
        const [old = ""] = groups;
        const renamed = replacement(...groups);
        if (renamed !== old) names.set(old, renamed);
        return renamed;
      }),
    text,
  );
  return { text: changed, names };
}

/** Returns names of the original engine that no rule translates. Argument names of functions belong to the user. */
export function foreignNames(text: string): readonly string[] {
  const found = text.match(/\b(?:hdb_\w+|[xX]-[hH][aA][sS][uU][rR][aA]-[\w-]+|hasura[._]\w+)/g) ?? [];
  return [...new Set(found)].filter((name) => name !== "hasura_session");
}
