/** Entry modules of an artifact's bundles: they import the generated modules of all roles, and serve or export them. */

import type { Analysis, AnalyzedRemoteSchema } from "../../../compiler/2-analyze/analysis.ts";
import { lowerRemoteServer } from "../../../compiler/3-lower/remotes.ts";
import type { QualifiedName, Source } from "../../../compiler/catalog/model.ts";
import { dialectOf } from "../../../compiler/dialects/index.ts";
import type { PlannedProgram, Program } from "../../../compiler/index.ts";
import type { Shape } from "../../../compiler/shape/shape.ts";
import { shapeFacts } from "../../../compiler/shape/shape-facts.ts";
import { type Routing, routingOf } from "../../databases/sources/routes.ts";
import { remoteFacts } from "../../execute/remote/remote-facts.ts";
import { remoteServer } from "../../model/definitions/remote/remote-server.ts";
import { contractVersion } from "../../model/support/contract.ts";
import type { SealedRemoteSchema, SealedSettings } from "../../server/sealed/index.ts";
import { canonicalJson } from "../../values/canonical-json.ts";
import { type DatabaseFact, routineParts } from "../../values/database-fact.ts";
import type { AnalyzedProgram } from "../compile/analyze-input.ts";
import { version } from "../version.ts";

/** Parentheses keep these names distinct from names of generated files. */
export const entryPaths = { server: "(entry).ts", workers: "(workers).ts", library: "(library).ts" } as const;
const settingsPath = "(settings).json";
const configPath = "(config).mjs";

export interface ArtifactInput extends AnalyzedProgram {
  /** True if only saved operations may run. */
  readonly closed: boolean;
  /** Bundled `engine.config.ts`, if any. */
  readonly config?: ConfigInput | undefined;
}

export interface ConfigInput {
  /** Name of the file in messages. */
  readonly file: string;
  /** One module bundled with its imports. */
  readonly code: string;
  /** Lines of the members, for messages. */
  readonly lines: Readonly<Record<string, number>>;
}

/** Yields the entries and the non-generated files that they import. */
export function* entryFiles({
  analysis,
  program,
  planned,
  planning,
  closed,
  config,
}: ArtifactInput): Iterable<readonly [string, string]> {
  yield [settingsPath, sealedSettings(analysis, { planning, closed })];
  if (config !== undefined) yield [configPath, config.code];
  yield [entryPaths.server, entryModule(program, planned, serving, config)];
  yield [entryPaths.workers, workersModule(config)];
  yield [entryPaths.library, entryModule(program, planned, exporting, config)];
}

const variants = ["frontend", "backend"] as const;

/** Code before and after the description of the artifact. It serves or exports the artifact. */
interface Use {
  readonly imports: string;
  readonly before: string;
  readonly after: string;
}

const serving: Use = {
  imports: 'import { runArtifact } from "engine/sealed";',
  before: "await runArtifact(",
  after: ");",
};

const exporting: Use = {
  imports: 'import { handlerOf, openSealedEngine } from "engine/sealed-library";',
  before: "const artifact = ",
  after: [
    ";",
    "export const openEngine = (settings) => openSealedEngine(artifact, settings);",
    "export const createHandler = (settings) => handlerOf(async () => openEngine(settings));",
  ].join("\n"),
};

/** Collects import statements, with a unique local name for each import. */
class Imports {
  readonly lines: string[];
  #count = 0;

  constructor({ imports }: Use) {
    this.lines = ['import { fileURLToPath } from "node:url";', imports];
  }

  /** Returns the local name of a module's export; `default` is the text or JSON of a file. */
  of(path: string, exported: string): string {
    const local = `${exported}${this.#count++}`;
    const clause = exported === "default" ? local : `{ ${exported} as ${local} }`;
    this.lines.push(`import ${clause} from ${JSON.stringify(`./${path}`)};`);
    return local;
  }
}

