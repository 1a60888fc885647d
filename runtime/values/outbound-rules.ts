/**
 * Restricts the targets of outbound calls, because the metadata contains their URLs and the owner of a host name
 * chooses its address.
 */
import { BlockList, isIP } from "node:net";
import { lazy } from "./lazy.ts";

export interface OutboundRules {
  /** Returns the reason for refusing a call to a host at this address; `undefined` if the call is allowed. */
  refusal(host: string, address: string): string | undefined;
}

/**
 * Link-local addresses, at which the metadata services of clouds issue credentials to any program on a machine, and
 * other addresses of such services. The list includes the deprecated site-local addresses (RFC 3879).
 */
const reserved = [
  "169.254.0.0/16",
  "fe80::/10",
  "fec0::/10",
  "fd00:ec2::/32",
  "fd00:42::42/128",
  "fd00:c1::a9fe:a9fe/128",
  "fd20:ce::254/128",
  "100.100.100.200/32",
  "192.0.0.192/32",
  "168.63.129.16/32",
] as const;

/** Allows every address that is not reserved. */
export const defaultOutboundRules: OutboundRules = rulesOf([], []);

/**
 * Parses the list of allowed host names and networks (`10.0.0.0/8`, `192.0.2.7`). A host name does not allow a reserved
 * address, which must be listed itself.
 * @returns `undefined` if the text is malformed
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
  const maxBits = family === 4 ? 32 : 128;
  if (bits === undefined) return `${address}/${maxBits}`;
  return /^\d{1,3}$/.test(bits) && Number(bits) <= maxBits ? entry : undefined;
}

function rulesOf(hosts: readonly string[], networks: readonly string[]): OutboundRules {
  const named = new Set(hosts);
  // Built on first use, because servers without outbound calls do not need it.
  const listed = lazy(() => blockList(networks));
  const refused = lazy(() => blockList(reserved));
  const isOpen = hosts.length + networks.length === 0;
  const isListed = (address: string) => listed().check(address, familyOf(address));
  const isReserved = (address: string) => refused().check(address, familyOf(address));
  return {
    refusal(host, zonedAddress) {
      const address = zonedAddress.replace(/%.*$/s, "");
      const { same, other } = embeddedAddresses(address);
      if ([address, ...same, ...other].some((each) => isReserved(each) && !isListed(each))) {
        return `${host} is at ${zonedAddress}, a reserved address that may expose credentials (--outbound-allow can allow it)`;
      }
      if (isOpen || named.has(host.toLowerCase().replace(/\.$/, "")) || [address, ...same].some(isListed)) {
        return undefined;
      }
      return `${host} is not among the hosts of --outbound-allow`;
    },
  };
}

const familyOf = (address: string) => (isIP(address) === 6 ? "ipv6" : "ipv4");

interface EmbeddedAddresses {
  /** IPv4 addresses that the IPv6 address always denotes. */
  readonly same: readonly string[];
  /**
   * IPv4 addresses that the IPv6 address may denote, depending on the network. Listing one of them does not allow the
   * IPv6 address.
   */
  readonly other: readonly string[];
}

const noneEmbedded: EmbeddedAddresses = { same: [], other: [] };

/** Returns the IPv4 addresses embedded in an IPv6 address, so that a refused address is refused in every form. */
function embeddedAddresses(address: string): EmbeddedAddresses {
  if (isIP(address) !== 6) return noneEmbedded;
  const groups = groupsOf(address);
  const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = groups;
  const last = dotted(g, h);
  const startsWith = (...prefix: readonly number[]) => prefix.every((group, i) => groups[i] === group);
  // IPv4-mapped and IPv4-compatible (RFC 4291), IPv4-translated (RFC 2765), the NAT64 prefix (RFC 6052).
  const embedding = [
    [0, 0, 0, 0, 0, 0xffff],
    [0, 0, 0, 0, 0, 0],
    [0, 0, 0, 0, 0xffff, 0],
    [0x64, 0xff9b, 0, 0, 0, 0],
  ];
  if (embedding.some((prefix) => startsWith(...prefix))) return { same: [last], other: [] };
  // 6to4 (RFC 3056).
  if (a === 0x2002) return { same: [dotted(b, c)], other: [] };
  // Teredo: server, and client with its bits inverted (RFC 4380).
  if (startsWith(0x2001, 0)) return { same: [], other: [dotted(c, d), dotted(g ^ 0xffff, h ^ 0xffff)] };
  // Local NAT64 prefixes of 48, 56, 64 or 96 bits; bits 64 to 71 are skipped (RFC 8215, RFC 6052).
  if (startsWith(0x64, 0xff9b, 1)) {
    const after48 = dotted(d, ((e & 0xff) << 8) | (f >> 8));
    const after56 = dotted(((d & 0xff) << 8) | (e & 0xff), f);
    const after64 = dotted(((e & 0xff) << 8) | (f >> 8), ((f & 0xff) << 8) | (g >> 8));
    return { same: [], other: [last, after48, after56, after64] };
  }
  // ISATAP, after any prefix (RFC 5214).
  if (f === 0x5efe && (e & 0xfdff) === 0) return { same: [], other: [last] };
  return noneEmbedded;
}

const dotted = (high: number, low: number): string => [high >> 8, high & 0xff, low >> 8, low & 0xff].join(".");

/** Returns the eight groups of an IPv6 address. */
function groupsOf(address: string): readonly number[] {
  // The URL parser normalises it to a form without dots and with at most one `::`.
  const [left = "", right] = new URL(`http://[${address}]/`).hostname.slice(1, -1).split("::");
  const numbers = (part: string) => (part === "" ? [] : part.split(":").map((group) => Number.parseInt(group, 16)));
  const [first, last] = [numbers(left), right === undefined ? [] : numbers(right)];
  return [...first, ...Array<number>(8 - first.length - last.length).fill(0), ...last];
}

function blockList(networks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const network of networks) {
    const [address = "", bits] = network.split("/");
    list.addSubnet(address, Number(bits), isIP(address) === 6 ? "ipv6" : "ipv4");
  }
  return list;
}
