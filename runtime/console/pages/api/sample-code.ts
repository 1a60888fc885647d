/** Code of the usual clients for an operation. */
import type { GraphqlCall } from "../../http/graphql.ts";
import type { Language } from "../../parts/editor-setup.ts";

/** A header with its value, or with the environment variable that has the secret. */
export type SampleHeader = { readonly name: string } & (
  | { readonly value: string }
  | { readonly prefix: string; readonly variable: string }
);

interface SampleRequest {
  readonly url: string;
  readonly headers: readonly SampleHeader[];
  readonly call: GraphqlCall;
}

interface SampleWriter {
  readonly label: string;
  readonly language: Language;
  readonly write: (request: SampleRequest) => string;
}

const shellQuoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** Replaces other characters than those of ASCII, which JSON, JavaScript, Python and Go escape alike in strings. */
const ascii = (json: string): string =>
  json.replace(/[\u007f-\uffff]/g, (each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, "0")}`);

const quoted = (text: string): string => ascii(JSON.stringify(text));

/** Returns the body as a string literal. JSON inside of it escapes surrogates, which Go and Python refuse in literals. */
const quotedBody = (call: GraphqlCall): string => quoted(ascii(JSON.stringify(call)));

const indented = (text: string, by: string): string => text.replaceAll("\n", `\n${by}`);

const json = (value: unknown): string => JSON.stringify(value, null, 2);

const variablesOf = ({ variables }: GraphqlCall): unknown => variables ?? {};

function curl({ url, headers, call }: SampleRequest): string {
  const lines = headers.map((header) =>
    "value" in header
      ? `  -H ${shellQuoted(`${header.name}: ${header.value}`)}`
      : `  -H "${header.name}: ${header.prefix}$${header.variable}"`,
  );
  return [
    `curl ${shellQuoted(url)}`,
    "  -H 'content-type: application/json'",
    ...lines,
    `  -d ${shellQuoted(JSON.stringify(call))}`,
  ].join(" \\\n");
}

/** Returns the headers as an object of JavaScript. */
function scriptHeaders(headers: readonly SampleHeader[]): string {
  const members = headers.map((header) => {
    const value =
      "value" in header ? quoted(header.value) : `\`${header.prefix}\${process.env.${header.variable} ?? ""}\``;
    return `  ${quoted(header.name)}: ${value},\n`;
  });
  return members.length === 0 ? "{}" : `{\n${members.join("")}}`;
}

/** Returns the document as a template of JavaScript. */
const template = (text: string): string => `\`\n${text.trim().replace(/[`\\]|\$\{/g, "\\$&")}\n\``;

const script =
  (
    write: (parts: {
      readonly url: string;
      readonly headers: string;
      readonly document: string;
      readonly variables: string;
    }) => string,
  ) =>
  ({ url, headers, call }: SampleRequest): string =>
    write({
      url: quoted(url),
      headers: scriptHeaders(headers),
      document: template(call.query),
      variables: json(variablesOf(call)),
    });

const fetchCode = ({ url, headers, call }: SampleRequest): string => {
  const all = scriptHeaders([{ name: "content-type", value: "application/json" }, ...headers]);
  return `const response = await fetch(${quoted(url)}, {
  method: "POST",
  headers: ${indented(all, "  ")},
  body: JSON.stringify(${indented(json(call), "  ")}),
});
const { data, errors } = await response.json();
if (errors) throw new Error(errors[0].message);
console.log(data);
`;
};

const graphqlRequest = script(
  ({ url, headers, document, variables }) => `import { gql, GraphQLClient } from "graphql-request";

const client = new GraphQLClient(${url}, { headers: ${headers} });
const document = gql${document};
const data = await client.request(document, ${variables});
console.log(data);
`,
);

const urql = script(
  ({ url, headers, document, variables }) => `import { Client, fetchExchange, gql } from "@urql/core";

const client = new Client({
  url: ${url},
  exchanges: [fetchExchange],
  fetchOptions: { headers: ${indented(headers, "  ")} },
});
const document = gql${document};
const operation = document.definitions.find((each) => each.kind === "OperationDefinition")?.operation;
const run = operation === "mutation" ? client.mutation : client.query;
const { data, error } = await run.call(client, document, ${variables}).toPromise();
if (error) throw error;
console.log(data);
`,
);

const apollo = script(
  ({
    url,
    headers,
    document,
    variables,
  }) => `import { ApolloClient, gql, HttpLink, InMemoryCache } from "@apollo/client";

const client = new ApolloClient({
  link: new HttpLink({ uri: ${url}, headers: ${indented(headers, "  ")} }),
  cache: new InMemoryCache(),
});
const document = gql${document};
const variables = ${variables};
const isMutation = document.definitions.some((each) => "operation" in each && each.operation === "mutation");
const { data } = isMutation
  ? await client.mutate({ mutation: document, variables })
  : await client.query({ query: document, variables });
console.log(data);
`,
);

function python({ url, headers, call }: SampleRequest): string {
  const lines = headers.map((header) => {
    const value = "value" in header ? quoted(header.value) : `f"${header.prefix}{os.environ['${header.variable}']}"`;
    return `        ${quoted(header.name)}: ${value},\n`;
  });
  const readsVariables = headers.some((header) => "variable" in header);
  return `import json
${readsVariables ? "import os\n" : ""}
import requests

body = json.loads(
    ${quotedBody(call)}
)
response = requests.post(
    ${quoted(url)},
    headers={
${lines.join("")}    },
    json=body,
    timeout=30,
)
response.raise_for_status()
result = response.json()
if "errors" in result:
    raise RuntimeError(result["errors"][0]["message"])
print(result["data"])
`;
}

function go({ url, headers, call }: SampleRequest): string {
  const readsVariables = headers.some((header) => "variable" in header);
  const lines = headers.map((header) => {
    const value =
      "value" in header ? quoted(header.value) : `${quoted(header.prefix)}+os.Getenv(${quoted(header.variable)})`;
    return `\trequest.Header.Set(${quoted(header.name)}, ${value})\n`;
  });
  return `package main

import (
	"fmt"
	"io"
	"log"
	"net/http"
${readsVariables ? '\t"os"\n' : ""}	"strings"
)

func main() {
	body := ${quotedBody(call)}
	request, err := http.NewRequest("POST", ${quoted(url)}, strings.NewReader(body))
	if err != nil {
		log.Fatal(err)
	}
	request.Header.Set("content-type", "application/json")
${lines.join("")}	response, err := http.DefaultClient.Do(request)
	if err != nil {
		log.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(string(text))
}
`;
}

export const samples = {
  curl: { label: "curl", language: "text", write: curl },
  fetch: { label: "fetch", language: "typescript", write: fetchCode },
  request: { label: "graphql-request", language: "typescript", write: graphqlRequest },
  urql: { label: "urql", language: "typescript", write: urql },
  apollo: { label: "Apollo", language: "typescript", write: apollo },
  python: { label: "Python", language: "text", write: python },
  go: { label: "Go", language: "text", write: go },
} as const satisfies Readonly<Record<string, SampleWriter>>;

export type Sample = keyof typeof samples;
