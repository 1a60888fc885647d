/** Servers and clients of GraphQL multipart requests, with the form parser of Node. */
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { buildSchema, graphql } from "graphql";

/** A multipart request as parsed by a remote schema's server or an action handler. */
export interface ReadUpload {
  readonly headers: IncomingHttpHeaders;
  readonly operations: unknown;
  readonly map: unknown;
  readonly files: Readonly<Record<string, { readonly name: string; readonly type: string; readonly text: string }>>;
}

export interface UploadServer {
  readonly url: string;
  /** All requests so far. */
  readonly uploads: ReadUpload[];
  close(): Promise<void>;
}

/**
 * Starts a server.
 * @param sdl SDL of its schema; `null` for an HTTP server without GraphQL
 * @param answer response to a multipart request
 */
export async function startUploadServer(
  sdl: string | null,
  answer: (upload: ReadUpload) => unknown,
): Promise<UploadServer> {
  const schema = sdl === null ? null : buildSchema(sdl);
  const uploads: ReadUpload[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = Buffer.concat(chunks);
    const type = request.headers["content-type"] ?? "";
    if (!type.startsWith("multipart/")) {
      const { query: source, variables } = JSON.parse(body.toString()) as {
        query: string;
        variables: object;
      };
      response.end(
        JSON.stringify(schema ? await graphql({ schema, source, variableValues: { ...variables } }) : answer(noParts)),
      );
      return;
    }
    const form = await new Response(body, { headers: { "content-type": type } }).formData();
    const files: Record<string, ReadUpload["files"][string]> = {};
    for (const [key, value] of form) {
      if (typeof value !== "string") files[key] = { name: value.name, type: value.type, text: await value.text() };
    }
    const json = (name: string): unknown => JSON.parse(String(form.get(name)));
    const upload = { headers: request.headers, operations: json("operations"), map: json("map"), files };
    uploads.push(upload);
    response.end(JSON.stringify(answer(upload)));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    uploads,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const noParts: ReadUpload = { headers: {}, operations: null, map: null, files: {} };

/** The parts of a form in order: texts or files. */
export type Parts = readonly (readonly [name: string, value: unknown, fileName?: string])[];

/** Sends a form; values other than text and files are sent as JSON. */
export async function postParts(
  url: string,
  parts: Parts,
  headers: Record<string, string> = {},
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
): Promise<{ readonly status: number; readonly json: any }> {
  const form = new FormData();
  for (const [name, value, fileName] of parts) {
    if (value instanceof Blob) form.append(name, value, fileName);
    else form.append(name, typeof value === "string" ? value : JSON.stringify(value));
  }
  const response = await fetch(url, { method: "POST", body: form, headers });
  return { status: response.status, json: await response.json() };
}

export const fileOf = (text: string, type = "text/plain"): Blob => new Blob([text], { type });
