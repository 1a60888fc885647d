/** The project whose files `engine console` keeps in sync with the server. The console of a server has no project. */
import { signal } from "@preact/signals";
import { configuration } from "../configuration.ts";
import { ApiError, asApiError } from "../http/api-error.ts";
import { addHeaders, signIn } from "../http/credentials.ts";
import { callProject, storeKey } from "../http/project-api.ts";

interface Session {
  readonly admin_secret: string | null;
  /** Headers of each request to the server. */
  readonly headers: Readonly<Record<string, string>>;
  /** Paths of the folders. */
  readonly metadata: string;
  readonly migrations: string;
}

/** `null` if the page may not change files. */
export const project = signal<Omit<Session, "admin_secret" | "headers"> | null>(null);

/** Error that left the files out of sync with the server. */
export const projectProblem = signal<ApiError | null>(null);

/** Starts a project session with the key from the address. Never rejects; errors are in `projectProblem`. */
export async function openProject(): Promise<void> {
  if (configuration.consoleMode !== "cli") return;
  storeKey();
  try {
    const { admin_secret, headers, ...paths } = await callProject<Session>("session");
    addHeaders(headers);
    if (admin_secret !== null) signIn(admin_secret);
    project.value = paths;
  } catch (thrown) {
    projectProblem.value = asApiError(thrown);
  }
}

/** Writes the server's metadata to the project files. Never rejects; errors are in `projectProblem`. */
export async function writeProjectMetadata(): Promise<void> {
  if (project.value === null) return;
  try {
    await callProject("metadata");
    projectProblem.value = null;
  } catch (thrown) {
    const { message, ...about } = asApiError(thrown);
    projectProblem.value = new ApiError(`Failed to update the project files: ${message}`, about);
  }
}
