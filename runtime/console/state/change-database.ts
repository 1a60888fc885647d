/** Changes of a database by SQL. In the console of a project, each change is a migration of the project. */
import { configuration } from "../configuration.ts";
import { ApiError } from "../http/api-error.ts";
import { runSql } from "../http/metadata-api.ts";
import type { Source } from "../http/metadata-types.ts";
import { saveMigration } from "../http/project-api.ts";
import { loadMetadata } from "./metadata.ts";
import { project, projectProblem } from "./project.ts";

export interface DatabaseChange {
  readonly source: Pick<Source, "name" | "kind">;
  /** Name of the migration. */
  readonly name: string;
  readonly sql: string;
  /** SQL that reverts the change; empty if there is none. */
  readonly down: string;
  /** True to drop metadata objects that depend on dropped tables and columns. */
  readonly cascade?: boolean;
}

/**
 * Runs SQL that changes a database, and reloads the metadata. With a project, the SQL runs as a migration, and the change
 * is refused if no migration can be saved.
 * @returns the folder of the migration; `null` without a project
 * @throws ApiError
 */
export async function changeDatabase(change: DatabaseChange): Promise<string | null> {
  const { source, name, sql, down, cascade = false } = change;
  requireProject();
  try {
    if (project.value === null) {
      await runSql({ source: source.name, kind: source.kind, sql, cascade });
      return null;
    }
    const { folder } = await saveMigration({ source: source.name, name, up: sql, down, has_run: false, cascade });
    return folder;
  } finally {
    await loadMetadata();
  }
}

/** True if the console is that of a project, even if the files of the project cannot be changed. */
export const isProjectConsole = configuration.consoleMode === "cli";

/** @throws ApiError if this is the console of a project whose files cannot be changed */
function requireProject(): void {
  if (!isProjectConsole || project.value !== null) return;
  const { message, ...about } = projectProblem.value ?? new ApiError("there is no session");
  const text = `Nothing was changed, because the project's files cannot be changed: ${message}`;
  throw new ApiError(text, about);
}
