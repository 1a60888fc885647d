/** Formats help: groups of commands and options, the short and the complete list, and topics. */
import { type Command, Help, Option } from "commander";
import { ConfigurationError } from "../config/configuration-error.ts";
import { nearestName } from "../values/nearest-name.ts";
import { tolerateClosedPipe } from "./closed-pipe.ts";
import { topics } from "./help-topics.ts";

export const topicNames: readonly string[] = topics.map(({ name }) => name);

/** Heading of `--help` and similar options. */
export const helpGroup = "Help:";

/** An option of a command that has too many for its `--help`. */
export class DetailedOption extends Option {
  /** Text for `--help`; `undefined` if only `--help-all` lists the option. */
  readonly brief: string | undefined;

  /** @param description text for `--help-all` */
  constructor(flags: string, description: string, { brief }: { readonly brief?: string | undefined } = {}) {
    super(flags, description);
    this.brief = brief;
  }
}

/** Commands whose complete help is being printed. */
const complete = new WeakSet<Command>();

/** Returns true while `--help-all` of the command is printed. */
export const isCompleteHelp = (command: Command): boolean => complete.has(command);

/** Adds `--help` and `--help-all` to a command and its subcommands, and formats their help. */
export function withHelp(command: Command): Command {
  const all = new Option("--help-all", completeHelp(command)).helpGroup(helpGroup);
  command
    .configureHelp(helpFormat)
    .addHelpText("beforeAll", () => {
      tolerateClosedPipe();
      return "";
    })
    .addOption(hasMore(command) ? all : all.hideHelp())
    .addHelpOption(new Option("-h, --help", "print this help").helpGroup(helpGroup))
    .on("option:help-all", () => {
      complete.add(command);
      try {
        command.help();
      } finally {
        complete.delete(command);
      }
    });
  for (const each of command.commands) withHelp(each);
  return command;
}

const isRoot = (command: Command): boolean => command.parent === null;

const isDetailed = (command: Command): boolean => command.options.some((option) => option instanceof DetailedOption);

const hasMore = (command: Command): boolean => isRoot(command) || isDetailed(command);

function completeHelp(command: Command): string {
  return isRoot(command) ? "print all commands" : "print all options, with their variables";
}

/** Omits options only where help is printed, because suggestions for misspelt names use all visible options. */
const helpFormat: Partial<Help> = {
  subcommandTerm: (command) => [command.name(), ...command.aliases()].join("|"),
  formatHelp(command, helper) {
    const shown = complete.has(command) ? completeFormat(command, helper) : briefFormat(helper);
    return Help.prototype.formatHelp.call(helper, command, Object.assign(Object.create(helper) as Help, shown));
  },
};

function briefFormat(helper: Help): Partial<Help> {
  return {
    visibleOptions: (command) =>
      sortedOptions(command, helper).filter(
        (option) => !(option instanceof DetailedOption) || option.brief !== undefined,
      ),
    optionDescription: (option) =>
      (option instanceof DetailedOption ? option.brief : undefined) ?? helper.optionDescription(option),
    subcommandDescription: (command) => firstClause(command.description()),
  };
}

/**
 * Lists nested commands instead of their parents in the help of the program. Prints descriptions of options below them,
 * because their names are long.
 */
function completeFormat(command: Command, helper: Help): Partial<Help> {
  const visibleOptions = (each: Command) => sortedOptions(each, helper);
  if (isRoot(command)) {
    return { visibleOptions, visibleCommands: leaves, subcommandTerm: (each) => pathBelow(command, each) };
  }
  return { visibleOptions, formatItem: (term, _width, text) => `  ${term}\n${indented(text, helper)}` };
}

const sortedOptions = (command: Command, helper: Help): Option[] =>
  helper.visibleOptions(command).sort((a, b) => (a.name() < b.name() ? -1 : 1));

/** Returns the beginning of a description, for lists. */
export const firstClause = (text: string): string => text.split(/[;:(]/, 1)[0]?.trim() ?? "";

const indentation = "      ";

/** Returns a text with indented lines that fit the width of the help. */
export const indented = (text: string, helper: Help): string =>
  helper.boxWrap(text, (helper.helpWidth ?? 80) - indentation.length).replace(/^/gm, indentation);

/** Returns the commands that run something, below the headings of the top-level commands. */
function leaves(command: Command): Command[] {
  return command.commands.flatMap((each) => {
    if (each.commands.length === 0) return [each];
    for (const nested of each.commands) nested.helpGroup(each.helpGroup());
    return leaves(each);
  });
}

function pathBelow(root: Command, command: Command): string {
  const names = [command.name()];
  for (let above = command.parent; above !== null && above !== root; above = above.parent) names.unshift(above.name());
  return names.join(" ");
}

/**
 * Prints the help of a command, or the text of a topic.
 * @param names words after `engine help`
 * @throws ConfigurationError for an unknown command or topic
 */
export function printTopic(program: Command, names: readonly string[]): void {
  const [first = "", ...others] = names;
  const topic = others.length === 0 ? topics.find(({ name }) => name === first) : undefined;
  if (topic !== undefined) {
    tolerateClosedPipe();
    process.stdout.write(`${topic.text}\n\nMore: ${topic.page}\n`);
    return;
  }
  let command = program;
  for (const name of names) {
    const next = command.commands.find((each) => each.name() === name || each.aliases().includes(name));
    if (next === undefined) throw unknownTopic(command, name, { isTopLevel: command === program });
    command = next;
  }
  command.outputHelp();
}

function unknownTopic(
  above: Command,
  name: string,
  { isTopLevel }: { readonly isTopLevel: boolean },
): ConfigurationError {
  const commands = above.commands.map((each) => each.name());
  const known = isTopLevel ? [...commands, ...topics.map((each) => each.name)] : commands;
  const near = nearestName(name, known);
  const hint = near === undefined ? `known ones: ${known.join(", ")}` : `did you mean ${near}?`;
  const message = `unknown command or topic ${JSON.stringify(name)}; ${hint}`;
  return new ConfigurationError([{ setting: null, message }]);
}
