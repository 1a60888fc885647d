/** `/project/…` of `engine console`: what the page asks of the project's files. */
import { send } from "./send.ts";

const storedKey = "engine-console-project-key";

/** The key stands in the address that the command prints, and stays in the tab. */
export function keepKey(): void {
  const key = new URLSearchParams(location.hash.slice(1)).get("key");
  if (key === null) return;
  sessionStorage.setItem(storedKey, key);
  history.replaceState(null, "", location.pathname + location.search);
}

/** @throws ApiError */
export const askProject = <T>(act: "session" | "metadata" | "migrations", body: object = {}): Promise<T> =>
  send<T>(`/project/${act}`, { body, headers: { "x-engine-console-key": sessionStorage.getItem(storedKey) ?? "" } });

export interface NewMigration {
  readonly source: string;
  readonly name: string;
  readonly up: string;
  /** Takes it back; empty: nothing does. */
  readonly down: string;
  /** The database has it: the migration is only saved. */
  readonly has_run: boolean;
}

export interface SavedMigration {
  readonly version: string;
  readonly folder: string;
}

/** @throws ApiError */
export const saveMigration = (migration: NewMigration): Promise<SavedMigration> => askProject("migrations", migration);
