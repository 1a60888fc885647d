/** `engine verify`: checks the files of an artifact against its manifest. */
import { changesOfArtifact } from "../../server/sealed/verify.ts";

/**
 * Resolves to the exit code: 1 if files have changed, with one line for each.
 * @throws EngineError if the folder contains no artifact
 */
export async function verifyCommand(folder: string): Promise<number> {
  const changes = changesOfArtifact(folder);
  if (changes.length === 0) {
    process.stdout.write(`${folder} is unchanged since it was built\n`);
    return 0;
  }
  process.stderr.write(changes.map((change) => `${change}\n`).join(""));
  return 1;
}
