/** An engine for laws: one world after another, each with its own tables and metadata. */
import { EngineError } from "../../runtime/values/errors.ts";
import { type Mode, TestEngine, usualMode } from "../support/compiled.ts";
import { createDatabase, query as runSql } from "../support/database.ts";
import type { Viewpoint, World } from "./model.ts";
import { createWorld } from "./world-in-database.ts";

export interface LawEngine {
  readonly databaseUrl: string;
  /** Replaces the current world. @param tables `tables` of its metadata @param more other members of the metadata */
  show(world: World, tables: readonly unknown[], more?: Readonly<Record<string, unknown>>): Promise<void>;
  /**
   * Returns the `data` of a response.
   * @throws Error with all known details if it contains an error
   */
  ask(viewpoint: Viewpoint, query: string, variables: Readonly<Record<string, unknown>>): Promise<unknown>;
  close(): Promise<void>;
}

export async function startLawEngine(mode: Mode = usualMode): Promise<LawEngine> {
  const database = await createDatabase("laws");
  await runSql(database.url, `alter database "${database.name}" set timezone to 'UTC'`);
  const engine = new TestEngine(database.url, new Map(), mode);
  return {
    databaseUrl: database.url,
    async show(world, tables, more) {
      await runSql(database.url, createWorld(world));
      const { inconsistencies } = await engine.track(tables, more);
      if (inconsistencies.length > 0) throw new Error(JSON.stringify(inconsistencies));
    },
    ask: ({ role, session }, query, variables) =>
      engine.ask(role, query, { ...session, "x-engine-role": role }, variables).catch(explain),
    async close() {
      await engine.close();
      await database.drop();
    },
  };
}

function explain(error: unknown): never {
  if (!(error instanceof EngineError)) throw error;
  throw new Error(`${error.code} at ${error.path}: ${error.message} ${JSON.stringify(error.internal)}`);
}
