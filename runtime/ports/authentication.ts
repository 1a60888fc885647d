/** Who a request comes from. */
import type { Session } from "../values/session.ts";
import type { GraphqlRequest } from "./graphql.ts";
import type { RequestHeaders } from "./headers.ts";

/** A session, and what else authentication found out about the request. */
export interface AuthenticatedSession extends Session {
  /** When it ends, in milliseconds since 1970; absent: never. Connections that outlive a request end with it. */
  readonly expiresAt?: number | undefined;
  /** Values of `Set-Cookie` for the answer, where it succeeds. */
  readonly setCookies?: readonly string[] | undefined;
}

/**
 * The operation that a request asks for, or the list of a batch, where those that cannot be run are `null`. `null`: the
 * body cannot be understood.
 */
export type AskedOperations = GraphqlRequest | readonly (GraphqlRequest | null)[] | null;

export interface AuthenticationContext {
  /** Of HTTP; absent: any. */
  readonly method?: string | undefined;
  /** The transport has left out the cookie where a page of another site may have sent it. */
  readonly cookieIsChecked?: boolean;
  /** Names that a `connection_init` has beside its `headers`, where nothing is looked for. */
  readonly besideHeaders?: readonly string[] | undefined;
  /**
   * Reads the body, within the limit for requests that are not authenticated. Absent: the request asks for something
   * else.
   * @throws EngineError when the body is too long
   */
  readonly graphql?: (() => Promise<AskedOperations>) | undefined;
}

export interface Authenticator {
  /**
   * Decides role and session variables from the request's headers; at once where nobody
   * else has to be asked.
   * @param context what else the request is, and what a webhook may be told of it
   * @throws EngineError `access-denied` and others of section 6.2; a promise is rejected with them
   */
  authenticate(
    headers: RequestHeaders,
    context?: AuthenticationContext,
  ): AuthenticatedSession | Promise<AuthenticatedSession>;
}
