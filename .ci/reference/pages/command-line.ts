/** `docs/reference/command-line.md`: all commands of the program, from their declarations. */
import { type Argument, Command, type Option } from "commander";
import { withServerOptions } from "../../../runtime/cli/commands/metadata-program.ts";
import { withDatabaseFlags } from "../../../runtime/cli/commands/server-options.ts";
import { exitCodes, exitCodeTexts } from "../../../runtime/cli/exit-codes.ts";
import { problemMembers, reportMembers } from "../../../runtime/cli/json-report.ts";
import { program } from "../../../runtime/cli/main.ts";
import { problemCodes } from "../../../runtime/cli/problem-codes.ts";
import { describeOptions } from "../../../runtime/config/options.ts";
import { commandExamples } from "../commands.ts";
import type { ReferencePage } from "../page.ts";
import { block, code, inline, page, sentence, table, wrapped } from "../texts.ts";

const intro = `
Here you look up every command of \`engine\`: its arguments, options, exit codes and examples.
`;

const rules = `
In a project with the package, run a command as \`npx --no engine COMMAND\`. \`--help\` after a command prints its options,
and \`npx --no engine help TOPIC\` a short text about a topic.

The server options may also precede the command: \`engine --project shop migrate apply\`. Commands on a project read its
\`config.yaml\` and \`.env\`; flags take precedence over variables, and these over \`config.yaml\`.
`;

const json = `
Every command that ends and prints results accepts \`--json\`: standard output is then one JSON object with the members
below, and standard error is empty. The exit codes are the same. Text of the command line without \`--json\` is for people
and may change in any version. With the other flags for formats (\`--output\`, \`--format\`, \`--reporter\`), the output is
the result alone.
`;

const problems = `
Each member of \`problems\` is an object with these members. \`severity\`, \`code\` and \`message\` are always present, the
others if they are known.
`;

const codes = `
\`code\` is one of these codes, a code of [errors](errors.md), or the code of a server's response. Codes are not renamed.
`;

const completion = `
Commands, options and their fixed values are completed after you install the script of your shell:

\`\`\`sh
engine completion bash > ~/.local/share/bash-completion/completions/engine
engine completion zsh > ~/.zfunc/_engine     # with fpath=(~/.zfunc $fpath) before compinit in .zshrc
engine completion fish > ~/.config/fish/completions/engine.fish
\`\`\`

Print it again after an update of the engine.
`;

/** Returns the commands that run something, with their words. */
export function leaves(command: Command = program, above: readonly string[] = []): readonly [string, Command][] {
  return command.commands.flatMap((each) => {
    const words = [...above, each.name()];
    return each.commands.length === 0 ? [[words.join(" "), each] as [string, Command]] : leaves(each, words);
  });
}

const serverOptions = withServerOptions(new Command()).options.filter(({ hidden }) => !hidden);
const databaseOptions = withDatabaseFlags(new Command()).options;
const startFlags: ReadonlySet<string> = new Set(describeOptions().flatMap(({ flag }) => flag ?? []));

const isIn = (options: readonly Option[], { flags, description }: Option): boolean =>
  options.some((each) => each.flags === flags && each.description === description);

/** Returns true if a command has all of these options. */
const hasAll = (command: Command, options: readonly Option[]): boolean =>
  options.every((option) => isIn(command.options, option));

function optionRow(option: Option): readonly string[] {
  const choices = option.argChoices ? `; one of ${option.argChoices.map(code).join(", ")}` : "";
  const value = option.defaultValue as unknown;
  const standard = typeof value === "string" ? `; default ${code(value)}` : "";
  return [code(option.flags.replaceAll("|", "\\|")), `${inline(option.description)}${choices}${standard}`];
}

function argumentRow(argument: Argument): readonly string[] {
  const name = argument.required ? `<${argument.name()}>` : `[${argument.name()}]`;
  const choices = argument.argChoices ? `; one of ${argument.argChoices.map(code).join(", ")}` : "";
  const value = argument.defaultValue as unknown;
  const standard = typeof value === "string" ? `; default ${code(value)}` : "";
  return [code(name), `${inline(argument.description)}${choices}${standard}`];
}

