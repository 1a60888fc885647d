/** Compares handlers of actions: another URL or other headers may send request data to another service. */
import { type Changes, type Effect, isSame, named, pairs } from "./change.ts";
import type { ByName, HandlerAccess } from "./model.ts";

/**
 * Compares the handlers of actions that both sides have. Added and removed actions are reported as changes of roles.
 */
export function compareHandlers(before: ByName<HandlerAccess>, after: ByName<HandlerAccess>, all: Changes): void {
  for (const [name, from, to] of pairs(before, after)) {
    if (from && to && !isSame(from, to)) compareHandler(from, to, all.about({ subject: name }));
  }
}

function compareHandler(before: HandlerAccess, after: HandlerAccess, changes: Changes): void {
  const effect = "may widen";
  const changed = (aspect: string, from: string, to: string, own: Effect): void => {
    if (from !== to) changes.changed({ aspect, before: from, after: to, effect: own });
  };
  // Fields that a role gains or loses are reported as changes of its API.
  changed("kind", before.kind, after.kind, "none");
  changed("handler", before.url, after.url, effect);
  changed("timeout", `${before.timeoutSeconds} s`, `${after.timeoutSeconds} s`, "none");
  changes.members(before.headers, after.headers, { aspect: "header", added: () => effect }, (_from, _to, name) =>
    changes.changed({ aspect: "header", name, effect }),
  );
  changed("headers of the client", before.clientHeaders, after.clientHeaders, effect);
  if (before.requestTransform !== after.requestTransform) changes.changed({ aspect: "request transform", effect });
  if (before.responseTransform !== after.responseTransform) {
    changes.changed({ aspect: "response transform", effect: "none" });
  }
  changes.members(named(before.signedWith), named(after.signedWith), { aspect: "signing secret", added: () => "none" });
}
