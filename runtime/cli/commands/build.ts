/** `engine build`: metadata and Shapes → an artifact that serves them. Needs no database and no network. */
import { artifactFiles } from "../build/artifact-files.ts";
import { literalSecrets } from "../build/literal-secrets.ts";
import { analyzeInput, leftOut, report } from "../compile/analyze-input.ts";
import { writeOutput } from "../compile/output-folder.ts";
import { builtInConfig } from "../config/built-in-config.ts";

export interface BuildCommandOptions {
  /** A metadata directory, or one JSON or YAML file. */
  readonly metadata: string;
  /** Saved Shapes; unless given, `shape.json` beside the metadata. */
  readonly shape?: string;
  /** Only saved operations of the allow-list and REST endpoints shall run. */
  readonly closed?: boolean;
  /** Build even if the metadata holds secrets that everybody can read who gets the artifact. */
  readonly allowLiteralSecrets?: boolean;
  /** Leave inconsistent objects out, and list them. */
  readonly allowInconsistent?: boolean;
  /** Code to build in; unless given, `engine.config.ts` where there is one. */
  readonly config?: string;
  /** The folder to write. */
  readonly out: string;
}

/**
 * Resolves to the exit code: 1, with a diagnostic for each mistake, when the metadata is invalid or inconsistent, or
 * holds secrets; then nothing is written.
 * @throws EngineError when files cannot be read, or the folder cannot be written
 */
export async function buildCommand(options: BuildCommandOptions): Promise<number> {
  const { out, closed = false, allowLiteralSecrets = false, config: configPath, ...input } = options;
  const analyzed = await analyzeInput(input);
  if ("problems" in analyzed) return report(analyzed.problems);
  const { files } = analyzed;
  const config = await builtInConfig(configPath);
  const secrets = [
    ...literalSecrets(files.document).map((path) => `${files.place(path)}: literal secret (${path})`),
    ...(config?.secrets ?? []),
  ];
  if (secrets.length > 0 && !allowLiteralSecrets) return report(secrets.map((secret) => `${secret}\n${hint}`));
  process.stderr.write(secrets.map((secret) => `warning: ${secret}\n`).join(""));
  const artifact = await artifactFiles({ ...analyzed, closed, config });
  // The artifact would refuse to start beside files that are not its own.
  await writeOutput(out, artifact, { others: "refuse" });
  process.stderr.write(leftOut(analyzed, input.metadata));
  const size = Buffer.byteLength(artifact.get("server.mjs") ?? "");
  process.stdout.write(`built ${out}: server.mjs has ${Math.round(size / 1024)} KiB\n`);
  const { cronTriggers, actions } = analyzed.analysis;
  const asynchronous = [...actions.values()].filter(({ definition }) => definition.kind === "asynchronous");
  process.stdout.write(needsDatabase("cron triggers", [...cronTriggers.keys()]));
  process.stdout.write(
    needsDatabase(
      "asynchronous actions",
      asynchronous.map(({ name }) => name),
    ),
  );
  process.stdout.write(needsVariables(analyzed.assumedVariables));
  return 0;
}

function needsVariables(names: readonly string[]): string {
  return names.length === 0
    ? ""
    : `environment variables that it needs and that are not set here: ${names.join(", ")}\n`;
}

/** What the artifact cannot do by itself. */
function needsDatabase(kind: string, names: readonly string[]): string {
  if (names.length === 0) return "";
  return `${kind} that run only where the artifact is given --metadata-database-url: ${names.join(", ")}\n`;
}

const hint =
  "  whoever gets the artifact could read it: name an environment variable in its place, or give --allow-literal-secrets";
