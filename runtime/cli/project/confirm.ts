/** Prompts for confirmation before data is lost. */
import { createInterface } from "node:readline/promises";
import { ConfigurationError } from "../../config/configuration-error.ts";

/** @throws ConfigurationError without a terminal and without `--force` */
export async function confirmed(question: string, { force = false }: { readonly force?: boolean }): Promise<boolean> {
  if (force) return true;
  if (!process.stdin.isTTY || !process.stderr.isTTY) {
    throw new ConfigurationError([
      { setting: "--force", message: `required to confirm without a terminal: ${question}` },
    ]);
  }
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return /^y(es)?$/i.test((await terminal.question(`${question} [y/N] `)).trim());
  } finally {
    terminal.close();
  }
}
