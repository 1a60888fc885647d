/** Handlers of actions: another address, or other headers, may lead what requests say elsewhere. */
import { type Changes, isSame, named, pairs } from "./change.ts";
import type { Effect } from "./effect.ts";
import type { ByName, HandlerAccess } from "./model.ts";

/** New actions and those that are gone are changes of the roles that may use them. */
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
  // Which fields a role gets or loses by this is told of its API.
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
