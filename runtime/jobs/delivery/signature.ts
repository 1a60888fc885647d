/**
 * Signs webhook requests, so that receivers can verify their origin and age (Standard Webhooks 1.0,
 * https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md).
 */
import { createHmac } from "node:crypto";

export interface SignedMessage {
  /** Message id, the same for every attempt, so that receivers can detect duplicates. */
  readonly id: string;
  /** Time of this attempt in milliseconds since 1970. */
  readonly time: number;
  /** The exact body sent. */
  readonly body: string;
}

const prefix = "whsec_";
const base64 = /^[A-Za-z0-9+/]+={0,2}$/;

/**
 * Decodes a signing secret, with or without the prefix `whsec_`. Returns `undefined` unless it is base64 of at least
 * one byte.
 */
export function signingKey(secret: string): Buffer | undefined {
  const text = secret.trim().replace(prefix, "");
  return base64.test(text) ? Buffer.from(text, "base64") : undefined;
}

/**
 * Returns the signature headers, with one signature per key so that receivers accept either secret during a rotation.
 */
export function signatureHeaders({ id, time, body }: SignedMessage, keys: readonly Buffer[]): Record<string, string> {
  const timestamp = String(Math.floor(time / 1000));
  const signed = `${id}.${timestamp}.${body}`;
  const signatures = keys.map((key) => `v1,${createHmac("sha256", key).update(signed).digest("base64")}`);
  return { "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": signatures.join(" ") };
}
