/** Asks a person at a terminal before something is lost. */
import { createInterface } from "node:readline/promises";
import { ConfigurationError } from "../../config/configuration-error.ts";

/** @throws ConfigurationError where nobody can be asked, and `--force` was not given */
export async function confirmed(question: string, { force = false }: { readonly force?: boolean }): Promise<boolean> {
  if (force) return true;
  if (!process.stdin.isTTY || !process.stderr.isTTY) {
    throw new ConfigurationError([
      { setting: "--force", message: `${question} Nobody can be asked here: pass it to say yes` },
    ]);
  }
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return /^y(es)?$/i.test((await terminal.question(`${question} [y/N] `)).trim());
  } finally {
    terminal.close();
  }
}
