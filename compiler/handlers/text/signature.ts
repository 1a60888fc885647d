/** The fixed part of the generated module: whether a call is signed (Standard Webhooks 1.0). */
export const signatureText = `// ---------------------------------------------------------------- signatures

/** A call as it came. */
export interface SignedCall {
  readonly headers: Headers;
  /** The bytes of the body: a body that was parsed and written anew has another signature. */
  readonly body: Uint8Array;
}

export interface SignatureOptions {
  /** How old or how early a call may be; 300 unless given. */
  readonly toleranceSeconds?: number | undefined;
  /** Milliseconds since 1970; the clock of the machine unless given. */
  readonly now?: (() => number) | undefined;
}

/**
 * Whether one of the secrets signed the call, within the last minutes (https://www.standardwebhooks.com).
 * @param secrets base64, with or without "whsec_"
 * @throws TypeError for a secret that is none
 */
export async function isSigned(
  call: SignedCall,
  secrets: readonly string[],
  { toleranceSeconds = 300, now = Date.now }: SignatureOptions = {},
): Promise<boolean> {
  const id = call.headers.get("webhook-id");
  const timestamp = call.headers.get("webhook-timestamp");
  const given = (call.headers.get("webhook-signature") ?? "").split(" ").flatMap((each) => {
    const [version, signature] = each.split(",", 2);
    return version === "v1" && signature !== undefined ? [signature] : [];
  });
  if (id === null || timestamp === null || !/^\\d{1,12}$/.test(timestamp)) return false;
  // Negated, so that a tolerance that is not a number refuses every call.
  if (!(Math.abs(now() / 1000 - Number(timestamp)) <= toleranceSeconds)) return false;
  const start = new TextEncoder().encode(\`\${id}.\${timestamp}.\`);
  const message = new Uint8Array(start.length + call.body.length);
  message.set(start);
  message.set(call.body, start.length);
  let found = false;
  for (const secret of secrets) {
    const expected = await signatureOf(message, keyOf(secret));
    // All of them are compared: how long it takes tells nothing.
    for (const each of given) found = isSameText(each, expected) || found;
  }
  return found;
}

async function signatureOf(message: Uint8Array<ArrayBuffer>, key: Uint8Array<ArrayBuffer>): Promise<string> {
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const imported = await crypto.subtle.importKey("raw", key, algorithm, false, ["sign"]);
  const signature = new Uint8Array(await crypto.subtle.sign("HMAC", imported, message));
  return btoa(String.fromCharCode(...signature));
}

function keyOf(secret: string): Uint8Array<ArrayBuffer> {
  const text = secret.trim().replace(/^whsec_/, "");
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(text)) throw new TypeError("a signing secret is whsec_ and base64");
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}

/** Takes as long wherever they differ. */
function isSameText(one: string, other: string): boolean {
  let difference = one.length ^ other.length;
  for (let i = 0; i < other.length; i++) difference |= one.charCodeAt(i) ^ other.charCodeAt(i);
  return difference === 0;
}
`;
