/** `engine verify`: checks the files of an artifact against its manifest. */
import { changesOfArtifact } from "../../server/sealed/verify.ts";
import { problem } from "../problem.ts";
import { printProblems, printResult, recordResult } from "../project/output.ts";

/**
 * Resolves to the exit code: 1 if files have changed, with one line for each.
 * @throws EngineError if the folder contains no artifact
 */
export async function verifyCommand(folder: string): Promise<number> {
  const changes = changesOfArtifact(folder);
  if (changes.length === 0) {
    printResult(`${folder} is unchanged since it was built\n`, { unchanged: true });
    return 0;
  }
  recordResult({ unchanged: false });
  printProblems(changes.map((change) => ({ ...problem("error", "modified-file", change), line: change })));
  return 1;
}
