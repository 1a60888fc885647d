/**
 * Headers by which a receiver knows that a call comes from here and is not an old one (Standard Webhooks 1.0,
 * https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md).
 */
import { createHmac } from "node:crypto";

export interface SignedMessage {
  /** The same for every attempt, so that receivers find what they have already. */
  readonly id: string;
  /** Milliseconds since 1970, of this attempt. */
  readonly time: number;
  /** Exactly as it is sent. */
  readonly body: string;
}

const prefix = "whsec_";
const base64 = /^[A-Za-z0-9+/]+={0,2}$/;

/**
 * The key that a secret stands for, with or without the prefix `whsec_`; `undefined` where it is not base64 of any
 * bytes.
 */
export function signingKey(secret: string): Buffer | undefined {
  const text = secret.trim().replace(prefix, "");
  return base64.test(text) ? Buffer.from(text, "base64") : undefined;
}

/** One signature per key: while a secret is replaced, receivers have the old one or the new one. */
export function signatureHeaders({ id, time, body }: SignedMessage, keys: readonly Buffer[]): Record<string, string> {
  const timestamp = String(Math.floor(time / 1000));
  const signed = `${id}.${timestamp}.${body}`;
  const signatures = keys.map((key) => `v1,${createHmac("sha256", key).update(signed).digest("base64")}`);
  return { "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": signatures.join(" ") };
}
