/** IR of the remote requests of a saved operation. */

import type { RemoteNode, SelectedRemote } from "../../runtime/model/planner/request/remote/remote-request.ts";
import type { RemoteOperation } from "../../runtime/model/schema/remote-type-set.ts";
import type { ExportIr, RelationshipRefIr } from "./exported-values.ts";
import type { JoinedIr } from "./joins-ir.ts";

/** One request for root fields. */
export interface RemoteRequestIr {
  readonly remote: ExportIr;
  readonly operation: RemoteOperation;
  /** Operation name. */
  readonly name?: string;
  readonly fields: readonly (Pick<SelectedRemote, "field"> & { readonly typenames?: TypenamesIr })[];
  readonly variables: readonly RemoteVariableIr[];
  readonly afterWrites: number;
}

/** Calls for the join keys at one location. */
export interface RemotePlaceIr extends JoinedIr {
  readonly join: RelationshipRefIr;
  /** The target schema. */
  readonly remote: ExportIr;
  readonly path: string;
  readonly call: readonly { readonly name: string; readonly args: readonly NamedArgumentIr[] }[];
  readonly type: string;
  /** `null` for a leaf field. */
  readonly selection: readonly RemoteNode[] | null;
  readonly typenames?: TypenamesIr;
  /** For a call that batches all keys: the members of result items that hold the keys. */
  readonly members?: readonly string[];
  readonly variables: readonly RemoteVariableIr[];
}

type NamedArgumentIr = readonly [name: string, value: JoinedArgumentIr];

export type JoinedArgumentIr =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "key"; readonly key: number }
  | { readonly kind: "keys"; readonly item: JoinedArgumentIr }
  | { readonly kind: "list"; readonly items: readonly JoinedArgumentIr[] }
  | { readonly kind: "object"; readonly fields: readonly NamedArgumentIr[] }
  | {
      readonly kind: "variable";
      readonly name: string;
      readonly within: readonly string[];
      readonly type: string;
      readonly path: string;
      readonly standard?: JoinedArgumentIr;
    };

/** By response key: the name reported for types that the role does not see, or the nested keys. */
export interface TypenamesIr {
  readonly [key: string]: string | TypenamesIr;
}

export type RemoteVariableIr =
  | {
      readonly kind: "request";
      readonly name: string;
      readonly type: string;
      readonly defaultValue?: string;
      /** The schema that the value is validated against. */
      readonly remote: ExportIr;
      readonly declared: string;
      readonly path: string;
      readonly otherwise?: unknown;
    }
  | { readonly kind: "session"; readonly name: string; readonly type: string; readonly variable: string };
