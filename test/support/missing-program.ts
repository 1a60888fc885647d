/** Programs of Debian's packages that some tests need. */
import { spawnSync } from "node:child_process";

/** @returns whether the program is not installed; in CI, where `.ci/postgres.sh` installs it, it has to be there */
export function missingProgram(name: string): boolean {
  const isMissing = spawnSync(name, ["--version"]).error !== undefined;
  if (isMissing && process.env.CI !== undefined && process.env.CI !== "") throw new Error(`${name} is not installed`);
  return isMissing;
}
