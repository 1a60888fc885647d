/**
 * The servers behind remote schemas: asked what they offer when they are new, changed or reloaded (`automation.md` E.2).
 * What cannot be asked keeps what it said before.
 */
import { getIntrospectionQuery } from "graphql";
import { readRemoteShape } from "../../compiler/1-introspect/read-remote-shape.ts";
import type { Catalog } from "../../compiler/catalog/catalog.ts";
import type { Header, JsonObject } from "../../compiler/catalog/model.ts";
import type { RemoteSchema } from "../../compiler/catalog/outside-sources.ts";
import type { RemoteIntrospection } from "../../compiler/shape/remote-shape.ts";
import { callFailure, HttpClient } from "../deliver/http-client.ts";
import { missingVariables, resolveTemplate } from "../values/environment-template.ts";

export interface IntrospectedRemoteSchema {
  /** Where it was asked: elsewhere it has to be asked again. */
  readonly key: string;
  readonly definition: RemoteSchema["definition"];
  readonly introspection: RemoteIntrospection;
}

export type RemoteIntrospections = ReadonlyMap<string, IntrospectedRemoteSchema>;

type Environment = Readonly<Record<string, string | undefined>>;

const defaultSeconds = 60;
/** Without what older servers do not know. */
const query = getIntrospectionQuery({ descriptions: true });

const limits = {
  milliseconds: defaultSeconds * 1000,
  connections: 10,
  callsAtOnce: 1000,
  responseBytes: 64 * 1024 * 1024,
  redirects: 0,
};

export class RemoteSchemaRegistry {
  readonly #client: HttpClient;
  readonly #environment: Environment;
  #uncheckedHosts: Catalog["network"]["tls_allowlist"] = [];

  constructor(environment: Environment) {
    this.#environment = environment;
    this.#client = new HttpClient(limits, () => this.#uncheckedHosts);
  }

  /** Ends calls in progress. */
  close(): Promise<void> {
    return this.#client.close();
  }

  /** Asks the servers that are new, changed or in `reload`; keeps what is known of the others. */
  async introspections(
    { remote_schemas, network }: Catalog,
    known: RemoteIntrospections,
    reload: ReadonlySet<string> = new Set(),
  ): Promise<RemoteIntrospections> {
    this.#uncheckedHosts = network.tls_allowlist;
    if (remote_schemas.length === 0 && known.size === 0) return known;
    const entries = await Promise.all(
      remote_schemas.map(async (schema): Promise<readonly [string, IntrospectedRemoteSchema]> => {
        const before = known.get(schema.name);
        if (before !== undefined && !reload.has(schema.name) && isKnown(schema, before)) return [schema.name, before];
        const { definition } = schema;
        const introspection = orStale(await this.#ask(schema), isSameServer(schema, before) ? before : undefined);
        return [schema.name, { key: keyOf(schema), definition, introspection }];
      }),
    );
    return new Map(entries);
  }

  async #ask({ definition }: RemoteSchema): Promise<RemoteIntrospection> {
    const template = definition.url ?? `{{${definition.url_from_env ?? ""}}}`;
    const headers = this.#headers(definition.headers ?? []);
    // What the environment lacks is an inconsistency that the analysis finds; there is nobody to ask.
    if (headers === undefined || missingVariables(template, this.#environment).length > 0) {
      return { error: { message: "the definition cannot be resolved" } };
    }
    const url = resolveTemplate(template, this.#environment);
    if (!URL.canParse(url)) return { error: { message: "the definition cannot be resolved" } };
    try {
      const { text } = await this.#client.call({
        method: "POST",
        url,
        headers: { "content-type": "application/json", "user-agent": "engine", ...headers },
        body: JSON.stringify({ query }),
        milliseconds: (definition.timeout_seconds ?? defaultSeconds) * 1000,
      });
      return readAnswer(text);
    } catch (error) {
      const shown = definition.url ?? definition.url_from_env;
      const message = `HTTP exception occurred while sending the request to "${shown}"`;
      return { error: { message, internal: { type: "http_exception", message: callFailure(error) } } };
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

/** A server that answered is asked again only at another address; one that did not, after any change. */
function isKnown(schema: RemoteSchema, before: IntrospectedRemoteSchema): boolean {
  return (
    isSameServer(schema, before) && (!("error" in before.introspection) || before.definition === schema.definition)
  );
}

function isSameServer(schema: RemoteSchema, before: IntrospectedRemoteSchema | undefined): boolean {
  return before?.key === keyOf(schema);
}

function keyOf({ definition: { url, url_from_env } }: RemoteSchema): string {
  return JSON.stringify([url, url_from_env]);
}

function orStale(found: RemoteIntrospection, before: IntrospectedRemoteSchema | undefined): RemoteIntrospection {
  if (!("error" in found) || before === undefined) return found;
  const { introspection } = before;
  const stale = "shape" in introspection ? introspection.shape : introspection.staleShape;
  return stale === undefined ? found : { ...found, staleShape: stale };
}

/** The body alone counts, whatever its status. */
function readAnswer(text: string): RemoteIntrospection {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return { error: { message: "the answer of the remote server is not JSON", internal: text.slice(0, 1000) } };
  }
  const schema = (body as { readonly data?: { readonly __schema?: JsonObject } } | null)?.data?.__schema;
  if (typeof schema === "object" && schema !== null) return readRemoteShape(schema);
  const message = "the answer of the remote server to the introspection query has no schema";
  return { error: { message, internal: body } };
}
