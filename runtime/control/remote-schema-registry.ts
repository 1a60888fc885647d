/**
 * The servers behind remote schemas: asked what they offer when they are new, changed or reloaded (`automation.md` E.2).
 * What cannot be asked keeps what it said before.
 */
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
import { inSlices } from "../values/interruptible.ts";
import { type OutboundRules, usualOutboundRules } from "../values/outbound-rules.ts";
import { parseJsonBetweenOthers } from "../values/parse-json.ts";
import type { ShapeMemory } from "./kept-shapes.ts";
import { nothingOffered, type OfferedShapes } from "./offered-shapes.ts";

export interface IntrospectedRemoteSchema {
  /** Where it was asked: elsewhere it has to be asked again. */
  readonly key: string;
  readonly definition: RemoteSchema["definition"];
  readonly introspection: RemoteIntrospection;
}

export type RemoteIntrospections = ReadonlyMap<string, IntrospectedRemoteSchema>;

type Environment = Readonly<Record<string, string | undefined>>;

const defaultSeconds = 60;
/** How long a start waits for a server whose last answer is kept. */
const shortMilliseconds = 75;
/** A server that is silent must not keep others from being asked again, nor the engine from ending. */
const againMilliseconds = 15_000;
/** Without what older servers do not know. */
const query = getIntrospectionQuery({ descriptions: true });

const limits = {
  milliseconds: defaultSeconds * 1000,
  connections: 10,
  callsAtOnce: 1000,
  responseBytes: 32 * 1024 * 1024,
  redirects: 0,
};

export interface RemoteSchemaRegistryOptions {
  /** What servers offered when they last answered; absent: nothing is kept. */
  readonly memory?: ShapeMemory<RemoteShape>;
  /** Servers that did not answer are asked again by themselves, so that a start need not wait for them. */
  readonly areAskedAgain?: boolean;
  /** Where servers may be; absent: everywhere but where credentials are given away. */
  readonly outbound?: OutboundRules;
}

export class RemoteSchemaRegistry {
  readonly #client: HttpClient;
  readonly #environment: Environment;
  readonly #memory: ShapeMemory<RemoteShape> | undefined;
  /** What is kept, by name. */
  readonly #remembered = new Map<string, RemoteShape>();
  readonly #areAskedAgain: boolean;
  #offered: OfferedShapes<RemoteShape> = nothingOffered;
  #uncheckedHosts: Catalog["network"]["tls_allowlist"] = [];

  constructor(environment: Environment, options: RemoteSchemaRegistryOptions = {}) {
    const { memory, areAskedAgain = false, outbound = usualOutboundRules } = options;
    this.#environment = environment;
    this.#memory = memory;
    this.#areAskedAgain = areAskedAgain;
    this.#client = new HttpClient({ ...limits, outbound }, () => this.#uncheckedHosts);
  }

  /** Ends calls in progress. */
  close(): Promise<void> {
    return this.#client.close();
  }

