/** Programs of Debian's packages that some tests need. */
import { spawnSync } from "node:child_process";

/**
 * Checks for a program.
 * @returns true if it is not installed; always false in CI, where `.ci/postgres.sh` installs it
 */
export function missingProgram(name: string): boolean {
  const isMissing = spawnSync(name, ["--version"]).error !== undefined;
  if (isMissing && process.env.CI !== undefined && process.env.CI !== "") throw new Error(`${name} is not installed`);
  return isMissing;
}
