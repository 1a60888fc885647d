/**
 * Encodes JSON with files as `multipart/form-data`, according to the GraphQL multipart request specification:
 * `operations`, `map`, files.
 */
import { randomBytes } from "node:crypto";
import type { FileAtPath, UploadedFile } from "../values/uploaded-file.ts";
import type { HttpCall } from "./http-call.ts";

/**
 * Encodes a request.
 * @param json JSON text with `null` in the positions of the files
 */
export function multipartBody(
  json: string,
  files: readonly FileAtPath[],
): { readonly headers: Readonly<Record<string, string>>; readonly bytes: NonNullable<HttpCall["bytes"]> } {
  const boundary = `engine-${randomBytes(24).toString("hex")}`;
  const pathsOf = new Map<UploadedFile, string[]>();
  for (const { path, file } of files) pathsOf.set(file, [...(pathsOf.get(file) ?? []), path]);
  const numbered = [...pathsOf].map(([file, paths], i) => ({ key: String(i), file, paths }));
  const map = JSON.stringify(Object.fromEntries(numbered.map(({ key, paths }) => [key, paths])));
  const field = (name: string, text: string): Buffer =>
    Buffer.from(`--${boundary}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${text}\r\n`);
  const end = Buffer.from("\r\n");
  const bytes = [
    field("operations", json),
    field("map", map),
    ...numbered.flatMap(({ key, file: { parts } }) => {
      const disposition = `form-data; name="${key}"; filename="${quoted(parts.name)}"`;
      const head = `--${boundary}\r\ncontent-disposition: ${disposition}\r\ncontent-type: ${parts.type}\r\n\r\n`;
      return [Buffer.from(head), ...parts.chunks, end];
    }),
    Buffer.from(`--${boundary}--\r\n`),
  ];
  const length = bytes.reduce((sum, chunk) => sum + chunk.length, 0);
  const headers = { "content-type": `multipart/form-data; boundary=${boundary}`, "content-length": String(length) };
  return { headers, bytes };
}

const escapes: Readonly<Record<string, string>> = { "\r": "%0D", "\n": "%0A", '"': "%22" };

/** Escapes a file name as browsers do. */
const quoted = (name: string): string => name.replace(/[\r\n"]/g, (character) => escapes[character] ?? "");
