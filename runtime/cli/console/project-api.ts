/** `/project/…` of the console's server: requests of the page that concern the project's files. */

import { createHash, timingSafeEqual } from "node:crypto";
import { rm } from "node:fs/promises";
import type { IncomingHttpHeaders } from "node:http";
import { join } from "node:path";
import * as z from "zod";
import { EngineError } from "../../values/errors.ts";
import { AppliedState } from "../migrations/applied-state.ts";
import { nextVersion, writeMigration } from "../migrations/create-migration.ts";
import { databaseFolder, type Migration, readMigrations } from "../migrations/migration-files.ts";
import { runSteps } from "../migrations/run-steps.ts";
import { databasesOfServer, targetDatabases } from "../migrations/target-databases.ts";
import { withToolLock } from "../migrations/tool-lock.ts";
import type { CallMetadata } from "../project/client.ts";
import { printable } from "../project/output.ts";
import type { Settings } from "../project/settings.ts";
import type { FollowedMetadata } from "./followed-metadata.ts";
import type { ProjectTests } from "./project-tests.ts";

// The server runs with the rights of its user, and any page in the user's browser can send requests to it. Requests of
// foreign pages are identified by their origin or, after DNS rebinding, by their host.

/** Pages of other origins cannot send this header without a preflight request. */
const keyHeader = "x-engine-console-key";

/** @throws EngineError unless the host is one of this server's names */
export function requireOwnHost({ host = "" }: IncomingHttpHeaders, port: number): void {
  const own = ["127.0.0.1", "localhost"].map((name) => `${name}:${port}`);
  if (!own.includes(host.toLowerCase())) throw refused(`unknown host ${JSON.stringify(host)}`);
}

/** @throws EngineError if a page of another origin sent the request */
export function requireOwnOrigin(headers: IncomingHttpHeaders): void {
  const { host = "", origin, "sec-fetch-site": site = "none" } = headers;
  if (origin !== undefined && origin !== `http://${host}`) throw refused("a page of another origin sent the request");
  // Browsers omit the origin if a page loads an image or follows a link.
  if (!["same-origin", "none"].includes(String(site))) throw refused("a page of another site sent the request");
}

/** @throws EngineError unless the request has the key */
function requireKey(headers: IncomingHttpHeaders, key: string): void {
  const given = headers[keyHeader];
  if (typeof given === "string" && timingSafeEqual(digest(given), digest(key))) return;
  throw refused("the key to the project is missing: open the console at the address that the command has printed");
}

const digest = (text: string): Buffer => createHash("sha256").update(text).digest();

function refused(message: string): EngineError {
  return new EngineError("access-denied", "$", message, { status: 403 });
}

export const projectPrefix = "/project/";

export interface ProjectApiInput {
  readonly settings: Settings;
  readonly call: CallMetadata;
  readonly followed: FollowedMetadata;
  readonly tests: ProjectTests;
  /** Required in each request. */
  readonly key: string;
  /** Receives one line for each change of the project's files. */
  readonly print: (line: string) => void;
}

export interface ProjectRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly readBody: () => Promise<string>;
}

/**
 * Resolves to the JSON value of the response.
 * @throws EngineError, InvalidFiles
 */
export async function handleProjectRequest(input: ProjectApiInput, request: ProjectRequest): Promise<unknown> {
  requireKey(request.headers, input.key);
  const handler = Object.hasOwn(handlers, request.path) ? handlers[request.path] : undefined;
  if (handler === undefined) throw new EngineError("not-found", "$", "resource does not exist", { status: 404 });
  if (request.method !== "POST") throw new EngineError("not-supported", "$", "only POST is supported", { status: 405 });
  return handler(input, await request.readBody());
}

type Handler = (input: ProjectApiInput, body: string) => Promise<unknown>;

const handlers: Readonly<Record<string, Handler>> = {
  /** Returns the admin secret and the paths of the project's files. */
  [`${projectPrefix}session`]: async ({ settings: { adminSecret, metadataPath, migrationsPath } }) => ({
    admin_secret: adminSecret?.reveal() ?? null,
    metadata: metadataPath,
    migrations: migrationsPath,
  }),
  [`${projectPrefix}metadata`]: async ({ settings, call, followed, print }) => {
    const result = await followed.write(call);
    if (result === "written") print(`wrote ${settings.metadataPath}`);
    return { result, metadata: settings.metadataPath };
  },
  [`${projectPrefix}migrations`]: async ({ settings, call, followed, print }, body) => {
    const migration = readRequest(migrationRequest, body);
    const { done: saved, metadata } = await followed.following(call, () =>
      saveMigration(call, settings.migrationsPath, migration),
    );
    print(`saved ${printable(saved.folder)}`);
    if (metadata === "written") print(`wrote ${settings.metadataPath}`);
    return { ...saved, metadata };
  },
  [`${projectPrefix}tests`]: ({ tests }) => tests.list(),
  [`${projectPrefix}test-runs`]: ({ tests }, body) => tests.run(readRequest(testRunRequest, body).cases),
};

