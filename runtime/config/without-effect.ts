/** Options that are set and not acted on. */
import { type experimentalFeatures, type OptionName, type Options, optionTable } from "./option-table.ts";

export interface OptionWithoutEffect {
  readonly name: OptionName;
  readonly message: string;
}

const isAccepted = /^accepted for compatibility: /;

/** What these would change is not there; the others are always on, or do what they say. */
const unusedFeatures: ReadonlySet<string> = new Set<(typeof experimentalFeatures)[number]>([
  "bigquery_string_numeric_input",
  "disable_postgres_arrays",
  "no_null_unbound_variable_default",
]);

export function optionsWithoutEffect(options: Options): readonly OptionWithoutEffect[] {
  const names = Object.keys(optionTable) as OptionName[];
  const accepted = names.filter(
    (name) => isAccepted.test(optionTable[name].doc) && options[name] !== optionTable[name].default,
  );
  const features = [...options.experimentalFeatures].filter((name) => unusedFeatures.has(name));
  return [
    ...accepted.map((name) => ({
      name,
      message: `${optionTable[name].variable} is set and has no effect: ${optionTable[name].doc.replace(isAccepted, "")}`,
    })),
    ...features.map((feature) => ({
      name: "experimentalFeatures" as const,
      message: `the experimental feature ${feature} is set and has no effect`,
    })),
  ];
}
