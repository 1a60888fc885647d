/** Runs the program `pg_dump` on a source. */
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { EngineError } from "../../../values/errors.ts";
import { parseConnectionString, type ServerAddress } from "./connection-string.ts";
import { readDumpOptions } from "./dump-options.ts";
import { connectionText, type PostgresSettings } from "./settings.ts";

const program = "pg_dump";
const longestDump = 2 ** 29 - 25; // what a JavaScript string can hold

const run = promisify(execFile);

/**
 * The dump as text.
 * @param options of the program, of those that a request may use
 * @throws EngineError `bad-request` for other options; `unexpected`, with what the program says as `internal`
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
    const { stdout } = await run(program, args, { env, maxBuffer: longestDump, encoding: "utf8" });
    return stdout;
  } catch (error) {
    const { code, stderr } = error as { readonly code?: unknown; readonly stderr?: string };
    const isMissing = code === "ENOENT";
    const message = isMissing ? "internal exception while executing pg_dump" : "error while executing pg_dump";
    const internal = isMissing ? `the program ${program} is not installed where the engine runs` : (stderr ?? "");
    throw new EngineError("unexpected", "$", message, { status: 500, internal, cause: error });
  }
}

/** Newer programs write a random key into every dump, unless they are given one. */
async function reproducible(): Promise<readonly string[]> {
  try {
    const { stdout } = await run(program, ["--help"], { encoding: "utf8" });
    return stdout.includes("--restrict-key") ? ["--restrict-key=engine"] : [];
  } catch {
    return []; // The dump itself will say what is wrong.
  }
}

/** The address as libpq takes it, without the password, which others could read in the list of processes. */
function keywords({ host, port, user, database, parameters }: ServerAddress): string {
  const pairs = [["host", host], ["port", port], ["user", user], ["dbname", database], ...parameters] as const;
  return pairs
    .flatMap(([key, value]) => (value === undefined ? [] : [`${key}='${String(value).replace(/[\\']/g, "\\$&")}'`]))
    .join(" ");
}
