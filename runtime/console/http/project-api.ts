/** Client of the `/project/…` endpoints of `engine console`, which concern the project. */
import { send } from "./send.ts";

const storedKey = "engine-console-project-key";

/** Moves the key from the fragment of the printed address to session storage. */
export function storeKey(): void {
  const key = new URLSearchParams(location.hash.slice(1)).get("key");
  if (key === null) return;
  sessionStorage.setItem(storedKey, key);
  history.replaceState(null, "", location.pathname + location.search);
}

/** @throws ApiError */
export const callProject = <T>(
  act:
    | "session"
    | "metadata"
    | "migrations"
    | "migration-list"
    | "migration-sql"
    | "migration-plan"
    | "migration-runs"
    | "tests"
    | "test-runs",
  body: object = {},
): Promise<T> =>
  send<T>(`/project/${act}`, { body, headers: { "x-engine-console-key": sessionStorage.getItem(storedKey) ?? "" } });

export interface NewMigration {
  readonly source: string;
  readonly name: string;
  readonly up: string;
  /** Down migration; empty if there is none. */
  readonly down: string;
  /** True if the SQL has already run: the migration is saved without running it. */
  readonly has_run: boolean;
  /** True to drop metadata objects that depend on dropped tables and columns. */
  readonly cascade?: boolean;
}

export interface SavedMigration {
  readonly version: string;
  readonly folder: string;
}

/** @throws ApiError */
export const saveMigration = (migration: NewMigration): Promise<SavedMigration> => callProject("migrations", migration);
