/** Remedies for errors that prevent a connection to the metadata database, with commands of PostgreSQL. */
import { EngineError } from "../../values/errors.ts";
import { shellQuoted } from "../../values/shell-quoted.ts";
import { parseConnectionString } from "../sources/postgres/connection-string.ts";

/** Returns the remedy for an error of the driver, if there is a specific one. It contains no password. */
export function connectionRemedy(error: unknown, url: string): string | undefined {
  // An invalid connection string is an EngineError, which has its own remedy.
  if (!(error instanceof Error) || error instanceof EngineError) return undefined;
  const target = targetOf(url);
  const code = "code" in error ? String(error.code) : "";
  const { database, user } = target;
  switch (code) {
    case "3D000":
      return `create it with \`${command("createdb", target)}${user ? ` --username=${shellQuoted(user)}` : ""} ${shellQuoted(database)}\``;
    case "28P01":
      return "check the user and the password in the URL";
    case "28000":
      return /role ".*" does not exist/.test(error.message)
        ? `create it with \`${command("createuser", target)} --username=postgres --pwprompt ${shellQuoted(user)}\``
        : "check pg_hba.conf of the server, or `sslmode` in the URL";
    case "42501":
      return `run \`grant create on database ${sqlQuoted(database)} to ${sqlQuoted(user)}\` as the owner of the database`;
    case "53300":
      return "close other connections, or raise max_connections of the server";
    case "ENOTFOUND":
    case "EAI_AGAIN":
      return "check the host name in the URL";
    case "ECONNREFUSED":
    case "ENOENT":
      return `start the server, or check its address with \`${command("pg_isready", target)}\``;
    default:
      return /timeout|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH/i.test(`${code} ${error.message}`)
        ? `check its address and the firewall with \`${command("pg_isready", target)}\``
        : undefined;
  }
}

interface Target {
  readonly host: string;
  readonly port: string;
  readonly user: string;
  readonly database: string;
}

function targetOf(url: string): Target {
  const { host = "localhost", port = 5432, user = "", database = user } = parseConnectionString(url);
  return { host, port: String(port), user, database };
}

function command(program: string, { host, port }: Target): string {
  return `${program} --host=${shellQuoted(host)} --port=${shellQuoted(port)}`;
}

const sqlQuoted = (name: string): string =>
  /^[a-z_][a-z0-9_]*$/.test(name) ? name : `"${name.replaceAll('"', '""')}"`;
