/**
 * Derives the tools of roles on the schemas that a program's loaded modules declare. A tool is reused from program to
 * program while the modules that it was derived from are unchanged.
 */
import type { FunctionDefinition } from "../../runtime/model/definitions/function.ts";
import type { RoleTool } from "../../runtime/model/definitions/tools/agent-tool.ts";
import type { RoleSchema, SchemaVariant } from "../../runtime/model/schema/role-schema.ts";
import { type RoleToolOptions, roleToolOf } from "../../runtime/model/tools/role-tool.ts";
import { lazy } from "../../runtime/values/lazy.ts";
import type { Analysis } from "../2-analyze/analysis.ts";
import { agentToolInputs, agentToolOf, type ToolInputs } from "../3-lower/agent-tools.ts";
import { sameValue } from "../3-lower/same-value.ts";
import { roleToolPath } from "../4-emit/paths.ts";
import { printName, sourceKinds } from "../catalog/schema/names.ts";
import type { ProgramCache } from "../program/program-cache.ts";
import type { RoleSchemas } from "./saved-planner.ts";

/** A cached result of deriving a tool for a role. */
export interface DerivedTool {
  readonly inputs: ToolInputs;
  readonly settings: string;
  /** Hashes of the modules that it depends on, by path. */
  readonly modules: ReadonlyMap<string, string>;
  readonly tool: RoleTool | undefined;
}

/** A tool of a role of the program. */
export interface ToolOfRole {
  /** Path of its module. */
  readonly path: string;
  readonly inputs: ToolInputs;
  readonly role: string;
  readonly variant: SchemaVariant;
  readonly tool: RoleTool;
}

export interface ToolPlannerSettings {
  readonly analysis: Analysis;
  readonly schemas: RoleSchemas;
  readonly stringifyNumbers: boolean;
  readonly nullCollapse: boolean;
  /** Returns the hash of a module of this program; `undefined` if no module has that path. */
  readonly hashOf: (path: string) => string | undefined;
  /** By path of the tool's module. */
  readonly derived: ProgramCache<DerivedTool>;
}

export class ToolPlanner {
  readonly #settings: ToolPlannerSettings;
  readonly #options: RoleToolOptions;
  readonly #volatile: () => ReadonlySet<string>;
  readonly #inputs: () => readonly ToolInputs[];
  readonly #found = new Map<string, readonly ToolOfRole[]>();

  constructor(settings: ToolPlannerSettings) {
    const { analysis, stringifyNumbers, nullCollapse } = settings;
    this.#settings = settings;
    this.#volatile = lazy(() => volatileFunctions(analysis));
    const isVolatile = ({ source, displayName }: FunctionDefinition) =>
      this.#volatile().has(nameOf(source.name, displayName));
    this.#options = { stringifyNumbers, nullCollapse, isVolatile };
    this.#inputs = lazy(() => agentToolInputs(analysis));
  }

  /** Derives the tools of a role on its schema, sorted by name, without those whose operation the role cannot run. */
  derive(role: string, schema: RoleSchema): readonly RoleTool[] {
    return this.#namedFor(role).flatMap((inputs) => this.#toolOn(inputs, schema) ?? []);
  }

  /** Returns the same for a role of the program. Derives on first use, unless earlier results are still valid. */
  toolsOf(role: string, variant: SchemaVariant): readonly ToolOfRole[] {
    const key = JSON.stringify([role, variant]);
    let found = this.#found.get(key);
    if (found === undefined) {
      found = this.#namedFor(role).flatMap((inputs) => this.#toolOfRole(inputs, role, variant) ?? []);
      this.#found.set(key, found);
    }
    return found;
  }

  #namedFor(role: string): readonly ToolInputs[] {
    return this.#inputs().filter(({ tool }) => tool.roles === undefined || tool.roles.includes(role));
  }

  #toolOn(inputs: ToolInputs, schema: RoleSchema): RoleTool | undefined {
    return roleToolOf(agentToolOf(inputs), schema, this.#options);
  }

  #toolOfRole(inputs: ToolInputs, role: string, variant: SchemaVariant): ToolOfRole | undefined {
    const { derived } = this.#settings;
    const path = roleToolPath(role, inputs.tool.name, variant);
    const known = derived.get(path);
    const own = known && this.#isCurrent(known, inputs) ? known : this.#derived(inputs, role, variant);
    derived.set(path, own);
    return own.tool && { path, inputs, role, variant, tool: own.tool };
  }

  #isCurrent(known: DerivedTool, inputs: ToolInputs): boolean {
    const { hashOf } = this.#settings;
    if (known.settings !== this.#settingsKey() || !sameValue(known.inputs, inputs)) return false;
    for (const [path, hash] of known.modules) if (hashOf(path) !== hash) return false;
    return true;
  }

  #derived(inputs: ToolInputs, role: string, variant: SchemaVariant): DerivedTool {
    const { schemas, hashOf } = this.#settings;
    const { value: tool, modules } = schemas.use({ role, variant }, (schema) => this.#toolOn(inputs, schema));
    const hashes = new Map([...modules].map((path) => [path, hashOf(path) ?? ""]));
    return { inputs, settings: this.#settingsKey(), modules: hashes, tool };
  }

  /** Returns a text that is equal for equal options: no module contains whether a function is volatile. */
  readonly #settingsKey = lazy(() => {
    const { stringifyNumbers, nullCollapse } = this.#settings;
    return JSON.stringify([stringifyNumbers, nullCollapse, ...[...this.#volatile()].sort()]);
  });
}

/** Returns the volatile functions by the names that generated modules contain. */
function volatileFunctions({ sources }: Pick<Analysis, "sources">): ReadonlySet<string> {
  return new Set(
    [...sources.values()].flatMap(({ name, source, functions }) =>
      [...functions.values()].flatMap(({ function: tracked, shape }) =>
        shape.volatility === "volatile"
          ? [nameOf(name, printName(tracked.function, sourceKinds[source.kind].defaultSchema))]
          : [],
      ),
    ),
  );
}

const nameOf = (source: string, displayName: string): string => JSON.stringify([source, displayName]);
