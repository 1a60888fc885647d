/** Whom actions ask, and what of a request they send there. */
import type { Analysis } from "../2-analyze/analysis.ts";
import { lowerAction } from "../3-lower/actions.ts";
import { hash } from "../catalog/canonical.ts";
import type { HandlerAccess } from "./model.ts";

export function* handlerAccesses(analysis: Pick<Analysis, "actions">): Iterable<readonly [string, HandlerAccess]> {
  for (const action of analysis.actions.values()) {
    const { handler } = lowerAction(action);
    const { url, headers, requestTransform, signingSecrets = [], ...others } = handler;
    const { forwardClientHeaders, ignoredClientHeaders = [], ...otherSettings } = others;
    const ignored = ignoredClientHeaders.length === 0 ? "" : ` but ${[...ignoredClientHeaders].sort().join(", ")}`;
    yield [
      action.name,
      {
        url,
        headers: hash(headers ?? []),
        clientHeaders: forwardClientHeaders ? `all${ignored}` : "none",
        requestTransform: hash(requestTransform ?? null),
        signedWith: signingSecrets,
        otherSettings: hash(otherSettings),
      },
    ];
  }
}
