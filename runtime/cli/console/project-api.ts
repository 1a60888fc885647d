/** `/project/…` of the console's server: requests of the page that concern the project's files. */

import { createHash, timingSafeEqual } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import * as z from "zod";
import { EngineError } from "../../values/errors.ts";
import type { MigrationsInput } from "./migrations-input.ts";
import {
  confirmedChange,
  listedDatabase,
  listMigrations,
  migrationSql,
  oneMigration,
  planChange,
  plannedChange,
  runChange,
} from "./project-migrations.ts";
import type { ProjectTests } from "./project-tests.ts";
import { addMigration, newMigration } from "./save-migration.ts";

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

export interface ProjectApiInput extends MigrationsInput {
  readonly tests: ProjectTests;
  /** Required in each request. */
  readonly key: string;
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
  /** Returns the admin secret, the headers of each request and the paths of the project's files. */
  [`${projectPrefix}session`]: async ({ settings: { adminSecret, headers, metadataPath, migrationsPath } }) => ({
    admin_secret: adminSecret?.reveal() ?? null,
    headers,
    metadata: metadataPath,
    migrations: migrationsPath,
  }),
  [`${projectPrefix}metadata`]: async ({ settings, call, followed, print }) => {
    const result = await followed.write(call);
    if (result === "written") print(`wrote ${settings.metadataPath}`);
    return { result, metadata: settings.metadataPath };
  },
  [`${projectPrefix}migrations`]: (input, body) => addMigration(input, readRequest(newMigration, body)),
  [`${projectPrefix}migration-list`]: (input, body) => listMigrations(input, readRequest(listedDatabase, body)),
  [`${projectPrefix}migration-sql`]: (input, body) => migrationSql(input, readRequest(oneMigration, body)),
  [`${projectPrefix}migration-plan`]: (input, body) => planChange(input, readRequest(plannedChange, body)),
  [`${projectPrefix}migration-runs`]: (input, body) => runChange(input, readRequest(confirmedChange, body)),
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