function entryModule(program: Program, planned: PlannedProgram, use: Use, config: ConfigInput | undefined): string {
  const imports = new Imports(use);
  const paths = new Set(planned.paths());
  const role = (name: string): string => {
    const subgraph = variants.flatMap((variant) => {
      const path = planned.subgraphSchema(name, variant);
      return paths.has(path) ? [`${variant}: ${imports.of(path, "default")}`] : [];
    });
    return [
      `{ role: ${imports.of(program.roleModule(name), "role")}`,
      `relay: ${imports.of(program.relayModule(name), "relay")}`,
      `hasBackendSchema: ${program.hasBackendSchema(name)}`,
      `subgraph: { ${subgraph.join(", ")} } }`,
    ].join(", ");
  };
  const routes = program.restRoutes();
  const body = [
    `${use.before}{`,
    "  file: fileURLToPath(import.meta.url),",
    ...(config === undefined ? [] : [`  config: ${configEntry(config)},`]),
    `  settings: ${imports.of(settingsPath, "default")},`,
    "  roles: new Map([",
    ...program.roles().map((name) => `    [${JSON.stringify(name)}, ${role(name)}],`),
    "  ]),",
    `  otherRoles: ${role(unnamedRole(program.roles()))},`,
    "  savedOperations: [",
    ...savedOperations(program, planned, imports).map((saved) => `    ${saved},`),
    "  ],",
    `  cronTriggers: [${program
      .cronTriggers()
      .map((path) => imports.of(path, "trigger"))
      .join(", ")}],`,
    `  asynchronousActions: [${program
      .asynchronousActions()
      .map((path) => imports.of(path, "action"))
      .join(", ")}],`,
    `  eventTriggers: [${program
      .eventTriggers()
      .map((path) => imports.of(path, "trigger"))
      .join(", ")}],`,
    ...agentTools(program, planned, imports),
    ...(routes === undefined ? [] : [`  restRoutes: ${imports.of(routes, "routes")},`]),
    `}${use.after}`,
  ];
  return `${[...imports.lines, ...body].join("\n")}\n`;
}

/** Returns the entry of the primary process, which needs options but no generated modules. */
function workersModule(config: ConfigInput | undefined): string {
  return [
    'import { fileURLToPath } from "node:url";',
    'import { runArtifactWorkers } from "engine/sealed-workers";',
    `import settings from ${JSON.stringify(`./${settingsPath}`)};`,
    "await runArtifactWorkers({",
    "  file: fileURLToPath(import.meta.url),",
    ...(config === undefined ? [] : [`  config: ${configEntry(config)},`]),
    "  settings,",
    "});",
    "",
  ].join("\n");
}

/**
 * Returns the configuration of the artifact. Its code runs when the artifact is opened, so that its errors are reported
 * like other configuration errors.
 */
function configEntry({ file, lines }: ConfigInput): string {
  const load = `() => import(${JSON.stringify(`./${configPath}`)})`;
  return `{ file: ${JSON.stringify(file)}, lines: ${JSON.stringify(lines)}, load: ${load} }`;
}

function savedOperations(program: Program, planned: PlannedProgram, imports: Imports): readonly string[] {
  return [...program.savedOperations()].map((saved) => {
    const plans = program.roles().flatMap((role) => {
      const own = variants.flatMap((variant) => {
        const path = planned.savedPlans(saved, role, variant);
        return path === undefined ? [] : [`${variant}: ${imports.of(path, "plans")}`];
      });
      return own.length === 0 ? [] : [`[${JSON.stringify(role)}, { ${own.join(", ")} }]`];
    });
    const operation = imports.of(program.savedOperation(saved), "operation");
    return `{ operation: ${operation}, printed: ${JSON.stringify(saved.printed)}, plans: new Map([${plans.join(", ")}]) }`;
  });
}

