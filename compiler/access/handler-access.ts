/** Whom actions ask, and what of a request they send there. */
import type { Analysis } from "../2-analyze/analysis.ts";
import { lowerAction } from "../3-lower/actions.ts";
import { hash } from "../catalog/canonical.ts";
import type { HandlerAccess } from "./model.ts";

export function* handlerAccesses(analysis: Pick<Analysis, "actions">): Iterable<readonly [string, HandlerAccess]> {
  for (const action of analysis.actions.values()) {
    const { asynchronous, handler } = lowerAction(action);
    const {
      url,
      timeoutSeconds = 30,
      headers = [],
      requestTransform,
      responseTransform,
      signingSecrets = [],
    } = handler;
    const { forwardClientHeaders, ignoredClientHeaders = [] } = handler;
    const ignored = ignoredClientHeaders.length === 0 ? "" : ` but ${[...ignoredClientHeaders].sort().join(", ")}`;
    yield [
      action.name,
      {
        kind: asynchronous ? "asynchronous" : "synchronous",
        url,
        timeoutSeconds,
        headers: Object.fromEntries(headers.map(({ name, ...value }) => [name.toLowerCase(), hash(value)])),
        clientHeaders: forwardClientHeaders ? `all${ignored}` : "none",
        requestTransform: hash(requestTransform ?? null),
        responseTransform: hash(responseTransform ?? null),
        signedWith: signingSecrets,
      },
    ];
  }
}
