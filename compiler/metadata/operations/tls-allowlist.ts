/** Operations on the TLS allow-list: hosts whose certificates are not verified. */

import type { z } from "zod";
import type { TlsAllow } from "../../catalog/outside-sources.ts";
import { object } from "../../catalog/schema/combinators.ts";
import { text } from "../../catalog/schema/scalars.ts";
import { tlsAllowArgument } from "../../catalog/schema/settings.ts";
import { fail, ok, type Result } from "../../diagnostics/diagnostic.ts";
import { without } from "../edit.ts";
import { hintFor } from "../lookups.ts";
import { type Change, operation, type Request } from "../operation.ts";

type Host = Pick<TlsAllow, "host" | "suffix">;

/** Returns a predicate for an entry, identified by host and suffix. */
function isEntry({ host, suffix = null }: Host): (entry: Host) => boolean {
  return (entry) => entry.host === host && (entry.suffix ?? null) === suffix;
}

function print({ host, suffix }: Host): string {
  return suffix == null ? `the host "${host}"` : `the host "${host}" with suffix "${suffix}"`;
}

function storeEntries({ catalog }: Request<unknown>, entries: readonly TlsAllow[]): Result<Change> {
  return ok({ catalog: { ...catalog, network: { ...catalog.network, tls_allowlist: entries } } });
}

function addHost(request: Request<TlsAllow>): Result<Change> {
  const { catalog, path, input } = request;
  const { tls_allowlist: entries } = catalog.network;
  if (input.host === "") return fail("bad-request", path, 'key "host" cannot be empty');
  if (entries.some(isEntry(input))) {
    return fail("already-exists", path, `${print(input)} already exists in the allowlist`);
  }
  return storeEntries(request, [...entries, input]);
}

const dropArguments = object({
  about: { host: "Host of the entry.", suffix: "Port of the entry. Default: the entry without one." },
  required: { host: text },
  optional: { suffix: text },
});

function dropHost(request: Request<z.output<typeof dropArguments>>): Result<Change> {
  const { catalog, path, input } = request;
  const { tls_allowlist: entries } = catalog.network;
  if (input.host === "") return fail("bad-request", path, "hostname cannot be empty");
  if (!entries.some(isEntry(input))) {
    const hosts = entries.map(({ host }) => host);
    return fail("not-exists", path, `${print(input)} isn't present in the allowlist`, hintFor(input.host, hosts));
  }
  return storeEntries(request, without(entries, isEntry(input)));
}

export const tlsAllowlistOperations = [
  operation("add_host_to_tls_allowlist", {
    about: "Turns the verification of certificates off for a host. The arguments are the host, or an object.",
    effect: "change",
    endpoints: { metadata: "plain" },
    input: tlsAllowArgument,
    check: "new-entries",
    apply: addHost,
  }),
  operation("drop_host_from_tls_allowlist", {
    about: "Turns the verification of certificates on again for a host.",
    effect: "change",
    endpoints: { metadata: "plain" },
    input: dropArguments,
    check: "new-entries",
    apply: dropHost,
  }),
];
