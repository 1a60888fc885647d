/** Compression of answers (`operations.md` 6). */
import { promisify } from "node:util";
import { gzip } from "node:zlib";

const toGzip = promisify(gzip);

/** Smaller bodies would hardly become smaller. */
const leastBytes = 700;
/** Longer bodies are worth more effort. */
const fewBytes = 20_000;

/**
 * Whether a body is compressed for this client.
 * @param accepted the header `Accept-Encoding`
 * @param size of the body in bytes
 */
export function isCompressed(size: number, accepted: string | undefined): boolean {
  if (accepted === undefined || size === 0 || !/gzip|\*/i.test(accepted)) return false;
  const weights = readWeights(accepted);
  const ofRest = weights.get("*");
  if ((weights.get("gzip") ?? ofRest ?? 0) === 0) return false;
  const isOnlyChoice = (weights.get("identity") ?? ofRest ?? 1) === 0;
  return size >= leastBytes || isOnlyChoice;
}

/** @param size of the body in bytes */
export function compress(body: string, size: number): Promise<Buffer> {
  return toGzip(body, { level: size > fewBytes ? 6 : 1 });
}

/** `gzip;q=0.5, identity;q=0` → the weight of each coding (RFC 9110, 12.5.3). */
function readWeights(header: string): ReadonlyMap<string, number> {
  return new Map(
    header.split(",").map((item) => {
      const [coding = "", ...parameters] = item.split(";").map((part) => part.trim().toLowerCase());
      const weight = parameters.find((parameter) => parameter.startsWith("q="))?.slice(2);
      return [coding, weight === undefined ? 1 : Number(weight) || 0];
    }),
  );
}
