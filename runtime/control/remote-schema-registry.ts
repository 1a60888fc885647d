/** Introspects remote schemas that are new, changed or reloaded. Unreachable remote schemas keep their last shape. */
import { setTimeout as delay } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import { getIntrospectionQuery } from "graphql";
import { remoteShapeOf } from "../../compiler/1-introspect/read-remote-shape.ts";
import type { Catalog } from "../../compiler/catalog/catalog.ts";
import type { Header, JsonObject } from "../../compiler/catalog/model.ts";
import type { RemoteSchema } from "../../compiler/catalog/outside-sources.ts";
import type { RemoteIntrospection, RemoteShape } from "../../compiler/shape/remote-shape.ts";
import { callFailure, HttpClient } from "../outbound/http-client.ts";
import type { Caller } from "../values/caller.ts";
import { missingVariables, resolveTemplate } from "../values/environment-template.ts";
import { EngineError } from "../values/errors.ts";
import { runInSlices } from "../values/interruptible.ts";
import { isObject } from "../values/is-object.ts";
import { parseJsonInSlices } from "../values/json/parse.ts";
import { defaultOutboundRules, type OutboundRules } from "../values/outbound-rules.ts";
import { type ImportedShapes, noImportedShapes } from "./imported-shapes.ts";
import type { ShapeStore } from "./stored-shapes.ts";

export interface IntrospectedRemoteSchema {
  /** Identifies the URL. A remote schema with another key must be introspected again. */
  readonly key: string;
  readonly definition: RemoteSchema["definition"];
  readonly introspection: RemoteIntrospection;
}

export type RemoteIntrospections = ReadonlyMap<string, IntrospectedRemoteSchema>;

type Environment = Readonly<Record<string, string | undefined>>;

const defaultSeconds = 60;
/** Time limit in milliseconds for introspecting a server at start-up if its last shape is stored. */
const storedShapeMilliseconds = 75;
/**
 * Time limit of a retry in milliseconds, so that an unresponsive server does not delay other retries or the shutdown.
 */
const retryMilliseconds = 15_000;
/** Introspection query without options that older servers do not support. */
const query = getIntrospectionQuery({ descriptions: true });

const limits = {
  milliseconds: defaultSeconds * 1000,
  connections: 10,
  callsAtOnce: 1000,
  responseBytes: 32 * 1024 * 1024,
  redirects: 0,
};

export interface RemoteSchemaRegistryOptions {
  /** Stores the last valid shapes. */
  readonly memory?: ShapeStore<RemoteShape>;
  /** If true, unreachable servers are retried later, so that a start need not wait for them. */
  readonly hasRetries?: boolean;
  /** Default: all addresses except cloud metadata services. */
  readonly outbound?: OutboundRules;
}

export class RemoteSchemaRegistry {
  readonly #client: HttpClient;
  readonly #environment: Environment;
  readonly #storedShapes: ShapeStore<RemoteShape> | undefined;
  /** Stored shapes, by name. */
  readonly #stored = new Map<string, RemoteShape>();
  readonly #isRetried: boolean;
  #imported: ImportedShapes<RemoteShape> = noImportedShapes;
  #uncheckedHosts: Catalog["network"]["tls_allowlist"] = [];

  constructor(environment: Environment, options: RemoteSchemaRegistryOptions = {}) {
    const { memory, hasRetries = false, outbound = defaultOutboundRules } = options;
    this.#environment = environment;
    this.#storedShapes = memory;
    this.#isRetried = hasRetries;
    this.#client = new HttpClient({ ...limits, outbound }, () => this.#uncheckedHosts);
  }

  /** Aborts calls in progress. */
  close(): Promise<void> {
    return this.#client.close();
  }

