/** Flags and environment → `Options`, by the table of options. All errors are reported at once. */
import { ConfigurationError, type ConfigurationProblem } from "./configuration-error.ts";
import { type OptionName, type OptionRow, type Options, optionTable } from "./option-table.ts";
import { listenHost } from "./server-host.ts";
import type { ValueType } from "./value-types.ts";

/** Values of flags by their name without dashes in camel case (`serverPort`); `true`: a flag without a value. */
export type Flags = Readonly<Record<string, string | boolean | undefined>>;
export type Environment = Readonly<Record<string, string | undefined>>;

const rows = Object.entries(optionTable) as readonly (readonly [OptionName, OptionRow<unknown, unknown>])[];

/**
 * Precedence: flag, environment variable, default. Variables that no option has are ignored.
 * @throws ConfigurationError with every value that cannot be read
 */
export function parseOptions(flags: Flags, environment: Environment): Options {
  const problems: ConfigurationProblem[] = [];
  const alias = aliasOf(flags, environment);
  const values = rows.map(([name, row]) => {
    const given = find(row, flags, environment);
    if (given === undefined) return [name, row.default] as const;
    const parsed = given.type.parse(given.text, alias);
    if ("value" in parsed) return [name, parsed.value] as const;
    problems.push({ setting: given.setting, message: parsed.problem });
    return [name, row.default] as const;
  });
  if (problems.length > 0) throw new ConfigurationError(problems);
  const options = Object.fromEntries(values) as unknown as Options;
  return { ...options, serverHost: listenHost(options) };
}

/** What cannot be read is reported in its turn. */
function aliasOf(flags: Flags, environment: Environment): string | null {
  const row = optionTable.headerAlias;
  const given = find(row, flags, environment);
  const parsed = given && row.type.parse(given.text);
  return parsed !== undefined && "value" in parsed ? parsed.value : null;
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

/** `--server-port` → `serverPort`. */
export function flagName(flag: string): string {
  return flag.replace(/^--/, "").replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
}

export interface OptionDescription {
  readonly name: OptionName;
  /** `null`: can only be set by the variable. */
  readonly flag: string | null;
  readonly short: string | null;
  readonly variable: string;
  /** What stands for the flag's value, for example `seconds`. */
  readonly placeholder: string;
  /** The flag may stand without a value. */
  readonly isSwitch: boolean;
  /** As a user would write it; `null`: none. */
  readonly default: string | null;
  readonly doc: string;
}

/** The table for `--help` and the documentation, in its order. */
export function describeOptions(): readonly OptionDescription[] {
  return rows.map(([name, row]) => ({
    name,
    flag: row.flag,
    short: row.short ?? null,
    variable: row.variable,
    placeholder: row.type.placeholder,
    isSwitch: row.type.isSwitch ?? false,
    default: row.default === null ? null : row.type.print(row.default) || null,
    doc: row.doc,
  }));
}
