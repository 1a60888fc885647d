/** `/project/…` of the console's server: what the page asks of the project's files. */
import type { IncomingHttpHeaders } from "node:http";
import { EngineError } from "../../values/errors.ts";
import type { CallMetadata } from "../project/client.ts";
import { printable } from "../project/output.ts";
import type { Settings } from "../project/settings.ts";
import type { FollowedMetadata } from "./followed-metadata.ts";
import { requireKey } from "./local-requests.ts";
import { migrationRequest, saveMigration } from "./save-migration.ts";

export const projectPrefix = "/project/";

export interface ProjectApiInput {
  readonly settings: Settings;
  readonly call: CallMetadata;
  readonly followed: FollowedMetadata;
  /** What requests have to know. */
  readonly key: string;
  /** Is told what was written, a line each. */
  readonly tell: (line: string) => void;
}

export interface ProjectRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly readBody: () => Promise<string>;
}

/**
 * The JSON value of the answer.
 * @throws EngineError, InvalidFiles
 */
export async function answerProject(input: ProjectApiInput, request: ProjectRequest): Promise<unknown> {
  requireKey(request.headers, input.key);
  const act = Object.hasOwn(acts, request.path) ? acts[request.path] : undefined;
  if (act === undefined) throw new EngineError("not-found", "$", "resource does not exist", { status: 404 });
  if (request.method !== "POST") throw new EngineError("not-supported", "$", "send it as POST", { status: 405 });
  return act(input, await request.readBody());
}

type Act = (input: ProjectApiInput, body: string) => Promise<unknown>;

const acts: Readonly<Record<string, Act>> = {
  /** The credentials of an administrator, and where files go. */
  [`${projectPrefix}session`]: async ({ settings: { adminSecret, metadataPath, migrationsPath } }) => ({
    admin_secret: adminSecret?.reveal() ?? null,
    metadata: metadataPath,
    migrations: migrationsPath,
  }),
  [`${projectPrefix}metadata`]: async ({ settings, call, followed, tell }) => {
    const result = await followed.write(call);
    if (result === "written") tell(`wrote ${settings.metadataPath}`);
    return { result, metadata: settings.metadataPath };
  },
  [`${projectPrefix}migrations`]: async ({ settings, call, tell }, body) => {
    const saved = await saveMigration(call, settings.migrationsPath, readMigrationRequest(body));
    tell(`saved ${printable(saved.folder)}`);
    return saved;
  },
};

function readMigrationRequest(body: string) {
  const read = migrationRequest.safeParse(jsonOf(body));
  if (read.success) return read.data;
  const [{ path = [], message = "" } = {}] = read.error.issues;
  throw new EngineError("parse-failed", ["$", ...path.map(String)].join("."), message);
}

function jsonOf(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch (error) {
    throw new EngineError("invalid-json", "$", "the body is no JSON", { cause: error });
  }
}
