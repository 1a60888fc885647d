/** Writes files atomically. */

import { randomUUID } from "node:crypto";
import { mkdir, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { EngineError } from "../../values/errors.ts";
import { messageOf } from "../../values/message-of.ts";

/**
 * Creates or replaces a file, and creates its folder. A symbolic link is replaced, not followed.
 * @throws EngineError if the file cannot be written; the previous file then remains
 */
export async function replaceFile(file: string, text: string): Promise<void> {
  // Hidden, so that watchers ignore it.
  const temporary = join(dirname(file), `.${randomUUID()}.tmp`);
  try {
    await mkdir(dirname(file), { recursive: true });
    await writeFile(temporary, text, { flag: "wx" });
    await rename(temporary, file);
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => undefined);
    const reason = messageOf(error);
    throw new EngineError("unwritable", "$", `cannot write ${file}: ${reason}`, { cause: error });
  }
}
