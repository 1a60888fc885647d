/** Validates a configuration and applies its options with lower precedence than flags and environment. */

import { Kind, parse } from "graphql";
import { codeName, codeVariables } from "../../config/code-options.ts";
import { ConfigurationError, type ConfigurationProblem } from "../../config/configuration-error.ts";
import type { Options } from "../../config/option-table.ts";
import { type Environment, type Flags, parseOptions } from "../../config/options.ts";
import type { CredentialCheck } from "../../http/auth/credential-check.ts";
import { namedSession } from "../../http/auth/session.ts";
import type { Log } from "../../observe/logs/log.ts";
import type { AuthenticatedSession } from "../../ports/authentication.ts";
import type { RequestHeaders } from "../../ports/headers.ts";
import type { HookedApi, HookedRequest, OperationHooks } from "../../ports/operation-hooks.ts";
import { EngineError } from "../../values/errors.ts";
import { isObject } from "../../values/is-object.ts";
import { stringifyJson } from "../../values/json-number.ts";
import { lazy } from "../../values/lazy.ts";
import { nearestName } from "../../values/nearest-name.ts";
import type { Session } from "../../values/session.ts";
import type { EngineConfig, EngineOperation } from "../embedding/config.d.mts";
import { callHost, type HostCode, type HostSource, hostFault, logHostFault } from "./host-code.ts";

export interface HostConfig extends Omit<EngineConfig, "options">, HostSource {
  /** Texts of options, by their environment variables. */
  readonly variables: ReadonlyMap<string, string>;
}

/** An empty configuration, for programs and artifacts that have none. */
export const noConfig: HostConfig = {
  file: "the configuration",
  variables: new Map(),
  placeOf: () => "the configuration",
  locate: () => undefined,
};

const functions = ["session", "beforeOperation", "afterOperation", "log"] as const;
export const configMembers: readonly string[] = [...functions, "options", "timeoutMilliseconds"];
const maxTimeout = 600_000;

/**
 * Validates a configuration.
 * @param config the export of the file, or the value passed by a program
 * @throws ConfigurationError with all problems
 */
export function hostConfig(config: unknown, source: HostSource): HostConfig {
  const problems: ConfigurationProblem[] = [];
  const refuse = (name: string, message: string) =>
    problems.push({ setting: name, message, place: source.placeOf(name) });
  if (!isObject(config)) {
    const message = "the default export must be an object: export default defineConfig({ … })";
    throw new ConfigurationError([{ setting: null, message, place: source.file }]);
  }
  for (const name of Object.keys(config).filter((each) => !configMembers.includes(each))) {
    const nearest = nearestName(name, configMembers);
    refuse(name, `unknown member${nearest === undefined ? "" : `; did you mean ${nearest}?`}`);
  }
  for (const name of functions) {
    if (config[name] !== undefined && typeof config[name] !== "function") refuse(name, "must be a function");
  }
  const { timeoutMilliseconds: timeout, options = {} } = config;
  if (timeout !== undefined && !isTimeout(timeout)) {
    refuse("timeoutMilliseconds", `must be a number from 1 to ${maxTimeout}`);
  }
  if (!isObject(options)) refuse("options", "must be an object");
  const { variables, problems: wrong } = codeVariables(isObject(options) ? options : {});
  problems.push(...wrong.map((problem) => ({ ...problem, place: source.placeOf(problem.setting ?? "options") })));
  if (problems.length > 0) throw new ConfigurationError(problems);
  const { options: _, ...rest } = config as EngineConfig;
  return { ...rest, ...source, variables };
}

const isTimeout = (value: unknown): boolean => typeof value === "number" && value >= 1 && value <= maxTimeout;

/**
 * Parses the options with the precedence flags, environment, configuration, defaults.
 * @returns the options, and the environment extended with the configuration
 * @throws ConfigurationError
 */
export function configuredOptions(
  flags: Flags,
  environment: Environment,
  { variables, placeOf }: Pick<HostConfig, "variables" | "placeOf">,
): { readonly options: Options; readonly environment: Environment } {
  const own = [...variables].filter(([name]) => environment[name] === undefined);
  const whole = own.length === 0 ? environment : { ...environment, ...Object.fromEntries(own) };
  try {
    return { options: parseOptions(flags, whole), environment: whole };
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    const inCode = new Set(own.map(([name]) => name));
    const placed = error.problems.map((problem) => {
      if (problem.setting === null || !inCode.has(problem.setting)) return problem;
      const setting = codeName(problem.setting);
      return { ...problem, setting, place: placeOf(setting) };
    });
    throw new ConfigurationError(placed);
  }
}

/** The parts of the configuration that take part in requests. */
export interface HostParts {
  readonly check: CredentialCheck | undefined;
  readonly hooks: OperationHooks | undefined;
}

export function hostParts(config: HostConfig, log: Log, { headerAlias }: Pick<Options, "headerAlias">): HostParts {
  const { file, locate, timeoutMilliseconds = 10_000, session } = config;
  const code: HostCode = { log, file, locate, timeoutMilliseconds };
  return { check: session && hostSessionCheck(session, code, headerAlias), hooks: hostHooks(config, code) };
}

