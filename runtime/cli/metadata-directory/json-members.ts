/** Members of exported metadata; what is left out is empty. */
import type { Json, JsonObject } from "../../../compiler/catalog/model.ts";
import { isObject } from "../../values/is-object.ts";

export function objects(value: Json | undefined): readonly JsonObject[] {
  return Array.isArray(value) ? value : [];
}

export function asObject(value: Json | undefined): JsonObject {
  return isObject<Json>(value) ? value : {};
}
