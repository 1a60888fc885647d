/** What the entry of an artifact's `engine.mjs` imports, as `engine/sealed-library`: the artifact for other programs. */
import { dirname } from "node:path";
import type { Engine, EngineSettings } from "../library/engine.d.mts";
import { engineOf } from "../library/engine.ts";
import { createLog } from "../observe/log.ts";
import { standardOutput } from "../observe/standard-output.ts";
import { startOrUndo } from "../serving/start.ts";
import type { Artifact } from "./artifact.ts";
import { checkContract, optionsFor } from "./check-artifact.ts";
import { openArtifact } from "./open-artifact.ts";
import { refuseChangedArtifact } from "./verify.ts";

/** @throws ConfigurationError, EngineError; then nothing is left running */
export async function openSealedEngine(
  artifact: Artifact,
  { environment = process.env, log: write, drift = "refuse" }: EngineSettings = {},
): Promise<Engine> {
  checkContract(artifact);
  refuseChangedArtifact(dirname(artifact.file));
  const options = optionsFor(artifact, environment);
  const log = createLog(options, write ? { write } : standardOutput(options));
  return startOrUndo(async (started) => {
    const opened = await openArtifact(started, artifact, { drift, options, environment, log });
    const { generation, services, rootFields } = opened;
    return engineOf({
      services,
      rootFields,
      schemaOf: (user, api) => generation.schemaOf(user, api),
      visibility: options,
      alias: options.headerAlias,
      close: () => started.close(),
    });
  });
}
