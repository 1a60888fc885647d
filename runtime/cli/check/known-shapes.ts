/** What is known of a project's databases without a server: of those that SQL of the project makes, and of those that are saved. */
import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { SourceIntrospection } from "../../../compiler/2-analyze/analysis.ts";
import type { Source } from "../../../compiler/catalog/model.ts";
import { emptyShape } from "../../../compiler/shape/shape.ts";
import { enumTables, introspectUrl } from "../compile/introspect-url.ts";
import { savedIntrospections } from "../compile/saved-introspections.ts";
import type { Settings } from "../project/settings.ts";
import type { DatabaseFiles } from "../scratch/database-files.ts";
import { runFiles } from "../scratch/run-files.ts";
import { withScratchDatabases } from "../scratch/scratch-databases.ts";
import { scratchKind } from "../scratch/scratch-kind.ts";
import { attempt } from "./attempt.ts";

export interface ShapeSettings {
  /** Saved Shapes to believe; unless given, databases are made of the project's SQL. */
  readonly shape?: string | undefined;
  /** `false`: no SQL is run, and the Shapes are those of `shape.json` beside the metadata. */
  readonly scratch: boolean;
  /** Where databases are made; on an embedded PostgreSQL unless given. */
  readonly shadowUrl?: string | undefined;
}

export interface KnownShapes {
  /** By source; of one with a problem there is none. */
  readonly introspections: ReadonlyMap<string, SourceIntrospection>;
  /** A line each. */
  readonly problems: readonly string[];
  /** What was run. */
  readonly ran: readonly string[];
}

/** @throws EngineError when the saved Shapes cannot be read, or there is no scratch database to be had */
export async function knownShapes(
  { metadataPath }: Pick<Settings, "metadataPath">,
  { shape, scratch, shadowUrl }: ShapeSettings,
  files: ReadonlyMap<string, DatabaseFiles>,
  sources: readonly Source[],
): Promise<KnownShapes> {
  const isMade = ({ name, kind }: Source): boolean =>
    shape === undefined && scratch && kind === scratchKind && files.has(name);
  const saved = await savedShapes(
    metadataPath,
    shape,
    sources.filter((source) => !isMade(source)),
  );
  const made = await madeShapes(shadowUrl, files, sources.filter(isMade));
  return {
    introspections: new Map([...saved.introspections, ...made.introspections]),
    problems: [...saved.problems, ...made.problems],
    ran: made.ran,
  };
}

async function savedShapes(
  metadataPath: string,
  shape: string | undefined,
  sources: readonly Source[],
): Promise<KnownShapes> {
  if (sources.length === 0) return { introspections: new Map(), problems: [], ran: [] };
  const beside = join(dirname(resolve(metadataPath)), "shape.json");
  if (shape !== undefined || existsSync(beside)) {
    return { introspections: await savedIntrospections(shape ?? beside, sources), problems: [], ran: [] };
  }
  const unknown = sources.filter((source) => !isBare(source)).map(({ name }) => name);
  const advice = `write migrations, give --shape, or save it with \`engine shape\` as ${beside}`;
  return {
    introspections: new Map(sources.map(({ name, kind }) => [name, { shape: emptyShape(kind) }])),
    problems: unknown.map((name) => `what the database ${name} looks like is unknown: ${advice}`),
    ran: [],
  };
}

/** The metadata says nothing of what is in it. */
const isBare = ({ tables, functions, native_queries, stored_procedures, logical_models }: Source): boolean =>
  [tables, functions, native_queries, stored_procedures, logical_models].every((list) => list.length === 0);

async function madeShapes(
  shadowUrl: string | undefined,
  files: ReadonlyMap<string, DatabaseFiles>,
  sources: readonly Source[],
): Promise<KnownShapes> {
  const introspections = new Map<string, SourceIntrospection>();
  const problems: string[] = [];
  const ran: string[] = [];
  if (sources.length === 0) return { introspections, problems, ran };
  await withScratchDatabases(shadowUrl, async (newDatabase) => {
    for (const source of sources) {
      const { migrations = [], seeds = [] } = files.get(source.name) ?? {};
      const url = await newDatabase();
      const result = await attempt(() => runFiles(url, [...migrations, ...seeds]));
      if ("problem" in result) {
        problems.push(result.problem);
        continue;
      }
      ran.push(`${counted(migrations, "migration")} and ${counted(seeds, "seed")} of ${source.name}`);
      introspections.set(source.name, { shape: await introspectUrl(url, scratchKind, enumTables(source)) });
    }
  });
  return { introspections, problems, ran };
}

const counted = ({ length }: readonly unknown[], noun: string): string => `${length} ${noun}${length === 1 ? "" : "s"}`;
