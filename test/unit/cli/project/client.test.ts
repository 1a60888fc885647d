/** Trusted certificates of calls over TLS. The certificate in this file is for tests only. */
import { createServer as createHttpServer } from "node:http";
import { createServer, type Server } from "node:https";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { withServer } from "../../../../runtime/cli/project/client.ts";
import { type GlobalFlags, readSettings } from "../../../../runtime/cli/project/settings.ts";
import { project } from "../project-folder.ts";

const key = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgPgeq0mWmX7xQtXY4
nK6zOZAeUJiO4J/qG/DvBcKDwluhRANCAASsv/ugtN5NYZ54M0xLYiQl4jt+Rud1
V7b/bKoQ4JXvJnVfkZ9Z9PHgOtcHLrk8+ahpZ0Kf8usD7mIKoYUXgnzZ
-----END PRIVATE KEY-----
`;

const cert = `-----BEGIN CERTIFICATE-----
MIIBYTCCAQagAwIBAgIBATAKBggqhkjOPQQDAjAWMRQwEgYDVQQDDAtlbmdpbmUg
dGVzdDAgFw0yMDAxMDEwMDAwMDBaGA8yMTIwMDEwMTAwMDAwMFowFjEUMBIGA1UE
AwwLZW5naW5lIHRlc3QwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAASsv/ugtN5N
YZ54M0xLYiQl4jt+Rud1V7b/bKoQ4JXvJnVfkZ9Z9PHgOtcHLrk8+ahpZ0Kf8usD
7mIKoYUXgnzZo0MwQTAPBgNVHREECDAGhwR/AAABMA8GA1UdEwEB/wQFMAMBAf8w
HQYDVR0OBBYEFPEeXspRqCsAuUXmnOooIr2IMeWZMAoGCCqGSM49BAMCA0kAMEYC
IQCJutv1XKzjV0YIcPo4xyknNj6KW6eW88In0YlTuQ4MdgIhAPbdXa61Lduh0txd
M2QYWEeug8i7qdov9y+WWIjEsqKi
-----END CERTIFICATE-----
`;

let server: Server;
let endpoint: string;

beforeAll(async () => {
  server = createServer({ key, cert }, (_, response) => void response.end('{"answered": 12345678901234567890}'));
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  endpoint = `https://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`;
});

afterAll(() => {
  server.close();
});

async function answer(flags: GlobalFlags): Promise<string> {
  const settings = await readSettings({ project: await project(), endpoint, ...flags }, {});
  return String(await withServer(settings, (call) => call({ type: "export_metadata", args: {} })).then(JSON.stringify));
}

it("The CLI refuses an untrusted certificate", async () => {
  await expect(answer({})).rejects.toThrow(
    `the certificate of ${endpoint} is not trusted (self-signed certificate): pass its authority with --certificate-authority, or skip the check with --insecure-skip-tls-verify`,
  );
});

it("The CLI accepts a certificate of a named authority or with verification disabled", async () => {
  const folder = await project({ "ca.pem": cert });
  const expected = '{"answered":"12345678901234567890"}';
  expect(await answer({ certificateAuthority: join(folder, "ca.pem") })).toBe(expected);
  expect(await answer({ insecureSkipTlsVerify: true })).toBe(expected);
});

it("The CLI names a missing file of certificate authorities", async () => {
  const missing = join(await project(), "ca.pem");
  await expect(answer({ certificateAuthority: missing })).rejects.toThrow(
    `cannot read the certificate authority ${missing}: ENOENT`,
  );
});

it("The CLI reports that a server speaks http instead of https", async () => {
  const plain = createHttpServer((_, response) => void response.end("{}"));
  await new Promise<void>((resolve) => void plain.listen(0, "127.0.0.1", resolve));
  const address = plain.address();
  const wrong = `https://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`;
  await expect(answer({ endpoint: wrong })).rejects.toThrow(
    /^https:\S+ does not support TLS \(\w+\): for a server without TLS, set an http:\/\/ address with --endpoint/,
  );
  plain.close();
});

it("The CLI refuses an admin secret that a header cannot contain, without showing it", async () => {
  const failed = answer({ insecureSkipTlsVerify: true, adminSecret: "two\nlines" });
  await expect(failed).rejects.toThrow("the admin secret is not a valid header value: set it with --admin-secret");
  await expect(failed).rejects.not.toThrow("lines");
});
