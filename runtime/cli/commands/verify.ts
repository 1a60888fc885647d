/** `engine verify`: whether an artifact is as it was built. */
import { changesOfArtifact } from "../../server/sealed/verify.ts";

/**
 * Resolves to the exit code: 1, with a line for each file, when something was changed.
 * @throws EngineError when the folder holds no artifact
 */
export async function verifyCommand(folder: string): Promise<number> {
  const changes = changesOfArtifact(folder);
  if (changes.length === 0) {
    process.stdout.write(`${folder} is as it was built\n`);
    return 0;
  }
  process.stderr.write(changes.map((change) => `${change}\n`).join(""));
  return 1;
}
