/** A field whose types are read when a request asks for it. */
import type { OutputField } from "./types.ts";

/** @param meta what the field is, where that is known before its types are */
export function delayedField(field: () => OutputField, meta?: OutputField["meta"]): OutputField {
  return {
    type: () => field().type(),
    get list() {
      return field().list;
    },
    get required() {
      return field().required;
    },
    get behind() {
      return field().behind ?? "";
    },
    get deprecation() {
      return field().deprecation;
    },
    description: () => field().description?.(),
    args: () => field().args(),
    get meta() {
      return meta ?? field().meta;
    },
  };
}