/** Returns the text about the options of a command. */
function optionsOf(command: Command): readonly string[] {
  const shared = [
    ...(hasAll(command, serverOptions) ? serverOptions : []),
    ...(hasAll(command, databaseOptions) ? databaseOptions : []),
  ];
  const own = command.options.filter(
    (option) => !(option.hidden || isIn(shared, option) || option.long === "--help-all"),
  );
  const isStart = own.some(({ long }) => long === "--server-port");
  const listed = own.filter(({ long }) => !isStart || !startFlags.has(long ?? ""));
  const rows = listed.toSorted((a, b) => (a.name() < b.name() ? -1 : 1)).map(optionRow);
  return [
    ...(rows.length === 0 ? [] : [table(["option", "effect"], rows)]),
    ...(isStart ? ["Further options: [options of the server](options.md)."] : []),
    ...(hasAll(command, serverOptions) ? ["Further options: [server options](#server-options)."] : []),
    ...(!isStart && hasAll(command, databaseOptions)
      ? ["Further options: [database options](#database-options)."]
      : []),
  ];
}

function sectionOf(words: string, command: Command): string {
  const { examples = [], exits = [] } = commandExamples[words] ?? {};
  const args = command.registeredArguments.map(argumentRow);
  const usage = [words, "[options]", ...command.registeredArguments.map(usageOf)];
  const aliases = [command, ...(command.parent === program ? [] : [command.parent as Command])].flatMap((each) =>
    each.aliases().map((alias) => `${code(alias)} is another name of ${code(each.name())}.`),
  );
  const lines = examples.map(([text, effect]) => `# ${effect}\nnpx --no engine ${text}`);
  const codes = exits.map((name) => `${code(String(exitCodes[name]))} if ${exitCodeTexts[name]}`);
  return [
    `### ${code(words)}`,
    wrapped(sentence(command.description())),
    block("text", `engine ${usage.join(" ")}`),
    ...aliases.slice(0, 1),
    ...(args.length === 0 ? [] : [table(["argument", "meaning"], args)]),
    ...optionsOf(command),
    ...(codes.length === 0 ? [] : [wrapped(`Further exit codes: ${codes.join("; ")}.`)]),
    `<!-- not run -->\n${block("sh", lines.join("\n"))}`,
  ].join("\n\n");
}

function usageOf(argument: Argument): string {
  const name = `${argument.name()}${argument.variadic ? "..." : ""}`;
  return argument.required ? `<${name}>` : `[${name}]`;
}

const common = ["done", "failed"] as const;

export const commandLinePage: ReferencePage = {
  path: "docs/reference/command-line.md",
  render: () => {
    const commands = leaves();
    const groups = [...new Set(program.commands.map((each) => each.helpGroup()))];
    const index = commands.map(([words, command]) => [
      `[${code(words)}](#${words.replaceAll(" ", "-")})`,
      inline(command.description().split(/[;:(]/, 1)[0]?.trim() ?? ""),
    ]);
    const sections = groups.map((group) => {
      const own = commands.filter(([words]) => groupOf(words) === group);
      return [`## ${group.replace(/:$/, "")}`, ...own.map(([words, command]) => sectionOf(words, command))].join(
        "\n\n",
      );
    });
    return Promise.resolve(
      page(
        "# Command line",
        intro,
        rules,
        table(["command", "effect"], index),
        "## Exit codes",
        table(
          ["code", "meaning"],
          [
            ...common.map((name) => [code(String(exitCodes[name])), exitCodeTexts[name]]),
            ["`130`, `143`", "a second `SIGINT` or `SIGTERM` ended the command before it was finished"],
          ],
        ),
        "A few commands have further codes, which their sections list.",
        "## JSON output",
        json,
        table(["member", "meaning"], membersOf(reportMembers)),
        "### Problems",
        problems,
        table(["member", "meaning"], membersOf(problemMembers)),
        "### Codes of problems",
        codes,
        table(
          ["code", "meaning", "remedy"],
          Object.entries(problemCodes).map(([name, { meaning, remedy }]) => [
            code(name),
            inline(meaning),
            inline(remedy),
          ]),
        ),
        "### Results",
        "The member `result` of a successful command:",
        table(
          ["command", "`result`"],
          commands.flatMap(([words]) => {
            const text = commandExamples[words]?.result;
            return text === undefined ? [] : [[code(words), inline(text)]];
          }),
        ),
        "## Server options",
        "Commands that call a server accept these options.",
        table(["option", "effect"], serverOptions.map(optionRow)),
        "## Database options",
        "Commands that work on the metadata database accept these options.",
        table(["option", "effect"], databaseOptions.map(optionRow)),
        ...sections,
        "## Completion in a shell",
        completion,
      ),
    );
  },
};

const membersOf = (members: Readonly<Record<string, string>>): readonly (readonly string[])[] =>
  Object.entries(members).map(([name, meaning]) => [code(name), inline(meaning)]);

function groupOf(words: string): string | undefined {
  const [first] = words.split(" ");
  return program.commands.find((each) => each.name() === first)?.helpGroup();
}
