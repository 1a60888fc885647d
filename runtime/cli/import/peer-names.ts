/**
 * Names of the engine that a project was made for → ours: session variables and headers, the settings of its connections,
 * its catalog schema and what is in it, its environment variables.
 */
import { describeOptions } from "../../config/options.ts";
import { variables as mountedVariables } from "../deployment/mounted-project.ts";
import { variables as commandVariables } from "../project/settings.ts";

export interface Renamed {
  readonly text: string;
  /** Each old name with its new one, once. */
  readonly names: ReadonlyMap<string, string>;
}

type Rule = readonly [pattern: RegExp, replacement: (...groups: readonly string[]) => string];

/** In the writing of the original: `X-Hasura-`, `x-hasura-`, `X-HASURA-`. */
const sameCase = (original: string, lower: string): string => {
  if (original === original.toUpperCase()) return lower.toUpperCase();
  return original[0] === original[0]?.toUpperCase() ? `${lower[0]?.toUpperCase()}${lower.slice(1)}` : lower;
};

const sessionVariable: Rule = [
  /\b(x)-(hasura)-([\w-]*)/gi,
  (_, x = "", name = "", rest = "") => `${x}-${sameCase(name, "engine")}-${rest}`,
];

const options: ReadonlySet<string> = new Set(describeOptions().map(({ variable }) => variable));

/** Of a project's commands, and of the image, besides options of the server. */
const others: ReadonlySet<string> = new Set([...Object.values(commandVariables), ...Object.values(mountedVariables)]);

/** The name that a variable of the other engine has here; `undefined`: there is none. */
export function ourVariable(variable: string): string | undefined {
  const ours = variable.replace(/^HASURA_/, "ENGINE_");
  return options.has(ours) || others.has(ours) ? ours : undefined;
}

/** Variables of the user may begin like those of the server, and keep their names. */
const environmentVariable: Rule = [/\bHASURA_GRAPHQL_\w+/g, (variable = "") => ourVariable(variable) ?? variable];

/** Tables of the catalog schema that have the product's name in theirs. */
const sqlRules: readonly Rule[] = [
  [/\b(?:hdb_catalog|"hdb_catalog")\s*\.\s*gen_hasura_uuid\s*\(\s*\)/gi, () => "gen_random_uuid()"],
  [/\bgen_hasura_uuid\s*\(\s*\)/gi, () => "gen_random_uuid()"],
  [/\bhdb_catalog\b/g, () => "engine_catalog"],
  [
    /\bhdb_(action_log|cron_events|cron_event_invocation_logs|scheduled_events|scheduled_event_invocation_logs|metadata|version|schema_notifications)\b/g,
    (_, name = "") => `engine_${name}`,
  ],
  [/\bhasura\.(user|tracecontext)\b/g, (_, name = "") => `engine.${name}`],
  sessionVariable,
];

/** Texts of metadata, other than SQL. */
export const renameInText = (text: string): Renamed => rename(text, [sessionVariable, environmentVariable]);

export const renameInSql = (text: string): Renamed => rename(text, sqlRules);

/** The names of schemas and tables, which are no SQL. */
export const renameObject = (text: string): Renamed => rename(text, sqlRules.slice(2, 4));

function rename(text: string, rules: readonly Rule[]): Renamed {
  const names = new Map<string, string>();
  const changed = rules.reduce(
    (current, [pattern, replacement]) =>
      current.replace(pattern, (...match: readonly unknown[]) => {
        const groups = match.filter((group) => typeof group === "string");
        const [old = ""] = groups;
        const made = replacement(...groups);
        if (made !== old) names.set(old, made);
        return made;
      }),
    text,
  );
  return { text: changed, names };
}

/** What is left of the peer's names, which no rule knows. Arguments of functions are the user's, whatever they are called. */
export function foreignNames(text: string): readonly string[] {
  const found = text.match(/\b(?:hdb_\w+|[xX]-[hH][aA][sS][uU][rR][aA]-[\w-]+|hasura[._]\w+)/g) ?? [];
  return [...new Set(found)].filter((name) => name !== "hasura_session");
}
