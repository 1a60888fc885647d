/** A request to a remote schema's server with the values of one operation. */
import type { RemotePlan } from "../../model/planner/request/remote/remote-request.ts";
import type { Span } from "../../values/span.ts";
import type { FileAtPath } from "../../values/uploaded-file.ts";

export interface BoundRemote {
  readonly plan: RemotePlan;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON text, without the files. */
  readonly body: string;
  readonly files: readonly FileAtPath[];
  /** The trace span of the request; absent if it is not traced. */
  readonly span?: Span;
}
