/** `engine build`: metadata and Shapes → an artifact that serves them. Needs no database and no network. */
import { artifactFiles } from "../build/artifact-files.ts";
import { analyzeInput, report } from "../compile/analyze-input.ts";
import { writeOutput } from "../compile/output-folder.ts";

export interface BuildCommandOptions {
  /** A metadata directory, or one JSON or YAML file. */
  readonly metadata: string;
  /** Saved Shapes; unless given, `shape.json` beside the metadata. */
  readonly shape?: string;
  /** Only saved operations of the allow-list and REST endpoints shall run. */
  readonly closed?: boolean;
  /** The folder to write. */
  readonly out: string;
}

/**
 * Resolves to the exit code: 1, with a diagnostic for each mistake, when the metadata is invalid or inconsistent;
 * then nothing is written.
 * @throws EngineError when files cannot be read, or the folder cannot be written
 */
export async function buildCommand({ out, closed = false, ...input }: BuildCommandOptions): Promise<number> {
  const analyzed = await analyzeInput(input);
  if ("problems" in analyzed) return report(analyzed.problems);
  const files = await artifactFiles({ ...analyzed, closed });
  await writeOutput(out, files);
  const size = Buffer.byteLength(files.get("server.mjs") ?? "");
  process.stdout.write(`built ${out}: server.mjs has ${Math.round(size / 1024)} KiB\n`);
  return 0;
}
