/** Calls input-validation webhooks before writes. */

import type { InputValidation } from "../model/definitions/input-validation.ts";
import type { Log } from "../observe/logs/log.ts";
import { shownHeader } from "../observe/logs/redact.ts";
import { callHeaders, type HeaderSettings } from "../outbound/call-headers.ts";
import type { HttpReply } from "../outbound/http-call.ts";
import { callFailure, type HttpClient } from "../outbound/http-client.ts";
import { resolveTemplate } from "../values/environment-template.ts";
import { EngineError } from "../values/errors.ts";
import { parseJson } from "../values/json/parse.ts";
import { stringifyJson } from "../values/json-number.ts";
import type { Session } from "../values/session.ts";
import { inSpan, noSpan } from "../values/span.ts";

export interface Validation {
  readonly webhook: InputValidation;
  readonly input: readonly unknown[];
}

export interface InputValidatorSettings extends HeaderSettings {
  readonly client: Pick<HttpClient, "call">;
  readonly log: Log;
}

export class InputValidator {
  readonly #settings: InputValidatorSettings;

  constructor(settings: InputValidatorSettings) {
    this.#settings = settings;
  }

  /**
   * Calls the webhooks one after the other.
   * @throws EngineError `validation-failed` with the message of a webhook that refuses the input; `unexpected` for an
   * invalid response
   */
  async validate(validations: readonly Validation[], session: Session): Promise<void> {
    for (const validation of validations) await this.#call(validation, session);
  }

  async #call({ webhook, input }: Validation, session: Session): Promise<void> {
    const { client, environment } = this.#settings;
    const { role, variables, clientHeaders = {} } = session;
    const span = session.span?.child("Input validation", "client");
    const request = { version: 1, role, session_variables: Object.fromEntries(variables), data: { input } };
    const { headers: configured, forwardClientHeaders: forwardClient } = webhook;
    let reply: HttpReply;
    try {
      reply = await inSpan(span ?? noSpan, () =>
        client.call({
          method: "POST",
          url: resolveTemplate(webhook.url, environment),
          headers: callHeaders({ configured, client: clientHeaders, forwardClient, span }, this.#settings),
          body: stringifyJson(request),
          milliseconds: Math.max(webhook.timeoutSeconds, 0) * 1000,
          span,
        }),
      );
    } catch (error) {
      this.#log(webhook, request, null);
      throw unexpected("http exception when validating input data", callFailure(error), error);
    }
    this.#log(webhook, request, reply);
    checkReply(reply);
  }

  /** Logs URL and headers as in the metadata, because values of environment variables may be secret. */
  #log({ url, headers }: InputValidation, request: unknown, reply: HttpReply | null): void {
    this.#settings.log.info("validate-input-log", {
      type: "http",
      details: {
        url,
        request,
        request_headers: headers.map(shownHeader),
        response: reply?.text ?? null,
        response_status: reply?.status ?? null,
      },
    });
  }
}

function checkReply({ status, text }: HttpReply): void {
  if (status >= 200 && status < 300) return;
  if (status !== 400) {
    const internal = `expecting 200 or 400 status code, but found ${status}`;
    throw unexpected("internal error when validating input data", internal);
  }
  const message = messageOf(text);
  if (message === undefined) throw unexpected("received invalid response from input validation webhook", text);
  throw new EngineError("validation-failed", "$", message);
}

function messageOf(text: string): string | undefined {
  try {
    const json = parseJson(text);
    const message = typeof json === "object" && json !== null && "message" in json ? json.message : undefined;
    return typeof message === "string" ? message : undefined;
  } catch {
    return undefined;
  }
}

function unexpected(message: string, internal: string, cause?: unknown): EngineError {
  return new EngineError("unexpected", "$", message, { status: 500, internal, cause });
}
