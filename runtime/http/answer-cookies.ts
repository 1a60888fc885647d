/** Cookies that other servers set while a request was answered, for the client. */
import type { AnswerHeaders } from "../ports/graphql.ts";
import type { PlainResponse } from "../ports/request.ts";

export class AnswerCookies implements AnswerHeaders {
  readonly values: string[] = [];

  addCookie(value: string): void {
    this.values.push(value);
  }
}

/** Those of the session come first. */
export function withCookies(response: PlainResponse, { values }: AnswerCookies): PlainResponse {
  if (values.length === 0) return response;
  const own = response.headers["set-cookie"] ?? [];
  const cookies = [...(typeof own === "string" ? [own] : own), ...values];
  return { ...response, headers: { ...response.headers, "set-cookie": cookies } };
}
