import { describe, expect, it } from "vitest";
import { isCertificateUnchecked } from "../../../runtime/outbound/tls-allowlist.ts";

describe("the TLS allow-list", () => {
  it("names hosts, with any port or one", () => {
    const list = [{ host: "a.test" }, { host: "b.test", suffix: "8443" }, { host: "c.test", suffix: null }];
    expect(isCertificateUnchecked("https://a.test", list)).toBe(true);
    expect(isCertificateUnchecked("https://a.test:1", list)).toBe(true);
    expect(isCertificateUnchecked("https://b.test:8443", list)).toBe(true);
    expect(isCertificateUnchecked("https://b.test", list)).toBe(false);
    expect(isCertificateUnchecked("https://c.test", list)).toBe(true);
    expect(isCertificateUnchecked("https://sub.a.test", list)).toBe(false);
    expect(isCertificateUnchecked("https://a.test.evil", list)).toBe(false);
  });

  it("knows the port that a URL leaves out", () => {
    expect(isCertificateUnchecked("https://a.test", [{ host: "a.test", suffix: "443" }])).toBe(true);
  });
});