// Adds the authentication of the configuration as a credential check.

function hostSessionCheck(
  session: NonNullable<EngineConfig["session"]>,
  code: HostCode,
  alias: string | null,
): CredentialCheck {
  return async (_headers, { sent, method }) => {
    const headers = headersOf(sent);
    const known: unknown = await callHost(code, "session", (signal) => session({ headers, method, signal }));
    if (known === null || known === undefined) return null;
    const found = sessionOf(known, alias);
    if (typeof found === "string") throw hostFault(code, "session", new Error(found));
    if (found.expiresAt !== undefined && found.expiresAt <= Date.now()) {
      throw new EngineError("access-denied", "$", "the session has ended", { status: 401 });
    }
    return found;
  };
}

/** Converts a returned value to a session. Returns the problem as a string if it is invalid. */
function sessionOf(known: unknown, alias: string | null): AuthenticatedSession | string {
  if (!isObject(known)) return `it must return an object with a role, or null, not ${typeName(known)}`;
  const { role, variables = {}, expiresAt } = known;
  if (typeof role !== "string" || role === "") return "role must be a non-empty string";
  if (!isObject(variables)) return "variables must be an object of strings by session variable name";
  const wrong = Object.entries(variables).find(([, value]) => typeof value !== "string");
  if (wrong !== undefined) return `the session variable ${wrong[0]} must be a string, not ${typeName(wrong[1])}`;
  const end = expiresAt instanceof Date ? expiresAt.getTime() : expiresAt;
  if (end !== undefined && !Number.isFinite(end)) return "expiresAt must be a date or milliseconds since 1970";
  try {
    const named = namedSession(role, variables as Readonly<Record<string, string>>, alias);
    return { ...named, expiresAt: end as number | undefined };
  } catch (error) {
    if (error instanceof EngineError) return error.message;
    throw error;
  }
}

const typeName = (value: unknown): string =>
  value === null ? "null" : Array.isArray(value) ? "an array" : typeof value;

function headersOf(sent: RequestHeaders): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(sent)) if (value !== undefined) headers.set(name, value);
  return headers;
}

// Hooks of the configuration, which run before and after operations. They receive copies, so that they can only refuse
// and observe.

type Hooks = Pick<EngineConfig, "beforeOperation" | "afterOperation">;

/** Returns the hooks, or `undefined` if the configuration has none. */
function hostHooks({ beforeOperation, afterOperation }: Hooks, code: HostCode): OperationHooks | undefined {
  if (!beforeOperation && !afterOperation) return undefined;
  return {
    async begin(api, request, { session }) {
      const shown = () => operationOf(api, request, session);
      if (beforeOperation) {
        const returned: unknown = await callHost(code, "beforeOperation", () => beforeOperation(shown()));
        // A return value such as `false` is probably meant as a refusal.
        if (returned !== undefined) throw hostFault(code, "beforeOperation", new Error(returnProblem));
      }
      if (!afterOperation) return () => undefined;
      const began = performance.now();
      return once((error) => {
        const outcome = { error: error === undefined ? null : errorOf(error), milliseconds: performance.now() - began };
        const call = async (): Promise<void> => afterOperation(shown(), outcome);
        call().catch((thrown: unknown) => logHostFault(code, "afterOperation", thrown));
      });
    },
  };
}

const returnProblem = "it must not return a value; call refuse(…) to refuse an operation";

function once(call: (error?: unknown) => void): (error?: unknown) => void {
  let isCalled = false;
  return (error) => {
    if (isCalled) return;
    isCalled = true;
    call(error);
  };
}

function errorOf(error: unknown): { readonly code: string; readonly message: string } {
  if (error instanceof EngineError) return { code: error.code, message: error.message };
  return { code: "unexpected", message: "Internal Server Error" };
}

/** Copies variables and parses names on access, because most hooks do not use them. */
function operationOf(api: HookedApi, request: HookedRequest, session: Session): EngineOperation {
  const { query, variables } = request;
  const { role, requestId } = session;
  const name = lazy(() => request.operationName ?? (api === "data" ? null : nameIn(query)));
  const copy = lazy(() => variables && plainJson(variables));
  return {
    api,
    query,
    get operationName() {
      return name();
    },
    get variables() {
      return copy();
    },
    role,
    sessionVariables: Object.fromEntries(session.variables),
    requestId,
  };
}

/** Maximum number of tokens in a text from which the operation name is read. */
const maxTokens = 10_000;

/** Returns the operation name if the text contains exactly one operation; otherwise `null`. */
function nameIn(query: string): string | null {
  try {
    const { definitions } = parse(query, { noLocation: true, maxTokens });
    const operations = definitions.filter((definition) => definition.kind === Kind.OPERATION_DEFINITION);
    return operations.length === 1 ? (operations[0]?.name?.value ?? null) : null;
  } catch {
    return null;
  }
}

function plainJson(variables: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return JSON.parse(stringifyJson(variables));
}
