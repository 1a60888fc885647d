/** Where the calls of the engine may go: addresses stand in the metadata, and names are resolved by whoever owns them. */
import { BlockList, isIP } from "node:net";
import { lazy } from "./lazy.ts";

export interface OutboundRules {
  /** Why a call of a host at this address is refused; `undefined`: it is not. */
  refusal(host: string, address: string): string | undefined;
}

/**
 * Link-local addresses, at which clouds give credentials to whoever asks from a machine of theirs, and the addresses of
 * such services elsewhere. Where IPv6 reaches IPv4 through a translator, they have names there, too (RFC 6052).
 */
const reserved = [
  "169.254.0.0/16",
  "fe80::/10",
  "fd00:ec2::254/128",
  "100.100.100.200/32",
  "192.0.0.192/32",
  "168.63.129.16/32",
  "64:ff9b::a9fe:0/112",
] as const;

/** All but what is reserved. */
export const usualOutboundRules: OutboundRules = rulesOf([], []);

/**
 * Hosts by name and networks (`10.0.0.0/8`, `192.0.2.7`), and nothing else. A name does not allow an address that is
 * reserved: that has to be listed itself.
 * @returns `undefined`: the text is no such list
 */
export function parseOutboundRules(text: string): OutboundRules | undefined {
  const entries = text
    .split(",")
    .map((entry) => entry.trim().toLowerCase())
    .filter((entry) => entry !== "");
  const hosts = entries.filter((entry) => hostName.test(entry) && isIP(entry) === 0);
  const networks = entries.filter((entry) => !hosts.includes(entry)).map((entry) => asNetwork(entry));
  if (entries.length === 0 || networks.includes(undefined)) return undefined;
  return rulesOf(
    hosts,
    networks.filter((network) => network !== undefined),
  );
}

const hostName = /^(?!\d+(?:\.\d+)*$)[a-z0-9_](?:[a-z0-9_.-]*[a-z0-9_])?$/;

function asNetwork(entry: string): string | undefined {
  const [address = "", bits, ...more] = entry.split("/");
  const family = isIP(address);
  if (family === 0 || more.length > 0) return undefined;
  const most = family === 4 ? 32 : 128;
  if (bits === undefined) return `${address}/${most}`;
  return /^\d{1,3}$/.test(bits) && Number(bits) <= most ? entry : undefined;
}

function rulesOf(hosts: readonly string[], networks: readonly string[]): OutboundRules {
  const named = new Set(hosts);
  // Made by the first call: a server that calls nobody starts without them.
  const listed = lazy(() => blockList(networks));
  const refused = lazy(() => blockList(reserved));
  const isOpen = hosts.length + networks.length === 0;
  return {
    refusal(host, address) {
      const family = isIP(address) === 6 ? "ipv6" : "ipv4";
      if (listed().check(address, family)) return undefined;
      if (refused().check(address, family)) {
        return `${host} is at ${address}, an address that gives credentials away (--outbound-allow can allow it)`;
      }
      return isOpen || named.has(host.toLowerCase()) ? undefined : `${host} is not among the hosts of --outbound-allow`;
    },
  };
}

function blockList(networks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const network of networks) {
    const [address = "", bits] = network.split("/");
    list.addSubnet(address, Number(bits), isIP(address) === 6 ? "ipv6" : "ipv4");
  }
  return list;
}