  /**
   * Asks the servers that are new, changed or in `reload`; keeps what is known of the others.
   * @param mostMilliseconds how long a start waits for any of them, where nothing is known of it; absent: no start
   */
  async introspections(
    { remote_schemas, network }: Catalog,
    known: RemoteIntrospections,
    reload: ReadonlySet<string> = new Set(),
    mostMilliseconds?: number,
  ): Promise<RemoteIntrospections> {
    this.#uncheckedHosts = network.tls_allowlist;
    if (remote_schemas.length === 0 && known.size === 0) return known;
    const entries = await Promise.all(
      remote_schemas.map(async (schema): Promise<readonly [string, IntrospectedRemoteSchema]> => {
        const before = known.get(schema.name);
        if (before !== undefined && !reload.has(schema.name) && isKnown(schema, before)) return [schema.name, before];
        const { name, definition } = schema;
        const offered = this.#offered.get(name);
        if (offered?.key === keyOf(schema)) {
          return [name, { key: offered.key, definition, introspection: { shape: offered.shape } }];
        }
        const isStart = mostMilliseconds !== undefined && this.#areAskedAgain;
        const { asked, kept } = isStart
          ? await this.#askAtStart(schema, before, mostMilliseconds)
          : { asked: await this.#ask(schema, mostMilliseconds), kept: undefined };
        const { introspection: found } = asked;
        const key = keyOf(schema);
        // Only other headers made it be asked: that it is away must not refuse the change.
        if (!asked.hasAnswered && !reload.has(name) && before !== undefined && hasShape(schema, before)) {
          return [name, { key, definition, introspection: before.introspection }];
        }
        const stale = "error" in found ? (kept ?? (await this.#lastShape(schema, before))) : undefined;
        const introspection = stale === undefined ? found : { ...found, staleShape: stale };
        return [name, { key, definition, introspection }];
      }),
    );
    return new Map(entries);
  }

  /** Takes these in place of asking, from now on: another process of the server has just asked. */
  offer(shapes: OfferedShapes<RemoteShape>): void {
    this.#offered = shapes;
  }

  /** Introspects one of them once more; an answer that cannot be used is an error. `undefined`: there is no answer. */
  async askAgain(schema: RemoteSchema): Promise<IntrospectedRemoteSchema | undefined> {
    const { introspection, hasAnswered } = await this.#ask(schema, againMilliseconds);
    return hasAnswered ? { key: keyOf(schema), definition: schema.definition, introspection } : undefined;
  }

  /** Keeps what servers offered for a start when they cannot be reached. */
  remember(introspections: RemoteIntrospections): void {
    if (this.#memory === undefined) return;
    for (const [name, { key, introspection }] of introspections) {
      if (!("shape" in introspection) || this.#remembered.get(name) === introspection.shape) continue;
      this.#remembered.set(name, introspection.shape);
      this.#memory.keep(name, key, introspection.shape);
    }
    const gone = [...this.#remembered.keys()].filter((name) => !introspections.has(name));
    for (const name of gone) this.#remembered.delete(name);
    if (gone.length > 0) this.#memory.forget(gone);
  }

  /** What the server offered when it last answered, at the same address. */
  async #lastShape(
    schema: RemoteSchema,
    before: IntrospectedRemoteSchema | undefined,
  ): Promise<RemoteShape | undefined> {
    const known = before && isSameServer(schema, before) ? before.introspection : undefined;
    const shape = known && ("shape" in known ? known.shape : known.staleShape);
    return shape ?? (await this.#memory?.find(schema.name, keyOf(schema)));
  }

  /** Asks, and looks meanwhile whether an earlier answer is kept: for a server that has one, a start does not wait long. */
  async #askAtStart(
    schema: RemoteSchema,
    before: IntrospectedRemoteSchema | undefined,
    mostMilliseconds: number,
  ): Promise<{ readonly asked: Asked; readonly kept: RemoteShape | undefined }> {
    const patience = performance.now() + shortMilliseconds;
    const caller = { aborted: false };
    const asking = this.#ask(schema, mostMilliseconds, caller);
    const kept = await this.#lastShape(schema, before);
    if (kept === undefined) return { asked: await asking, kept };
    const late = noAnswer(schema, "no reply in time");
    const asked = await Promise.race([asking, delay(Math.max(0, patience - performance.now()), late)]);
    caller.aborted = true;
    return { asked, kept };
  }

  async #ask(schema: RemoteSchema, mostMilliseconds = Infinity, caller?: Caller): Promise<Asked> {
    const { definition } = schema;
    const template = definition.url ?? `{{${definition.url_from_env ?? ""}}}`;
    const headers = this.#headers(definition.headers ?? []);
    // What the environment lacks is an inconsistency that the analysis finds; there is nobody to ask.
    if (headers === undefined || missingVariables(template, this.#environment).length > 0) return unresolved;
    const url = resolveTemplate(template, this.#environment);
    if (!URL.canParse(url)) return unresolved;
    try {
      const { text } = await this.#client.call({
        method: "POST",
        url,
        headers: { "content-type": "application/json", "user-agent": "engine", ...headers },
        body: JSON.stringify({ query }),
        milliseconds: Math.min((definition.timeout_seconds ?? defaultSeconds) * 1000, mostMilliseconds),
        caller,
      });
      return { introspection: await readAnswer(text), hasAnswered: true };
    } catch (error) {
      return noAnswer(schema, callFailure(error));
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

/** What a server made of a request for what it offers. */
interface Asked {
  readonly introspection: RemoteIntrospection;
  /** False: nobody knows what it would say. */
  readonly hasAnswered: boolean;
}

function noAnswer({ definition: { url, url_from_env } }: RemoteSchema, reason: string): Asked {
  const message = `HTTP exception occurred while sending the request to "${url ?? url_from_env}"`;
  const internal = { type: "http_exception", message: reason };
  return { introspection: { error: { message, internal } }, hasAnswered: false };
}

const unresolved: Asked = {
  introspection: { error: { message: "the definition cannot be resolved" } },
  hasAnswered: true,
};

/**
 * A server that answered is asked again only at another address, or with other headers, for which it may offer something
 * else; one that did not, after any change.
 */
function isKnown(schema: RemoteSchema, before: IntrospectedRemoteSchema): boolean {
  if (before.definition === schema.definition) return isSameServer(schema, before);
  return (
    hasShape(schema, before) && isDeepStrictEqual(before.definition.headers ?? [], schema.definition.headers ?? [])
  );
}

/** Whether this server said what it offers when it was last asked. */
function hasShape(schema: RemoteSchema, before: IntrospectedRemoteSchema): boolean {
  return isSameServer(schema, before) && !("error" in before.introspection);
}

function isSameServer(schema: RemoteSchema, before: IntrospectedRemoteSchema | undefined): boolean {
  return before?.key === keyOf(schema);
}

function keyOf({ definition: { url, url_from_env } }: RemoteSchema): string {
  return JSON.stringify([url, url_from_env]);
}

/** The body alone counts, whatever its status. It is read between other requests. */
async function readAnswer(text: string): Promise<RemoteIntrospection> {
  let body: unknown;
  try {
    body = await parseJsonBetweenOthers(text);
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    const message = `the answer of the remote server is not JSON that the engine reads: ${error.message}`;
    return { error: { message, internal: text.slice(0, 1000) } };
  }
  const schema = (body as { readonly data?: { readonly __schema?: JsonObject } } | null)?.data?.__schema;
  if (typeof schema === "object" && schema !== null) return inSlices(remoteShapeOf(schema));
  const message = "the answer of the remote server to the introspection query has no schema";
  return { error: { message, internal: text.length > 10_000 ? text.slice(0, 1000) : body } };
}
