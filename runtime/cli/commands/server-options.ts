/** The table of options → flags of commands. */
import { type Command, Option } from "commander";
import { ConfigurationError } from "../../config/configuration-error.ts";
import { describeOptions, type Flags, type OptionDescription } from "../../config/options.ts";

/** Those of every command that uses the metadata database; they may stand before the command too. */
const globalNames: ReadonlySet<OptionDescription["name"]> = new Set(["databaseUrl", "metadataDatabaseUrl", "retries"]);

/** Adds all options of the server. */
export function withServerFlags(command: Command): Command {
  for (const flag of flagsOf(() => true)) command.addOption(flag);
  return command;
}

/** Adds the options that say where the metadata is. */
export function withDatabaseFlags(command: Command): Command {
  for (const flag of flagsOf(({ name }) => globalNames.has(name))) command.addOption(flag);
  return withUrlPartFlags(command);
}

/** The same for a program whose commands take them: they need no place in its help. */
export function withGlobalFlags(program: Command): Command {
  for (const flag of flagsOf(({ name }) => globalNames.has(name))) program.addOption(flag.hideHelp());
  return program;
}

function flagsOf(isWanted: (option: OptionDescription) => boolean): readonly Option[] {
  return describeOptions().flatMap((option) => {
    if (option.flag === null || !isWanted(option)) return [];
    const short = option.short === null ? "" : `${option.short}, `;
    const value = option.isSwitch ? `[${option.placeholder}]` : `<${option.placeholder}>`;
    const shown = option.default === null ? "" : `, default ${option.default}`;
    return [new Option(`${short}${option.flag} ${value}`, `${option.doc} (${option.variable}${shown})`)];
  });
}

/** What a database URL consists of, given one by one. */
const urlParts = {
  host: ["--host <host>", "host of the database, in place of --database-url"],
  port: ["--port <port>", "its port, default 5432"],
  user: ["--user <user>", "its user"],
  password: ["--password <password>", "the user's password; other programs can see it here, prefer a variable"],
  dbname: ["--dbname <name>", "name of the database, default the user's"],
  options: ["--options <options>", "options for the database, as `-c name=value`"],
} as const;

/** Adds the parts of a database URL. */
export function withUrlPartFlags(command: Command): Command {
  for (const [flags, doc] of Object.values(urlParts)) command.option(flags, doc);
  return command;
}

/**
 * Flags with the parts of a database URL put together.
 * @throws ConfigurationError for parts without a host, and for parts beside a URL
 */
export function withDatabaseUrl(flags: Flags): Flags {
  const { host, port = "5432", user = "", password, dbname = user, options, ...others } = flags;
  const given = Object.keys(urlParts).filter((name) => flags[name] !== undefined);
  if (given.length === 0) return flags;
  if (host === undefined) {
    const hint = flags.port === undefined ? "" : ": --port is that of the database, --server-port that of the server";
    throw new ConfigurationError([{ setting: null, message: `--${given[0]} needs --host, the database${hint}` }]);
  }
  if (others.databaseUrl !== undefined) {
    throw new ConfigurationError([{ setting: null, message: "give --database-url or --host, not both" }]);
  }
  const encode = (part: string | boolean): string => encodeURIComponent(String(part));
  const secret = password === undefined ? "" : `:${encode(password)}`;
  const account = user === "" ? "" : `${encode(user)}${secret}@`;
  const address = String(host).includes(":") ? `[${host}]` : encode(host);
  const query = options === undefined ? "" : `?options=${encode(options)}`;
  return { ...others, databaseUrl: `postgresql://${account}${address}:${port}/${encode(dbname)}${query}` };
}