  /**
   * Introspects remote schemas that are new, changed or in `reload`; keeps the results of all others.
   * @param maxMilliseconds time limit for each at a start; absent if this is not a start
   */
  async introspections(
    { remote_schemas, network }: Catalog,
    known: RemoteIntrospections,
    reload: ReadonlySet<string> = new Set(),
    maxMilliseconds?: number,
  ): Promise<RemoteIntrospections> {
    this.#uncheckedHosts = network.tls_allowlist;
    if (remote_schemas.length === 0 && known.size === 0) return known;
    const entries = await Promise.all(
      remote_schemas.map(async (schema): Promise<readonly [string, IntrospectedRemoteSchema]> => {
        const before = known.get(schema.name);
        if (before !== undefined && !reload.has(schema.name) && isKnown(schema, before)) return [schema.name, before];
        const { name, definition } = schema;
        const imported = this.#imported.get(name);
        if (imported?.key === keyOf(schema)) {
          return [name, { key: imported.key, definition, introspection: { shape: imported.shape } }];
        }
        const isStart = maxMilliseconds !== undefined && this.#isRetried;
        const { response, stored } = isStart
          ? await this.#callAtStart(schema, before, maxMilliseconds)
          : { response: await this.#call(schema, maxMilliseconds), stored: undefined };
        const { introspection: found } = response;
        const key = keyOf(schema);
        // If only the headers have changed, an unreachable server must not cause the change to be refused.
        if (!response.isReceived && !reload.has(name) && before !== undefined && hasShape(schema, before)) {
          return [name, { key, definition, introspection: before.introspection }];
        }
        const stale = "error" in found ? (stored ?? (await this.#lastShape(schema, before))) : undefined;
        const introspection = stale === undefined ? found : { ...found, staleShape: stale };
        return [name, { key, definition, introspection }];
      }),
    );
    return new Map(entries);
  }

  /** Replaces introspections with shapes that another worker has just read, until the next call. */
  useImportedShapes(shapes: ImportedShapes<RemoteShape>): void {
    this.#imported = shapes;
  }

  /** Introspects a remote schema again. An invalid response is an error; `undefined` if the server does not respond. */
  async retry(schema: RemoteSchema): Promise<IntrospectedRemoteSchema | undefined> {
    const { introspection, isReceived } = await this.#call(schema, retryMilliseconds);
    return isReceived ? { key: keyOf(schema), definition: schema.definition, introspection } : undefined;
  }

  /** Stores the served shapes, for a start when a server is unreachable. */
  store(introspections: RemoteIntrospections): void {
    if (this.#storedShapes === undefined) return;
    for (const [name, { key, introspection }] of introspections) {
      if (!("shape" in introspection) || this.#stored.get(name) === introspection.shape) continue;
      this.#stored.set(name, introspection.shape);
      this.#storedShapes.store(name, key, introspection.shape);
    }
    const gone = [...this.#stored.keys()].filter((name) => !introspections.has(name));
    for (const name of gone) this.#stored.delete(name);
    if (gone.length > 0) this.#storedShapes.delete(gone);
  }

  /** Returns the last valid shape of the server at the same URL. */
  async #lastShape(
    schema: RemoteSchema,
    before: IntrospectedRemoteSchema | undefined,
  ): Promise<RemoteShape | undefined> {
    const known = before && isSameServer(schema, before) ? before.introspection : undefined;
    const shape = known && ("shape" in known ? known.shape : known.staleShape);
    return shape ?? (await this.#storedShapes?.find(schema.name, keyOf(schema)));
  }

  /** Introspects a remote schema while its stored shape is read. A stored shape shortens the time limit. */
  async #callAtStart(
    schema: RemoteSchema,
    before: IntrospectedRemoteSchema | undefined,
    maxMilliseconds: number,
  ): Promise<{ readonly response: IntrospectionResponse; readonly stored: RemoteShape | undefined }> {
    const end = performance.now() + storedShapeMilliseconds;
    const caller = { aborted: false };
    const call = this.#call(schema, maxMilliseconds, caller);
    const stored = await this.#lastShape(schema, before);
    if (stored === undefined) return { response: await call, stored };
    const timedOut = noResponse(schema, "no reply in time");
    const response = await Promise.race([call, delay(Math.max(0, end - performance.now()), timedOut)]);
    caller.aborted = true;
    return { response, stored };
  }

  async #call(schema: RemoteSchema, maxMilliseconds = Infinity, caller?: Caller): Promise<IntrospectionResponse> {
    const { definition } = schema;
    const template = definition.url ?? `{{${definition.url_from_env ?? ""}}}`;
    const headers = this.#headers(definition.headers ?? []);
    // Analysis reports missing environment variables as an inconsistency.
    if (headers === undefined || missingVariables(template, this.#environment).length > 0) return unresolved;
    const url = resolveTemplate(template, this.#environment);
    if (!URL.canParse(url)) return unresolved;
    const end = performance.now() + Math.min((definition.timeout_seconds ?? defaultSeconds) * 1000, maxMilliseconds);
    const send = async (text: string): Promise<SchemaResponse> => {
      const reply = await this.#client.call({
        method: "POST",
        url,
        headers: { "content-type": "application/json", "user-agent": "engine", ...headers },
        body: JSON.stringify({ query: text }),
        milliseconds: Math.max(1, end - performance.now()),
        caller,
      });
      return readResponse(reply.text);
    };
    try {
      return { introspection: await introspectionOf(send), isReceived: true };
    } catch (error) {
      return noResponse(schema, callFailure(error));
    }
  }

  #headers(given: readonly Header[]): Readonly<Record<string, string>> | undefined {
    const headers: Record<string, string> = {};
    for (const header of given) {
      if ("value_from_env" in header) {
        const value = this.#environment[header.value_from_env];
        if (value === undefined) return undefined;
        headers[header.name] = value;
      } else if (missingVariables(header.value, this.#environment).length > 0) return undefined;
      else headers[header.name] = resolveTemplate(header.value, this.#environment);
    }
    return headers;
  }
}

/** Result of an introspection request. */
interface IntrospectionResponse {
  readonly introspection: RemoteIntrospection;
  /** False if the server did not respond. */
  readonly isReceived: boolean;
}

function noResponse({ definition: { url, url_from_env } }: RemoteSchema, reason: string): IntrospectionResponse {
  const message = `HTTP exception occurred while sending the request to "${url ?? url_from_env}"`;
  const internal = { type: "http_exception", message: reason };
  return { introspection: { error: { message, internal } }, isReceived: false };
}

const unresolved: IntrospectionResponse = {
  introspection: { error: { message: "the definition cannot be resolved" } },
  isReceived: true,
};

/**
 * Returns true if a remote schema need not be introspected again. A remote schema with a shape is introspected only
 * after a change of its URL or headers, which may change the returned schema; a remote schema without a shape, after
 * any change.
 */
function isKnown(schema: RemoteSchema, before: IntrospectedRemoteSchema): boolean {
  if (before.definition === schema.definition) return isSameServer(schema, before);
  return (
    hasShape(schema, before) && isDeepStrictEqual(before.definition.headers ?? [], schema.definition.headers ?? [])
  );
}

/** Returns true if the last introspection of this server was successful. */
function hasShape(schema: RemoteSchema, before: IntrospectedRemoteSchema): boolean {
  return isSameServer(schema, before) && !("error" in before.introspection);
}

function isSameServer(schema: RemoteSchema, before: IntrospectedRemoteSchema | undefined): boolean {
  return before?.key === keyOf(schema);
}

function keyOf({ definition: { url, url_from_env } }: RemoteSchema): string {
  return JSON.stringify([url, url_from_env]);
}

/** `__schema` of a response, or the error of a response without it. */
type SchemaResponse = { readonly schema: JsonObject } | Extract<RemoteIntrospection, { readonly error: unknown }>;

/**
 * Introspects a server. Requests `isOneOf` only from servers whose schema has the field, because others would refuse the
 * whole query.
 * @param send sends a query; rejects if the server does not respond
 */
async function introspectionOf(send: (query: string) => Promise<SchemaResponse>): Promise<RemoteIntrospection> {
  const response = await send(query);
  if ("error" in response) return response;
  const types = typesOf(response.schema);
  if (!mayHaveOneOf(types)) return runInSlices(remoteShapeOf(response.schema));
  const flags = await send("query IntrospectionQuery { __schema { types { name isOneOf } } }");
  if ("error" in flags) return flags;
  const oneOf = new Set(typesOf(flags.schema).flatMap(({ name, isOneOf }) => (isOneOf === true ? [name] : [])));
  for (const type of types) if (oneOf.has(type.name)) type.isOneOf = true;
  return runInSlices(remoteShapeOf(response.schema));
}

type IntrospectedType = Record<string, unknown>;

function typesOf({ types }: JsonObject): readonly IntrospectedType[] {
  return Array.isArray(types) ? types.filter(isObject) : [];
}

/** Returns true if the server's schema has `isOneOf` and an input object whose fields are all optional. */
function mayHaveOneOf(types: readonly IntrospectedType[]): boolean {
  const described = types.find(({ name }) => name === "__Type")?.fields;
  if (!Array.isArray(described) || !described.some((field) => isObject(field) && field.name === "isOneOf"))
    return false;
  return types.some(({ kind, inputFields }) => {
    if (kind !== "INPUT_OBJECT" || !Array.isArray(inputFields) || inputFields.length === 0) return false;
    return inputFields.every((field) => isObject(field) && isObject(field.type) && field.type.kind !== "NON_NULL");
  });
}

/** Parses a response of any status, in slices between other requests. */
async function readResponse(text: string): Promise<SchemaResponse> {
  let body: unknown;
  try {
    body = await parseJsonInSlices(text);
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    const message = `the response of the remote server is not valid JSON: ${error.message}`;
    return { error: { message, internal: text.slice(0, 1000) } };
  }
  const schema = (body as { readonly data?: { readonly __schema?: JsonObject } } | null)?.data?.__schema;
  if (typeof schema === "object" && schema !== null) return { schema };
  const message = "the response of the remote server to the introspection query contains no schema";
  return { error: { message, internal: text.length > 10_000 ? text.slice(0, 1000) : body } };
}
