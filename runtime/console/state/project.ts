/** The project whose files `engine console` keeps in step with the server; a server's own console has none. */
import { signal } from "@preact/signals";
import { configuration } from "../configuration.ts";
import { ApiError, asApiError } from "../http/api-error.ts";
import { signIn } from "../http/credentials.ts";
import { askProject, keepKey } from "../http/project-api.ts";

interface Session {
  readonly admin_secret: string | null;
  /** Where the files are. */
  readonly metadata: string;
  readonly migrations: string;
}

/** `null`: the page may not change files. */
export const project = signal<Omit<Session, "admin_secret"> | null>(null);

/** Why files are not what the server has. */
export const projectProblem = signal<ApiError | null>(null);

/** Takes the key out of the address. Never rejects: `projectProblem` tells what happened. */
export async function openProject(): Promise<void> {
  if (configuration.consoleMode !== "cli") return;
  keepKey();
  try {
    const { admin_secret, ...paths } = await askProject<Session>("session");
    if (admin_secret !== null) signIn(admin_secret);
    project.value = paths;
  } catch (thrown) {
    projectProblem.value = asApiError(thrown);
  }
}

/** Has the metadata of the server written into the files. Never rejects: `projectProblem` tells what happened. */
export async function writeProjectMetadata(): Promise<void> {
  if (project.value === null) return;
  try {
    await askProject("metadata");
    projectProblem.value = null;
  } catch (thrown) {
    const { message, ...about } = asApiError(thrown);
    projectProblem.value = new ApiError(`The change is not in the project: ${message}`, about);
  }
}