/** @throws EngineError with the path of an invalid member */
function readRequest<Request>(schema: z.ZodType<Request>, body: string): Request {
  const read = schema.safeParse(jsonOf(body));
  if (read.success) return read.data;
  const [{ path = [], message = "" } = {}] = read.error.issues;
  throw new EngineError("parse-failed", ["$", ...path.map(String)].join("."), message);
}

function jsonOf(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch (error) {
    throw new EngineError("invalid-json", "$", "the body is not valid JSON", { cause: error });
  }
}

const testRunRequest = z.strictObject({
  /** Absent: all cases. */
  cases: z.array(z.strictObject({ file: z.string(), name: z.string() })).optional(),
});

// Saves SQL of the console as a migration of the project, runs it, and marks it on the server.

const migrationRequest = z.strictObject({
  source: z.string().min(1),
  name: z.string().min(1).max(200),
  up: z.string().refine((sql) => sql.trim() !== "", "the SQL is empty"),
  /** Empty if the migration cannot be reverted. */
  down: z.string().default(""),
  /** If true, the migration is saved and marked, but not run. */
  has_run: z.boolean().default(false),
  /** If true, metadata objects that depend on dropped tables and columns are dropped too. */
  cascade: z.boolean().default(false),
});

type MigrationRequest = z.infer<typeof migrationRequest>;

interface SavedMigration {
  readonly version: string;
  /** `migrations/default/1700000000001_notes` */
  readonly folder: string;
}

/** Settings of the migration lock. The wait is short, since a browser waits for the response. */
const lock = { command: "engine console", waitSeconds: 60, remark: () => undefined };

/**
 * Saves a migration and runs it, unless it has run already. Deletes its files if the SQL fails. If the SQL may have
 * been committed, the files remain and the version is marked as unfinished.
 * @throws EngineError with line, column and the database's message
 */
function saveMigration(
  call: CallMetadata,
  migrationsPath: string,
  { source, name, up, down, has_run, cascade }: MigrationRequest,
): Promise<SavedMigration> {
  return withToolLock(call, lock, async (ensureAlone) => {
    const [database] = targetDatabases(await databasesOfServer(call), [], { databaseName: source });
    if (database === undefined) throw new EngineError("not-found", "$", `the server has no database ${source}`);
    const state = await AppliedState.read(call);
    const version = await nextVersion(migrationsPath, source);
    const parent = databaseFolder(migrationsPath, source);
    const folder = await writeMigration(parent, { version, name, up: withEnd(up), down: withEnd(down) });
    try {
      const migration = await written(migrationsPath, source, version);
      const options = { skipExecution: has_run, transaction: true, cascade, ensureAlone, onStep: () => undefined };
      await runSteps(call, state, database, [{ migration, action: "up" }], options);
    } catch (error) {
      if (state.of(source).has(version)) throw error;
      await rm(folder, { recursive: true, force: true });
      throw withoutFolder(error, folder);
    }
    return { version, folder };
  });
}

async function written(migrationsPath: string, source: string, version: string): Promise<Migration> {
  const found = (await readMigrations(migrationsPath, source)).find((each) => each.version === version);
  if (found !== undefined) return found;
  throw new EngineError("not-found", "$", `migration ${version} of ${source} was deleted while it was being saved`);
}

function withEnd(sql: string): string {
  return sql === "" || sql.endsWith("\n") ? sql : `${sql}\n`;
}

/** Replaces the path of the deleted file in the message with the line of the SQL. */
function withoutFolder(error: unknown, folder: string): unknown {
  if (!(error instanceof EngineError)) return error;
  const [first = error.message] = error.message.split("\n");
  const reason = first.replace(`${join(folder, "up.sql")}:`, "line ");
  const { code, path, status } = error;
  return new EngineError(code, path, `${reason}. Nothing was saved or changed.`, { status, cause: error });
}
