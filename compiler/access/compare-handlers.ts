/** Handlers of actions: another address, or other headers, may lead what requests say elsewhere. */
import { type Changes, isSame, named, pairs } from "./change.ts";
import type { ByName, HandlerAccess } from "./model.ts";

/** New actions and those that are gone are changes of the roles that may use them. */
export function compareHandlers(before: ByName<HandlerAccess>, after: ByName<HandlerAccess>, all: Changes): void {
  for (const [name, from, to] of pairs(before, after)) {
    if (from && to && !isSame(from, to)) compareHandler(from, to, all.about({ subject: name }));
  }
}

function compareHandler(before: HandlerAccess, after: HandlerAccess, changes: Changes): void {
  const effect = "may widen";
  if (before.url !== after.url) changes.changed({ aspect: "handler", before: before.url, after: after.url, effect });
  if (before.headers !== after.headers) changes.changed({ aspect: "headers", effect });
  if (before.clientHeaders !== after.clientHeaders) {
    const [from, to] = [before.clientHeaders, after.clientHeaders];
    changes.changed({ aspect: "headers of the client", before: from, after: to, effect });
  }
  if (before.requestTransform !== after.requestTransform) changes.changed({ aspect: "request transform", effect });
  changes.members(named(before.signedWith), named(after.signedWith), { aspect: "signing secret", added: () => "none" });
  if (before.otherSettings !== after.otherSettings) changes.changed({ aspect: "other settings", effect: "none" });
}
