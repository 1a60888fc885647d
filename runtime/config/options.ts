/** Parses flags and environment variables into `Options`. All errors are reported together. */
import { ConfigurationError, type ConfigurationProblem } from "./configuration-error.ts";
import { type OptionGroup, type OptionName, type OptionRow, type Options, optionTable } from "./option-table.ts";
import { listenHost } from "./server-host.ts";
import type { ValueType } from "./value-types.ts";

/** Flag values by name without dashes in camel case (`serverPort`); `true` for a flag without a value. */
export type Flags = Readonly<Record<string, string | boolean | undefined>>;
export type Environment = Readonly<Record<string, string | undefined>>;

const rows = Object.entries(optionTable) as readonly (readonly [OptionName, OptionRow<unknown, unknown>])[];

/**
 * Parses the options with the precedence flag, environment variable, default. Unknown variables are ignored.
 * @throws ConfigurationError with all invalid values
 */
export function parseOptions(flags: Flags, environment: Environment): Options {
  const problems: ConfigurationProblem[] = [];
  const alias = aliasOf(flags, environment);
  const values = rows.map(([name, row]) => {
    const given = find(row, flags, environment);
    if (given === undefined) return [name, row.default] as const;
    const parsed = given.type.parse(given.text, alias);
    if ("value" in parsed) return [name, parsed.value] as const;
    const isFlag = given.setting === row.flag;
    problems.push({ setting: given.setting, message: (isFlag ? parsed.plain : undefined) ?? parsed.problem });
    return [name, row.default] as const;
  });
  if (problems.length > 0) throw new ConfigurationError(problems);
  const options = Object.fromEntries(values) as unknown as Options;
  return { ...options, serverHost: listenHost(options) };
}

/** Returns the header alias, or `null` if it is invalid, which is reported later. */
function aliasOf(flags: Flags, environment: Environment): string | null {
  const row = optionTable.headerAlias;
  const given = find(row, flags, environment);
  const parsed = given && row.type.parse(given.text);
  return parsed !== undefined && "value" in parsed ? parsed.value : null;
}

/** Returns the flag or variable that sets an option; `undefined` for a default. */
export function settingOf(name: OptionName, flags: Flags, environment: Environment): string | undefined {
  return find(optionTable[name] as OptionRow<unknown, unknown>, flags, environment)?.setting;
}

function find(
  row: OptionRow<unknown, unknown>,
  flags: Flags,
  environment: Environment,
): { readonly setting: string; readonly text: string; readonly type: ValueType<unknown> } | undefined {
  const flag = row.flag === null ? undefined : flags[flagName(row.flag)];
  if (row.flag !== null && flag !== undefined) {
    return { setting: row.flag, text: String(flag), type: row.flagType ?? row.type };
  }
  const text = environment[row.variable];
  return text === undefined ? undefined : { setting: row.variable, text, type: row.type };
}

/** Returns the name of a flag in `Flags`: `--server-port` → `serverPort`. */
export function flagName(flag: string): string {
  return flag.replace(/^--/, "").replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
}

export interface OptionDescription {
  readonly name: OptionName;
  /** `null` if only the variable exists. */
  readonly flag: string | null;
  readonly short: string | null;
  readonly variable: string;
  /** Name of the flag's value, such as `seconds`. */
  readonly valueName: string;
  /** True if the flag may be used without a value. */
  readonly isSwitch: boolean;
  readonly choices: readonly string[] | null;
  readonly range: NonNullable<ValueType<unknown>["range"]> | null;
  /** Default as the user would write it; `null` without a default. */
  readonly default: string | null;
  readonly doc: string;
  readonly group: OptionGroup;
  /** Text for the short help; `null` for an option that only `--help-all` lists. */
  readonly brief: string | null;
}

/** Returns the table for `--help` and the documentation, in its order. */
export function describeOptions(): readonly OptionDescription[] {
  return rows.map(([name, row]) => ({
    name,
    flag: row.flag,
    short: row.short ?? null,
    variable: row.variable,
    valueName: row.type.valueName,
    isSwitch: row.type.isSwitch ?? false,
    choices: row.type.choices ?? null,
    range: row.type.range ?? null,
    default: row.default === null ? null : row.type.print(row.default) || null,
    doc: row.doc,
    group: row.group,
    brief: row.brief ?? null,
  }));
}
