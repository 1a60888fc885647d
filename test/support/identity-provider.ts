/** An OAuth 2.1 authorization server: metadata, authorization codes with PKCE, and tokens for the requested resource. */
import { createHash, randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { payload, sharedSecret, token } from "../unit/http/auth/jwt/tokens.ts";

const secret = sharedSecret("a shared secret of sixty-four bytes, which even HS512 finds long");

/** Value of `--jwt-secret` for its tokens. */
export const jwtSecret = JSON.stringify({ type: "HS256", key: secret.key });

/** Returns a token of the provider. */
export function signedToken(
  claims: Readonly<Record<string, unknown>>,
  more: Readonly<Record<string, unknown>>,
): string {
  return token(secret, "HS256", payload(claims, more));
}

export interface IdentityProvider {
  readonly issuer: string;
  close(): Promise<void>;
}

interface Grant {
  readonly challenge: string;
  readonly resource: string;
  readonly scope: string;
}

/** @param claims the claims of all of its tokens */
export async function startIdentityProvider(claims: Readonly<Record<string, unknown>>): Promise<IdentityProvider> {
  const grants = new Map<string, Grant>();
  let issuer = "";
  const json = (reply: ServerResponse, status: number, body: unknown): void => {
    reply.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
  };
  const authorize = ({ searchParams: query }: URL, reply: ServerResponse): void => {
    const code = randomUUID();
    const text = (name: string): string => query.get(name) ?? "";
    grants.set(code, { challenge: text("code_challenge"), resource: text("resource"), scope: text("scope") });
    const target = new URL(text("redirect_uri"));
    for (const [name, value] of [
      ["code", code],
      ["state", text("state")],
      ["iss", issuer],
    ] as const) {
      target.searchParams.set(name, value);
    }
    reply.writeHead(302, { location: target.href }).end();
  };
  const exchange = async (request: IncomingMessage, reply: ServerResponse): Promise<void> => {
    const form = new URLSearchParams(await bodyOf(request));
    const grant = grants.get(form.get("code") ?? "");
    grants.delete(form.get("code") ?? "");
    const verifier = createHash("sha256")
      .update(form.get("code_verifier") ?? "")
      .digest("base64url");
    if (grant?.challenge !== verifier || grant.resource !== form.get("resource")) {
      json(reply, 400, { error: "invalid_grant" });
      return;
    }
    const { resource: aud, scope } = grant;
    const accessToken = signedToken(claims, { iss: issuer, aud, scope });
    json(reply, 200, { access_token: accessToken, token_type: "Bearer", expires_in: 3600, scope });
  };
  const server = createServer((request, reply) => {
    const url = new URL(request.url ?? "/", issuer);
    if (url.pathname === "/.well-known/oauth-authorization-server") json(reply, 200, metadataOf(issuer));
    else if (url.pathname === "/authorize") authorize(url, reply);
    else if (url.pathname === "/token") void exchange(request, reply);
    else json(reply, 404, {});
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    issuer,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

const metadataOf = (issuer: string): object => ({
  issuer,
  authorization_endpoint: `${issuer}/authorize`,
  token_endpoint: `${issuer}/token`,
  response_types_supported: ["code"],
  code_challenge_methods_supported: ["S256"],
  token_endpoint_auth_methods_supported: ["none"],
  authorization_response_iss_parameter_supported: true,
});

async function bodyOf(request: IncomingMessage): Promise<string> {
  let text = "";
  for await (const chunk of request) text += String(chunk);
  return text;
}
