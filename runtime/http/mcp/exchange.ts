/** One request of a client, and the services and settings that respond to it. */
import type { AdminSecrets } from "../../config/admin-secrets.ts";
import type { AuthenticatedSession } from "../../ports/authentication.ts";
import type { PlainRequest } from "../../ports/request.ts";
import type { RequestServices } from "../../ports/services.ts";
import type { AdmittedSession } from "../../values/admitted-session.ts";
import type { EngineError } from "../../values/errors.ts";
import type { CollectedHeaders } from "../collected-headers.ts";
import type { ChangeStreams } from "./listen.ts";
import type { Manual } from "./manual.ts";
import type { Params } from "./message.ts";
import type { RequestStates } from "./request-state.ts";
import type { Dialect } from "./revision.ts";
import type { ToolSettings } from "./visible-tools.ts";

export interface McpSettings extends ToolSettings, AdminSecrets {
  /** The package version, without a leading `v`. */
  readonly version: string;
  /** Pages of the manual; absent for servers without them. */
  readonly manual?: Manual | undefined;
}

export interface Exchange {
  readonly services: RequestServices;
  readonly settings: McpSettings;
  readonly states: RequestStates;
  readonly streams: ChangeStreams;
  /** JSON text of the server's own description, for the end of results. */
  readonly meta: string;
  readonly dialect: Dialect;
  readonly request: PlainRequest;
  readonly params: Params;
  readonly admitted: AdmittedSession<AuthenticatedSession>;
  /** Receives headers and the validity of data in the result. */
  readonly collected: CollectedHeaders;
  /** Records the error of a tool, which the client receives as a result. */
  noteError(error: EngineError): void;
}

/**
 * Responds to a request.
 * @returns the JSON text of the result
 * @throws McpError, EngineError
 */
export type Method = (exchange: Exchange) => string | Promise<string>;
