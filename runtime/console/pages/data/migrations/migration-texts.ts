/** Texts about migrations. */
import type { ListedMigration, MigrationChange, PlannedStep } from "../../../http/migrations-api.ts";

/** Returns the name of a migration's folder, or its version if the project has no files of it. */
export const titleOf = ({ version, name }: Pick<ListedMigration, "version" | "name">): string =>
  name === null || name === "" ? version : `${version}_${name}`;

/** Returns the local time of a version that is a time in milliseconds since 1970; an empty text for any other. */
export const creationTime = (version: string): string =>
  /^\d{13}$/.test(version) ? new Date(Number(version)).toLocaleString() : "";

export const runsSql = ({ kind }: MigrationChange): boolean => kind !== "mark" && kind !== "unmark";

export const stepTexts: Readonly<Record<PlannedStep["action"], string>> = {
  up: "Apply",
  down: "Revert",
  adopt: "Mark as applied, because all migrations that it replaces are applied:",
  mark: "Mark as applied without running it:",
  unmark: "Remove the mark of",
};

export const changeTitles: Readonly<Record<MigrationChange["kind"], string>> = {
  apply: "Apply migrations",
  revert: "Revert the last migration",
  repeat: "Run the migration again",
  mark: "Mark as applied",
  unmark: "Remove the mark",
};

/** Labels of the buttons that confirm a plan. */
export const changeActions: Readonly<Record<MigrationChange["kind"], string>> = {
  apply: "Apply",
  revert: "Revert",
  repeat: "Run again",
  mark: "Mark as applied",
  unmark: "Remove the mark",
};

export const changeNotices: Readonly<Record<MigrationChange["kind"], string>> = {
  apply: "Applied the migrations",
  revert: "Reverted the migration",
  repeat: "Applied the migration",
  mark: "Marked the migration as applied",
  unmark: "Removed the mark of the migration",
};
