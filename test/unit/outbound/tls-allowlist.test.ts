import { describe, expect, it } from "vitest";
import { isCertificateUnchecked } from "../../../runtime/outbound/tls-allowlist.ts";

describe("The TLS allow-list", () => {
  it("The TLS allow-list matches a host with any port or with one port", () => {
    const list = [{ host: "a.test" }, { host: "b.test", suffix: "8443" }, { host: "c.test", suffix: null }];
    expect(isCertificateUnchecked("https://a.test", list)).toBe(true);
    expect(isCertificateUnchecked("https://a.test:1", list)).toBe(true);
    expect(isCertificateUnchecked("https://b.test:8443", list)).toBe(true);
    expect(isCertificateUnchecked("https://b.test", list)).toBe(false);
    expect(isCertificateUnchecked("https://c.test", list)).toBe(true);
    expect(isCertificateUnchecked("https://sub.a.test", list)).toBe(false);
    expect(isCertificateUnchecked("https://a.test.evil", list)).toBe(false);
  });

  it("The TLS allow-list assumes the default port of a URL", () => {
    expect(isCertificateUnchecked("https://a.test", [{ host: "a.test", suffix: "443" }])).toBe(true);
  });
});
