/** A multipart body → its parts, as the GraphQL multipart request specification names them. */
import { EngineError } from "../values/errors.ts";
import { UploadedFile } from "../values/uploaded-file.ts";

export interface MultipartParts {
  /** JSON texts. */
  readonly operations: string;
  readonly map: string;
  /** By the names of their parts. */
  readonly files: ReadonlyMap<string, UploadedFile>;
}

export interface MultipartLimits {
  readonly files: number;
  /** Of one file. */
  readonly fileBytes: number;
  /** Of `operations`, and of `map`. */
  readonly textBytes: number;
}

/** Whether a body is sent in parts. */
export const isMultipart = (contentType: string | undefined): boolean =>
  contentType !== undefined && /^\s*multipart\/form-data\s*(?:;|$)/i.test(contentType);

/** Loads the library that reads bodies in parts. A server does so as it starts (`loadConnections`). */
export function loadMultipart(): Promise<{ readonly default: typeof import("@fastify/busboy").default }> {
  // A CommonJS module has no other export once it is bundled.
  loading ??= import("@fastify/busboy");
  return loading;
}

let loading: ReturnType<typeof loadMultipart> | undefined;

const mediaType = /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+$/;
/** A part needs two. */
const mostHeaders = 20;

/** @throws EngineError `parse-failed`, with status 413 for more than the limits allow; a promise is rejected with it */
export async function readMultipart(
  bytes: Buffer,
  contentType: string,
  { files: mostFiles, fileBytes, textBytes }: MultipartLimits,
): Promise<MultipartParts> {
  const { default: Busboy } = await loadMultipart();
  const texts = new Map<string, string>();
  const files = new Map<string, UploadedFile>();
  await new Promise<void>((resolve, reject) => {
    const refuse = (error: unknown): void => {
      reject(error instanceof EngineError ? error : malformed(reasonOf(error)));
    };
    let parser: InstanceType<typeof Busboy>;
    try {
      parser = new Busboy({
        headers: { "content-type": contentType },
        limits: {
          fields: 2,
          fieldSize: textBytes,
          files: mostFiles,
          fileSize: fileBytes,
          parts: mostFiles + 2,
          headerPairs: mostHeaders,
        },
      });
    } catch (error) {
      return refuse(error);
    }
    parser.on("field", (name, text, isNameCut, isCut) => {
      if (isNameCut) return refuse(malformed("the name of a part is too long"));
      if (isCut) return refuse(tooMuch(`the part "${name}" is longer than ${textBytes} bytes`));
      if (texts.has(name)) return refuse(malformed(`there are several parts "${name}"`));
      texts.set(name, text);
    });
    parser.on("file", (name: string | undefined, stream, fileName, _, type) => {
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("error", refuse);
      stream.on("limit", () => refuse(tooMuch(`a file is longer than ${fileBytes} bytes (--max-upload-file-bytes)`)));
      stream.on("end", () => {
        if (!name) return refuse(malformed("a file has no name"));
        if (files.has(name)) return refuse(malformed("there are several files under one name"));
        const parts = { name: fileName ?? "", type: mediaType.test(type) ? type : "application/octet-stream", chunks };
        files.set(name, new UploadedFile(parts));
      });
    });
    const tooMany = (): void => refuse(tooMuch(`the body has more than ${mostFiles} files (--max-upload-files)`));
    parser.on("filesLimit", tooMany);
    parser.on("partsLimit", tooMany);
    parser.on("fieldsLimit", () => refuse(malformed('besides files there are only "operations" and "map"')));
    parser.on("error", refuse);
    parser.on("finish", resolve);
    parser.end(bytes);
  });
  const text = (name: string): string => {
    const found = texts.get(name);
    if (found === undefined) throw malformed(`there is no part "${name}"`);
    return found;
  };
  return { operations: text("operations"), map: text("map"), files };
}

function malformed(reason: string): EngineError {
  return new EngineError("parse-failed", "$", `the multipart body cannot be read: ${reason}`);
}

function tooMuch(message: string): EngineError {
  return new EngineError("bad-request", "$", message, { status: 413 });
}

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
