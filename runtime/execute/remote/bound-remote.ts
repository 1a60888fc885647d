/** A request to a remote server with the values of one operation. */
import type { RemotePlan } from "../../model/planner/request/remote/remote-request.ts";
import type { Span } from "../../values/span.ts";
import type { PlacedFile } from "../../values/uploaded-file.ts";

export interface BoundRemote {
  readonly plan: RemotePlan;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON text, without the files. */
  readonly body: string;
  readonly files: readonly PlacedFile[];
  /** The step of a trace that the request is; absent: it is told by none. */
  readonly span?: Span;
}
