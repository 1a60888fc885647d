/** Parses multipart bodies according to the GraphQL multipart request specification. */

import { EngineError } from "../values/errors.ts";
import { messageOf } from "../values/message-of.ts";
import { UploadedFile } from "../values/uploaded-file.ts";

export interface MultipartParts {
  /** JSON text. */
  readonly operations: string;
  /** JSON text. */
  readonly map: string;
  /** By part name. */
  readonly files: ReadonlyMap<string, UploadedFile>;
}

export interface MultipartLimits {
  readonly files: number;
  /** Limit in bytes for one file. */
  readonly fileBytes: number;
  /** Limit in bytes for `operations` and for `map`. */
  readonly textBytes: number;
}

export const isMultipart = (contentType: string | undefined): boolean =>
  contentType !== undefined && /^\s*multipart\/form-data\s*(?:;|$)/i.test(contentType);

/** Loads the multipart parser. The server does so at start-up (`loadConnections`). */
export function loadMultipart(): Promise<{ readonly default: typeof import("@fastify/busboy").default }> {
  // In a bundle, a CommonJS module has only a default export.
  loading ??= import("@fastify/busboy");
  return loading;
}

let loading: ReturnType<typeof loadMultipart> | undefined;

const mediaType = /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+$/;
/** Maximum number of headers of a part. A part needs two. */
const maxHeaders = 20;

/** @throws EngineError `parse-failed`, or `bad-request` with status 413 if the body exceeds a limit */
export async function readMultipart(
  bytes: Buffer,
  contentType: string,
  { files: maxFiles, fileBytes, textBytes }: MultipartLimits,
): Promise<MultipartParts> {
  const { default: Busboy } = await loadMultipart();
  const texts = new Map<string, string>();
  const files = new Map<string, UploadedFile>();
  await new Promise<void>((resolve, reject) => {
    const refuse = (error: unknown): void => {
      reject(error instanceof EngineError ? error : malformed(messageOf(error)));
    };
    let parser: InstanceType<typeof Busboy>;
    try {
      parser = new Busboy({
        headers: { "content-type": contentType },
        limits: {
          fields: 2,
          fieldSize: textBytes,
          files: maxFiles,
          fileSize: fileBytes,
          parts: maxFiles + 2,
          headerPairs: maxHeaders,
        },
      });
    } catch (error) {
      return refuse(error);
    }
    parser.on("field", (name, text, isNameCut, isCut) => {
      if (isNameCut) return refuse(malformed("the name of a part is too long"));
      if (isCut) return refuse(tooMuch(`the part "${name}" is longer than ${textBytes} bytes`));
      if (texts.has(name)) return refuse(malformed(`the part "${name}" occurs more than once`));
      texts.set(name, text);
    });
    parser.on("file", (name: string | undefined, stream, fileName, _, type) => {
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("error", refuse);
      stream.on("limit", () => refuse(tooMuch(`a file is longer than ${fileBytes} bytes (--max-upload-file-bytes)`)));
      stream.on("end", () => {
        if (!name) return refuse(malformed("the part of a file has no name"));
        if (files.has(name)) return refuse(malformed(`the part "${name}" occurs more than once`));
        const parts = { name: fileName ?? "", type: mediaType.test(type) ? type : "application/octet-stream", chunks };
        files.set(name, new UploadedFile(parts));
      });
    });
    const tooMany = (): void => refuse(tooMuch(`the body has more than ${maxFiles} files (--max-upload-files)`));
    parser.on("filesLimit", tooMany);
    parser.on("partsLimit", tooMany);
    parser.on("fieldsLimit", () =>
      refuse(malformed('unexpected field; the only fields besides files are "operations" and "map"')),
    );
    parser.on("error", refuse);
    parser.on("finish", resolve);
    parser.end(bytes);
  });
  const text = (name: string): string => {
    const found = texts.get(name);
    if (found === undefined) throw malformed(`the part "${name}" is missing`);
    return found;
  };
  return { operations: text("operations"), map: text("map"), files };
}

function malformed(reason: string): EngineError {
  return new EngineError("parse-failed", "$", `malformed multipart body: ${reason}`);
}

function tooMuch(message: string): EngineError {
  return new EngineError("bad-request", "$", message, { status: 413 });
}
