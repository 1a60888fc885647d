/** `resources/list`, `resources/templates/list` and `resources/read`: schema, operations of tools, and manual. */
import { buildClientSchema, getIntrospectionQuery, type IntrospectionQuery, printSchema } from "graphql";
import { EngineError } from "../../values/errors.ts";
import { quoted } from "../../values/quoted.ts";
import { decoded } from "../../values/response-text.ts";
import type { Exchange, Method } from "./exchange.ts";
import { invalidParams } from "./mcp-error.ts";
import { pageOf } from "./pages.ts";
import { completeResult } from "./result-text.ts";
import { visibleTools } from "./visible-tools.ts";

interface Resource {
  readonly uri: string;
  readonly name: string;
  readonly title: string;
  readonly description?: string;
  readonly mimeType: string;
}

const schemaUri = "engine:///schema.graphql";
const operations = { prefix: "engine:///operations/", end: ".graphql" };
const manual = { prefix: "engine:///manual/", end: ".md" };
const types = { graphql: "application/graphql", markdown: "text/markdown" };

export const listResources: Method = async (exchange) => {
  const { params, dialect, meta } = exchange;
  const resources = [...operationResources(exchange), ...(await manualResources(exchange)), schemaResource];
  resources.sort((a, b) => (a.uri < b.uri ? -1 : 1));
  const { text, next } = pageOf(resources, params, { key: ({ uri }) => uri, print: (item) => JSON.stringify(item) });
  return completeResult(`"resources":[${text}]${next}`, dialect, meta, true);
};

const schemaResource: Resource = {
  uri: schemaUri,
  name: "schema.graphql",
  title: "GraphQL schema of the role",
  description: "Everything that the role may read and change, as SDL",
  mimeType: types.graphql,
};

function operationResources({ services, settings, admitted }: Exchange): readonly Resource[] {
  return visibleTools(services.agentTools, settings, admitted.session).flatMap((each) => {
    if (each.kind !== "saved") return [];
    const { name } = each;
    const title = `Operation of the tool ${name}`;
    return [{ uri: uriOf(operations, name), name: `${name}.graphql`, title, mimeType: types.graphql }];
  });
}

async function manualResources({ settings }: Exchange): Promise<readonly Resource[]> {
  const pages = (await settings.manual?.()) ?? new Map();
  return [...pages].map(([path, { title }]) => {
    return { uri: uriOf(manual, path), name: `${path}.md`, title, mimeType: types.markdown };
  });
}

const uriOf = ({ prefix, end }: typeof manual, name: string): string => `${prefix}${name}${end}`;

/** Returns the name in a URI; `undefined` if the URI has another form. */
function nameIn(uri: string, { prefix, end }: typeof manual): string | undefined {
  return uri.startsWith(prefix) && uri.endsWith(end) ? uri.slice(prefix.length, -end.length) : undefined;
}

export const listTemplates: Method = ({ params, settings, dialect, meta }) => {
  const templates = [
    ...(settings.manual === undefined ? [] : [template(manual, "{+page}", "Page of the manual", types.markdown)]),
    template(operations, "{tool}", "Operation of a tool", types.graphql),
  ];
  const print = (item: object): string => JSON.stringify(item);
  const { text, next } = pageOf(templates, params, { key: ({ uriTemplate }) => uriTemplate, print });
  return completeResult(`"resourceTemplates":[${text}]${next}`, dialect, meta, true);
};

function template({ prefix, end }: typeof manual, variable: string, title: string, mimeType: string) {
  return { uriTemplate: `${prefix}${variable}${end}`, name: `${variable}${end}`, title, mimeType };
}

export const readResource: Method = async (exchange) => {
  const { uri } = exchange.params;
  if (typeof uri !== "string") throw invalidParams('"uri" is not a string');
  const found = await contentOf(exchange, uri);
  if (found === undefined) {
    const shown = uri.slice(0, 200);
    throw invalidParams(`unknown resource ${quoted(shown)}; list the resources again`, { uri: shown });
  }
  const contents = JSON.stringify([{ uri, mimeType: found.mimeType, text: found.text }]);
  return completeResult(`"contents":${contents}`, exchange.dialect, exchange.meta, true);
};

async function contentOf(
  exchange: Exchange,
  uri: string,
): Promise<{ readonly mimeType: string; readonly text: string } | undefined> {
  if (uri === schemaUri) return { mimeType: types.graphql, text: await schemaText(exchange) };
  const tool = nameIn(uri, operations);
  if (tool !== undefined) {
    const { services, settings, admitted } = exchange;
    const found = visibleTools(services.agentTools, settings, admitted.session).find(({ name }) => name === tool);
    return found?.kind === "saved" ? { mimeType: types.graphql, text: found.tool.tool.operation.text } : undefined;
  }
  const path = nameIn(uri, manual);
  const page = path === undefined ? undefined : (await exchange.settings.manual?.())?.get(path);
  return page && { mimeType: types.markdown, text: page.text };
}

/** Limit in characters of the introspection, whose conversion blocks other requests. */
const maxIntrospectionLength = 2 * 1024 * 1024;

/**
 * Returns the schema as SDL. It comes from an introspection with the session of the caller, so that all limits of
 * introspection apply.
 * @throws EngineError if the role may not introspect, or the schema is too large
 */
async function schemaText({ services, admitted, request, collected }: Exchange): Promise<string> {
  const query = getIntrospectionQuery({ oneOf: true });
  const { caller } = request;
  const described = { query, operationName: null, variables: null };
  const data = await decoded(await services.graphql.execute(described, admitted, caller, collected));
  if (data.length > maxIntrospectionLength) {
    throw new EngineError("not-supported", "$", "the schema is too large for one resource; use the tool describe");
  }
  return printSchema(buildClientSchema(JSON.parse(data) as IntrospectionQuery, { assumeValid: true }));
}
