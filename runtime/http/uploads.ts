/** The parts of a multipart body → requests with the files in the places of their variables. */
import { EngineError, pathTo } from "../values/errors.ts";
import { isObject } from "../values/is-object.ts";
import { parseJson, parseJsonBetweenOthers } from "../values/parse-json.ts";
import { filesIn, type UploadedFile } from "../values/uploaded-file.ts";
import { type BodyItem, type GraphqlBody, readGraphqlBody } from "./graphql-body.ts";
import type { MultipartParts } from "./multipart.ts";

/** @throws EngineError `parse-failed` where the parts do not fit together */
export async function readUploads({ operations, map: mapText, files }: MultipartParts): Promise<GraphqlBody> {
  const json = await parseJsonBetweenOthers(operations);
  const map = parseJson(mapText);
  if (!isObject(map)) throw wrong('"map" is not an object');
  const placed = new Set<unknown>();
  for (const [name, paths] of Object.entries(map)) {
    const file = files.get(name);
    if (file === undefined) throw wrong(`"map" names a file that is not there: ${JSON.stringify(name)}`);
    if (!Array.isArray(paths) || paths.length === 0) throw wrong('a member of "map" is not a list of places');
    for (const path of paths) place(json, path, file);
    placed.add(file);
  }
  if (placed.size < files.size) throw wrong('a file has no place in "map"');
  const body = readGraphqlBody(json);
  if (body.mode === "single") return { mode: "single", item: withFiles(body.item) };
  return { mode: "batched", items: body.items.map(withFiles) };
}

function withFiles(item: BodyItem): BodyItem {
  if (item instanceof EngineError) return item;
  return { ...item, files: new Set(filesIn(item.variables, "variables").map(({ file }) => file)) };
}

/** Only what stands there as `null` gives way, and only among variables. */
function place(json: unknown, path: unknown, file: UploadedFile): void {
  if (typeof path !== "string") throw wrong('a place in "map" is not a text');
  const segments = path.split(".");
  const inRequest = Array.isArray(json) ? segments.slice(1) : segments;
  const last = segments.at(-1);
  if (inRequest[0] !== "variables" || inRequest.length < 2 || last === undefined) throw wrongPlace(path);
  let container = json;
  for (const segment of segments.slice(0, -1)) container = memberOf(container, segment, path);
  if (memberOf(container, last, path) !== null) throw wrongPlace(path);
  Object.assign(Object(container), { [last]: file });
}

function memberOf(value: unknown, key: string, path: string): unknown {
  const isMember = Array.isArray(value) ? /^\d+$/.test(key) : isObject(value);
  if (!isMember || !Object.hasOwn(Object(value), key)) throw wrongPlace(path);
  return Object(value)[key];
}

function wrongPlace(path: string): EngineError {
  const shown = JSON.stringify(path.slice(0, 200));
  return wrong(`"map" names a place that is not null among the variables: ${shown}`);
}

function wrong(message: string): EngineError {
  return new EngineError("parse-failed", pathTo("$", "map"), message);
}