/** Returns the member with the tools of all roles; nothing without tools. */
function agentTools(program: Program, planned: PlannedProgram, imports: Imports): readonly string[] {
  const entries = program.roles().flatMap((role) => {
    const own = variants
      .filter((variant) => variant === "frontend" || program.hasBackendSchema(role))
      .flatMap((variant) => {
        const tools = planned.toolsOf(role, variant).map(({ path }) => imports.of(path, "tool"));
        return tools.length === 0 ? [] : [`${variant}: [${tools.join(", ")}]`];
      });
    return own.length === 0 ? [] : [`    [${JSON.stringify(role)}, { ${own.join(", ")} }],`];
  });
  return entries.length === 0 ? [] : ["  agentTools: new Map([", ...entries, "  ]),"];
}

/** Returns the settings of the artifact as JSON. */
function sealedSettings(
  { catalog, sources, remoteSchemas }: Analysis,
  { planning, closed }: Pick<SealedSettings, "planning" | "closed">,
): string {
  const {
    allowlist,
    query_collections,
    api_limits,
    graphql_schema_introspection,
    network,
    opentelemetry,
    metrics_config,
  } = catalog;
  const settings: SealedSettings = {
    version,
    contract: contractVersion,
    sources: [...sources.values()].map(({ source, shape }) => ({
      name: source.name,
      kind: source.kind,
      connectionInfo: source.configuration.connection_info,
      ...(source.configuration.read_replicas && { replicas: source.configuration.read_replicas }),
      ...withRouting(routingOf(source.configuration)),
      ...(source.query_tags && { queryTags: source.query_tags }),
      expected: expectedFacts(source, shape),
    })),
    ...(remoteSchemas.size > 0 && { remoteSchemas: [...remoteSchemas.values()].flatMap(sealedRemoteSchema) }),
    guard: { allowlist, query_collections, api_limits, graphql_schema_introspection },
    tlsAllowlist: network.tls_allowlist,
    ...(opentelemetry && { opentelemetry }),
    ...(metrics_config && { metrics: metrics_config }),
    planning,
    closed,
  };
  return canonicalJson(settings);
}

const withRouting = (routing: Routing | undefined): { readonly routing?: Routing } => (routing ? { routing } : {});

function sealedRemoteSchema({ schema, shape }: AnalyzedRemoteSchema): readonly SealedRemoteSchema[] {
  if (shape === undefined) return [];
  const { name, url, ...options } = lowerRemoteServer(schema);
  return [{ server: remoteServer(name, url, options), facts: remoteFacts(shape.introspection) }];
}

/** Returns the facts that a database must match: all tables, and the functions and procedures used by the metadata. */
function expectedFacts(
  { tables, functions, stored_procedures }: Source,
  shape: Shape,
): SealedSettings["sources"][number]["expected"] {
  const nameOf = ({ schema, name }: QualifiedName): [string, string] => [schema, name];
  const computed = tables.flatMap(({ computed_fields }) =>
    computed_fields.map(({ definition }) => definition.function),
  );
  const procedures = stored_procedures.map(({ stored_procedure }) => stored_procedure);
  const called = [...functions.map((tracked) => tracked.function), ...computed, ...procedures].map(nameOf);
  const isCalled = new Set(called.map((name) => JSON.stringify(name)));
  const isExpected = ({ object, part: [kind = ""] }: DatabaseFact): boolean =>
    !routineParts.has(kind) || isCalled.has(JSON.stringify(object));
  const enumNames = new Set(
    tables.filter(({ is_enum }) => is_enum === true).map(({ table }) => JSON.stringify(nameOf(table))),
  );
  return {
    facts: shapeFacts(shape).filter(isExpected),
    definitions: shape.definitions ? { ...shape.definitions, facts: shape.definitions.facts.filter(isExpected) } : null,
    tracked: [...tables.map(({ table }) => nameOf(table)), ...called],
    enums: shape.tables.flatMap((table) => {
      const column = enumNames.has(JSON.stringify(nameOf(table)))
        ? dialectOf(shape.kind).enumColumns(table)?.value
        : undefined;
      return column === undefined ? [] : [{ table: nameOf(table), column }];
    }),
  };
}

/** Returns a name that no role has. */
function unnamedRole(roles: readonly string[]): string {
  return `not ${roles.join()}`;
}
