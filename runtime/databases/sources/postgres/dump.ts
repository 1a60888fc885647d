/** Runs `pg_dump` on a source. */
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { EngineError } from "../../../values/errors.ts";
import { parseConnectionString, type ServerAddress } from "./connection-string.ts";
import { readDumpOptions } from "./dump-options.ts";
import { connectionText, type PostgresSettings } from "./settings.ts";

const program = "pg_dump";
const maxDumpLength = 2 ** 29 - 25; // maximum length of a JavaScript string

const run = promisify(execFile);

/**
 * Returns the dump as text.
 * @param options options of pg_dump, restricted by `readDumpOptions`
 * @throws EngineError `bad-request` for other options; `unexpected` with the output of pg_dump as `internal`
 */
export async function dumpPostgres(
  { connection }: Pick<PostgresSettings, "connection">,
  options: readonly string[],
): Promise<string> {
  const allowed = readDumpOptions(options);
  const address = parseConnectionString(connectionText(connection));
  const env = { ...process.env, ...(address.password !== undefined && { PGPASSWORD: address.password }) };
  const args = [`--dbname=${keywords(address)}`, "--encoding=utf8", ...(await reproducible()), ...allowed];
  try {
    const { stdout } = await run(program, args, { env, maxBuffer: maxDumpLength, encoding: "utf8" });
    return stdout;
  } catch (error) {
    const { code, stderr } = error as { readonly code?: unknown; readonly stderr?: string };
    const isMissing = code === "ENOENT";
    const message = isMissing ? "internal exception while executing pg_dump" : "error while executing pg_dump";
    const internal = isMissing ? `the program ${program} is not installed where the engine runs` : (stderr ?? "");
    throw new EngineError("unexpected", "$", message, { status: 500, internal, cause: error });
  }
}

/**
 * Returns an option that makes dumps reproducible: newer versions of pg_dump write a random key into each dump by
 * default.
 */
async function reproducible(): Promise<readonly string[]> {
  try {
    const { stdout } = await run(program, ["--help"], { encoding: "utf8" });
    return stdout.includes("--restrict-key") ? ["--restrict-key=engine"] : [];
  } catch {
    return []; // the dump itself will report the error
  }
}

/** Formats the address for libpq without the password, which would be visible in the list of processes. */
function keywords({ host, port, user, database, parameters }: ServerAddress): string {
  const pairs = [["host", host], ["port", port], ["user", user], ["dbname", database], ...parameters] as const;
  return pairs
    .flatMap(([key, value]) => (value === undefined ? [] : [`${key}='${String(value).replace(/[\\']/g, "\\$&")}'`]))
    .join(" ");
}
