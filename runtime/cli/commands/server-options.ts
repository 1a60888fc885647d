/** Derives flags of commands from the table of options. */
import type { Command, Help } from "commander";
import { ConfigurationError } from "../../config/configuration-error.ts";
import { type OptionGroup, optionGroups } from "../../config/option-table.ts";
import { describeOptions, type Flags, type OptionDescription } from "../../config/options.ts";
import { DetailedOption, indented, isCompleteHelp } from "../help.ts";

const databaseGroup: OptionGroup = "Databases";

/** Options of all commands that use the metadata database. They may also precede the command. */
const globalNames: ReadonlySet<OptionDescription["name"]> = new Set(["databaseUrl", "metadataDatabaseUrl", "retries"]);

/** Adds all options of the server, in the order of their groups. `--help` lists the common ones. */
export function withServerFlags(command: Command): Command {
  for (const group of optionGroups) {
    for (const flag of flagsOf((option) => option.group === group)) command.addOption(flag);
    if (group === databaseGroup) for (const part of urlPartFlags()) command.addOption(part);
  }
  return command.addHelpText("after", (context) =>
    isCompleteHelp(context.command) ? variablesOnly(context.command.createHelp()) : shortHelpEnd,
  );
}

const shortHelpEnd =
  "\nOptions can also be set by environment variables, which --help-all lists, and in\nengine.config.ts. More: `engine help environment`";

/** Describes the options that have no flag. */
function variablesOnly(helper: Help): string {
  const rows = describeOptions().filter(({ flag }) => flag === null);
  const items = rows.map(({ variable, doc }) => `  ${variable}\n${indented(doc, helper)}`);
  return ["\nEnvironment variables without an option:", ...items].join("\n");
}

/** Adds the options that locate the metadata database. */
export function withDatabaseFlags(command: Command): Command {
  for (const flag of [...flagsOf(({ name }) => globalNames.has(name)), ...urlPartFlags()]) command.addOption(flag);
  return command;
}

/**
 * Adds the options that locate the metadata database to the program itself. They are hidden there, because the help of
 * its commands lists them.
 */
export function withGlobalFlags(program: Command): Command {
  for (const flag of flagsOf(({ name }) => globalNames.has(name))) program.addOption(flag.hideHelp());
  return program;
}

function flagsOf(isIncluded: (option: OptionDescription) => boolean): readonly DetailedOption[] {
  return describeOptions().flatMap((option) => {
    if (option.flag === null || !isIncluded(option)) return [];
    const short = option.short === null ? "" : `${option.short}, `;
    const value = option.isSwitch ? `[${option.valueName}]` : `<${option.valueName}>`;
    const shown = option.default === null ? "" : `, default ${option.default}`;
    const flags = `${short}${option.flag} ${value}`;
    const flag = new DetailedOption(flags, `${option.doc} (${option.variable}${shown})`, {
      brief: option.brief ?? undefined,
    });
    flag.helpGroup(`${option.group}:`);
    return [flag];
  });
}

/** Flags for the parts of a database URL. */
const urlParts = {
  host: ["--host <host>", "database host, instead of --database-url"],
  port: ["--port <port>", "database port; default 5432"],
  user: ["--user <user>", "database user"],
  password: [
    "--password <password>",
    "password of the user; visible to other programs, prefer an environment variable",
  ],
  dbname: ["--dbname <name>", "database name; default the user name"],
  options: ["--options <options>", "connection options of the database, such as `-c name=value`"],
} as const;

function urlPartFlags(): readonly DetailedOption[] {
  return Object.values(urlParts).map(([flags, doc]) => {
    const flag = new DetailedOption(flags, doc);
    flag.helpGroup(`${databaseGroup}:`);
    return flag;
  });
}

/**
 * Combines the parts of a database URL into `databaseUrl`.
 * @throws ConfigurationError for parts without a host, and for parts in addition to a URL
 */
export function withDatabaseUrl(flags: Flags): Flags {
  const { host, port = "5432", user = "", password, dbname = user, options, ...others } = flags;
  const given = Object.keys(urlParts).filter((name) => flags[name] !== undefined);
  if (given.length === 0) return flags;
  if (host === undefined) {
    const hint = flags.port === undefined ? "" : "; to set the port of the server, use --server-port";
    throw new ConfigurationError([
      { setting: null, message: `--${given[0]} requires --host, the database host${hint}` },
    ]);
  }
  if (others.databaseUrl !== undefined) {
    throw new ConfigurationError([{ setting: null, message: "--database-url and --host are mutually exclusive" }]);
  }
  const encode = (part: string | boolean): string => encodeURIComponent(String(part));
  const secret = password === undefined ? "" : `:${encode(password)}`;
  const account = user === "" ? "" : `${encode(user)}${secret}@`;
  const address = String(host).includes(":") ? `[${host}]` : encode(host);
  const query = options === undefined ? "" : `?options=${encode(options)}`;
  return { ...others, databaseUrl: `postgresql://${account}${address}:${port}/${encode(dbname)}${query}` };
}
