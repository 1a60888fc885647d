/** Compresses response bodies. */
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import type { JoinedBytes } from "../values/joined-bytes.ts";

const toGzip = promisify(gzip);

/** Minimum size of compressed bodies; compressing smaller bodies saves almost nothing. */
const minBytes = 700;
/** Longer bodies are compressed at a higher level. */
const fastestLevelBytes = 20_000;

/**
 * Returns true if a body of this size is compressed for a client.
 * @param accepted the header `Accept-Encoding`
 * @param size of the body in bytes
 */
export function isCompressed(size: number, accepted: string | undefined): boolean {
  if (accepted === undefined || size === 0 || !/gzip|\*/i.test(accepted)) return false;
  const weights = readWeights(accepted);
  const weightOfRest = weights.get("*");
  if ((weights.get("gzip") ?? weightOfRest ?? 0) === 0) return false;
  const isOnlyChoice = (weights.get("identity") ?? weightOfRest ?? 1) === 0;
  return size >= minBytes || isOnlyChoice;
}

/** @param size size of the body in bytes */
export function compress(body: string | Buffer, size: number): Promise<Buffer> {
  return toGzip(body, { level: size > fastestLevelBytes ? 6 : 1 });
}

/** Longer bodies are compressed in blocks, so that no copy of the whole is in memory. */
const maxWholeBytes = 1024 * 1024;

export async function compressPieces(body: JoinedBytes): Promise<Buffer> {
  const gzipped = await (body.size < maxWholeBytes ? compress(body.toBuffer(), body.size) : body.gzip());
  body.release();
  return gzipped;
}

/** Returns the weight of each coding in a list such as `gzip;q=0.5, identity;q=0` (RFC 9110, 12.5.3). */
function readWeights(header: string): ReadonlyMap<string, number> {
  return new Map(
    header.split(",").map((item) => {
      const [coding = "", ...parameters] = item.split(";").map((part) => part.trim().toLowerCase());
      const weight = parameters.find((parameter) => parameter.startsWith("q="))?.slice(2);
      return [coding, weight === undefined ? 1 : Number(weight) || 0];
    }),
  );
}
