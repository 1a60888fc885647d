/** JSON with files → a body as the GraphQL multipart request specification has it: `operations`, `map`, the files. */
import { randomBytes } from "node:crypto";
import type { PlacedFile, UploadedFile } from "../values/uploaded-file.ts";
import type { HttpCall } from "./http-call.ts";

/** @param json with `null` in the places of the files */
export function multipartBody(
  json: string,
  files: readonly PlacedFile[],
): { readonly headers: Readonly<Record<string, string>>; readonly bytes: NonNullable<HttpCall["bytes"]> } {
  const boundary = `engine-${randomBytes(24).toString("hex")}`;
  const places = new Map<UploadedFile, string[]>();
  for (const { path, file } of files) places.set(file, [...(places.get(file) ?? []), path]);
  const numbered = [...places].map(([file, paths], i) => ({ key: String(i), file, paths }));
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

/** As browsers write it. */
const quoted = (name: string): string => name.replace(/[\r\n"]/g, (character) => escapes[character] ?? "");
