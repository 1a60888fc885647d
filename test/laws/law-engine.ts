/** An engine for laws: one world after another, each with its own tables and metadata. */
import { explainTable } from "../../compiler/access/explain-table.ts";
import type { FilterPart } from "../../compiler/access/filter-parts.ts";
import type { Json } from "../../compiler/catalog/model.ts";
import { evaluateFilters, type Truths } from "../../runtime/control/evaluate-filters.ts";
import { explainAccess } from "../../runtime/control/explain-access.ts";
import type { AccessExplanation } from "../../runtime/control/explanation.ts";
import type { RoleTool } from "../../runtime/model/definitions/tools/agent-tool.ts";
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
  /** Returns the tools for assistants of a role by name. */
  tools(role: string): ReadonlyMap<string, RoleTool>;
  /** Returns the parts of the row filter of a role, evaluated for one row. @param key values of a key of the row */
  filterOf(viewpoint: Viewpoint, table: string, key: Readonly<Record<string, Json>>): Promise<EvaluatedFilter>;
  /** Returns the explanation of a write with these values, or to the row with this key. */
  explainWrite(viewpoint: Viewpoint, write: ExplainedWrite): Promise<AccessExplanation>;
  /** Runs a mutation. @returns its data, or the code of its error */
  tryWrite(
    viewpoint: Viewpoint,
    mutation: string,
    variables: Readonly<Record<string, unknown>>,
  ): Promise<{ readonly data: unknown } | { readonly code: string }>;
  close(): Promise<void>;
}

export interface ExplainedWrite {
  readonly table: string;
  readonly operation: "insert" | "update" | "delete";
  readonly row?: Readonly<Record<string, Json>>;
  readonly values?: Readonly<Record<string, Json>>;
}

interface EvaluatedFilter {
  readonly rows: FilterPart;
  readonly truths: Truths;
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
    tools: (role) => {
      const tools = engine.served().generation.agentTools({ role, backendOnly: false });
      return new Map(tools.map((tool) => [tool.tool.name, tool]));
    },
    async filterOf({ role, session }, name, key) {
      const { analysis, generation } = engine.served();
      const source = analysis.sources.get("default");
      const table = [...(source?.tables.values() ?? [])].find((each) => each.table.table.name === name);
      if (!source || !table) throw new Error(`no table ${name}`);
      const action = { role, operation: "select", columns: [], variant: "frontend" } as const;
      const explanation = explainTable(analysis, source, table, action);
      const { rows } = explanation;
      if (!rows) throw new Error(JSON.stringify(explanation.steps));
      const by = { role, variables: new Map(Object.entries(session)), backendOnly: false };
      const input = { source, table, explanation, row: key, values: undefined, path: "$" };
      const evaluation = await evaluateFilters(input, by, generation);
      if (evaluation.kind !== "evaluated") throw new Error(evaluation.kind);
      return { rows, truths: evaluation.truths };
    },
    async explainWrite({ role, session }, { table, ...write }) {
      const { analysis, generation } = engine.served();
      const on = { source: "default", table: { schema: "public", name: table }, ...write };
      return explainAccess({ role, session, backend: false, on }, "$", {
        catalog: analysis.catalog,
        analysis,
        context: { resourceVersion: 1 },
        generation: () => generation,
        plan: () => {
          throw new Error("no request is explained");
        },
        hasRows: true,
      });
    },
    async tryWrite({ role, session }, mutation, variables) {
      try {
        return { data: await engine.ask(role, mutation, { ...session, "x-engine-role": role }, variables) };
      } catch (error) {
        if (error instanceof EngineError) return { code: error.code };
        throw error;
      }
    },
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
