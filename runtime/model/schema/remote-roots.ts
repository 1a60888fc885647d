/** Root fields that a remote server answers. */

import { lazy } from "../../values/lazy.ts";
import type { RemoteRoot } from "../definitions/roots.ts";
import { delayedField } from "./delayed-field.ts";
import type { TypeRegistry } from "./registry.ts";
import type { RemoteOperation } from "./remote-type-set.ts";
import { noArguments, type OutputField } from "./types.ts";

/** The types of the server are read when a request asks for the field. */
export function remoteRootField(
  types: TypeRegistry,
  root: RemoteRoot,
  name: string,
  operation: RemoteOperation,
): OutputField {
  if (root.kind === "remote_namespace") {
    return {
      type: lazy(() => types.remote(root.remote()).namespace(operation, root)),
      list: false,
      required: true,
      args: noArguments,
      meta: { kind: "namespace", root },
    };
  }
  return delayedField(lazy(() => types.remote(root.remote()).rootField(operation, name, root)));
}

export function isRemoteRoot(root: { readonly kind: string }): root is RemoteRoot {
  return root.kind === "remote" || root.kind === "remote_namespace";
}
