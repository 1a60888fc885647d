/** `node server.mjs --install-triggers`: puts the event triggers of an artifact into its databases. */
import { archiveEvents, install } from "../../jobs/events/install.ts";
import { AnswerMemory } from "../../values/answer-memory.ts";
import { EngineError } from "../../values/errors.ts";
import type { Artifact } from "./artifact.ts";
import { type ArtifactServerSettings, openSources } from "./open-artifact.ts";
import { type RecordedBySource, recordedSources } from "./recorders.ts";

/**
 * Each source in a transaction of its own; what is as it should be is left alone.
 * @returns what was done, one line for each source
 * @throws EngineError at the first source that refuses
 */
export async function installTriggers(
  artifact: Artifact,
  settings: Omit<ArtifactServerSettings, "drift">,
): Promise<readonly string[]> {
  const answerMemory = new AnswerMemory(settings.options.maxBufferedResponseBytes);
  const sources = openSources(artifact.settings.sources, settings, { answerMemory });
  try {
    const lines: string[] = [];
    for (const source of recordedSources(artifact, sources)) lines.push(await installIn(source, artifact));
    return lines;
  } finally {
    await Promise.all([...sources.values()].map((source) => source.close()));
  }
}

async function installIn({ target, installation }: RecordedBySource, { eventTriggers }: Artifact): Promise<string> {
  const done = await install(target, installation);
  if (done.kind === "superseded") throw new EngineError("busy", "$", `source ${target.name} is being changed`);
  const { made, dropped } = done;
  if (dropped.length > 0) await archiveEvents(target, { notOf: eventTriggers.map(({ name }) => name) });
  const changes = [
    ...(made.length > 0 ? [`installed ${made.join(", ")}`] : []),
    ...(dropped.length > 0 ? [`removed ${dropped.join(", ")}`] : []),
  ];
  return `${target.name}: ${changes.length === 0 ? "nothing to change" : changes.join("; ")}`;
}
