/** `docs/reference/options.md`: all options of a server, from their table. */
import { codeName, codeType } from "../../../runtime/config/code-options.ts";
import { optionGroups } from "../../../runtime/config/option-table.ts";
import { describeOptions, type OptionDescription } from "../../../runtime/config/options.ts";
import { artifactFlags } from "../../../runtime/server/sealed/artifact-flags.ts";
import type { ReferencePage } from "../page.ts";
import { code, inline, page, sentence, table, wrapped } from "../texts.ts";

const intro = `
Here you look up every option of \`engine start\` and of sealed artifacts: its flag, environment variable, name in
\`engine.config.ts\` (the heading), values and default.
`;

const rules = `
- A flag takes precedence over the variable, the variable over \`engine.config.ts\`, and the file over the default.
- An artifact has no such flags: it reads the variables and its configuration file.
- A switch is true without a value: \`--dev-mode\` is \`--dev-mode true\`. Variables accept \`true\`, \`t\`, \`yes\`, \`y\`,
  \`false\`, \`f\`, \`no\` and \`n\` in any case.
- Numbers are whole numbers in the unit of the option. Lists are comma-separated; in \`engine.config.ts\` they may be
  arrays.
- An unknown flag or an invalid value stops the start. A misspelled variable causes a warning.
- \`ENGINE_GRAPHQL_DATABASE_URL\` may also be given in parts: \`--host\`, \`--port\`, \`--user\`, \`--password\`, \`--dbname\`
  and \`--options\`.

[Configuration in code](configuration.md) describes \`engine.config.ts\`, [the command line](command-line.md) the
commands.
`;

const units: Readonly<Record<string, string>> = {
  bytes: "bytes",
  milliseconds: "milliseconds",
  seconds: "seconds",
};

const types: Readonly<Record<string, string>> = {
  "count|auto": "number or `auto`",
  "hosts,networks": "hosts and networks, comma-separated",
  "prefix=prefix": "two prefixes",
  json: "JSON",
  url: "URL",
  ratio: "number",
  port: "port",
  count: "number",
};

/** Larger limits are those of the implementation. */
const largestShown = 1_000_000;

/** Returns the form of the values, with unit, limits and words. */
function valuesOf({ isSwitch, valueName, choices, range }: OptionDescription): string {
  if (isSwitch) return "switch";
  if (choices !== null) {
    const words = choices.map(code).join(", ");
    return codeType({ isSwitch, valueName }) === "string" ? `one of ${words}` : `any of ${words}, comma-separated`;
  }
  const name = units[valueName] ?? types[valueName] ?? valueName;
  if (range === null) return name;
  const { minimum, maximum } = range;
  return maximum > largestShown ? `${name}, at least ${minimum}` : `${name}, from ${minimum} to ${maximum}`;
}

function sectionOf(option: OptionDescription): string {
  const { flag, short, variable, default: value, doc } = option;
  const names = [flag, short].filter((name) => name !== null).map(code);
  const details = [
    `flag: ${names.length === 0 ? "none" : names.join(" or ")}`,
    `variable: ${code(variable)}`,
    `values: ${valuesOf(option)}`,
    ...(value === null && doc.includes("default") ? [] : [`default: ${value === null ? "none" : code(value)}`]),
  ];
  return [
    `### ${code(codeName(variable))}`,
    wrapped(sentence(doc)),
    details.map((each) => wrapped(`- ${each}`, "  ")).join("\n"),
  ].join("\n\n");
}

export const optionsPage: ReferencePage = {
  path: "docs/reference/options.md",
  render: () => {
    const options = describeOptions();
    const groups = optionGroups.map((group) => {
      const own = options.filter((option) => option.group === group);
      return [`## ${group}`, ...own.map(sectionOf)].join("\n\n");
    });
    const names = options.map((option) => [
      option.flag === null ? "" : code(option.flag),
      code(option.variable),
      `[${codeName(option.variable)}](#${codeName(option.variable).toLowerCase()})`,
    ]);
    const flags = artifactFlags.map(({ flags: names, doc }) => [code(names.replaceAll("|", "\\|")), inline(doc)]);
    return Promise.resolve(
      page(
        "# Options",
        intro,
        rules,
        ...groups,
        "## Flags of artifacts",
        "`node artifact/server.mjs` accepts these flags, in addition to the variables above.",
        table(["flag", "effect"], flags),
        "## All names",
        table(["flag", "variable", "in code"], names),
      ),
    );
  },
};
