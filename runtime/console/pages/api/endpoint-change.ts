/** Changes of REST endpoints as metadata operations, and their checks. */
import { Kind, parse } from "graphql";
import type { Operation } from "../../http/metadata-api.ts";
import type { Metadata, RestEndpoint } from "../../http/metadata-types.ts";
import type { RestMethod } from "../../http/rest-api.ts";

export interface EndpointDraft {
  readonly name: string;
  readonly url: string;
  readonly methods: readonly RestMethod[];
  readonly comment: string;
  readonly collection: string;
  /** Name of the saved operation. */
  readonly query: string;
}

export interface SavedOperation {
  readonly collection: string;
  readonly name: string;
  readonly query: string;
}

/** Returns the saved operations by collection and name. */
export const savedOperations = ({ query_collections: all = [] }: Metadata): readonly SavedOperation[] =>
  all.flatMap(({ name: collection, definition }) =>
    definition.queries.map(({ name, query }) => ({ collection, name, query })),
  );

export interface Signature {
  readonly operation: string;
  /** Names of its variables. */
  readonly variables: readonly string[];
}

/** Returns the only operation of a document; `null` if an endpoint cannot run the document. */
export function signatureOf(document: string): Signature | null {
  try {
    const [only, ...others] = parse(document, { noLocation: true }).definitions;
    if (only?.kind !== Kind.OPERATION_DEFINITION || others.length > 0) return null;
    const variables = (only.variableDefinitions ?? []).map(({ variable }) => variable.name.value);
    return { operation: only.operation, variables };
  } catch {
    return null;
  }
}

/** Returns a path for a new endpoint: the name of its operation, in lower case and without signs that a path cannot have. */
export const suggestedUrl = (name: string): string =>
  name
    .toLowerCase()
    .replaceAll(/[^a-z0-9_]+/g, "-")
    .replaceAll(/^-|-$/g, "");

/** Methods of a new endpoint. */
export const defaultMethods = (operation: string | undefined): readonly RestMethod[] =>
  operation === "mutation" ? ["POST"] : ["GET", "POST"];

/** Returns the reason that the server would refuse the path; `null` if there is none. */
export function urlProblem(url: string, variables: readonly string[] | null): string | null {
  if (url === "") return null;
  const names = new Set<string>();
  for (const segment of url.split("/")) {
    if (segment === "" || segment === ":") return "Remove empty segments, and slashes at the beginning and the end.";
    if (/[?#\s]/.test(segment)) return "A path contains no spaces, question marks or number signs.";
    if (!segment.startsWith(":")) continue;
    const name = segment.slice(1);
    if (names.has(name)) return `The variable ${name} occurs twice.`;
    if (variables !== null && !variables.includes(name))
      return `The operation has no variable ${name}${variables.length === 0 ? "" : `, only ${variables.join(", ")}`}.`;
    names.add(name);
  }
  return null;
}

export const creation = ({ name, url, methods, comment, collection, query }: EndpointDraft): Operation => ({
  type: "create_rest_endpoint",
  args: {
    name,
    url,
    methods,
    definition: { query: { collection_name: collection, query_name: query } },
    comment: comment === "" ? null : comment,
  },
});

export const deletion = (name: string): Operation => ({ type: "drop_rest_endpoint", args: { name } });

/** Returns one change: `bulk` applies all of its operations or none. */
export const replacement = (before: string, draft: EndpointDraft): Operation => ({
  type: "bulk",
  args: [deletion(before), creation(draft)],
});

export const draftOf = ({ name, url, methods, comment, definition: { query } }: RestEndpoint): EndpointDraft => ({
  name,
  url,
  methods: methods as readonly RestMethod[],
  comment: comment ?? "",
  collection: query.collection_name,
  query: query.query_name,
});
