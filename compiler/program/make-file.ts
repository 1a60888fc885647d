/** A recipe → its file, which is taken from an earlier program where what it is made from is the same. */
import { sameValue } from "../3-lower/same-value.ts";
import { type GeneratedFile, generatedFile } from "./generated-file.ts";
import type { ProgramCache } from "./program-cache.ts";
import type { Recipe } from "./recipe.ts";

export interface MadeFile {
  readonly inputs: unknown;
  readonly file: GeneratedFile;
}

/** @param isPassing whether the cache keeps a file that had to be made among those of walks */
export function makeFile(
  path: string,
  recipe: Recipe,
  cache: ProgramCache<MadeFile>,
  isPassing = false,
): GeneratedFile {
  const inputs = recipe.inputs();
  const known = cache.get(path);
  if (known && sameValue(known.inputs, inputs)) return known.file;
  const file = generatedFile(path, recipe.text(inputs));
  const made = { inputs, file };
  if (isPassing) cache.setPassing(path, made);
  else cache.set(path, made);
  return file;
}
