/** The time of a comparison with a secret does not depend on the number of correct characters. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { transform } from "esbuild";
import { describe, expect, it } from "vitest";
import { signatureText } from "../../../compiler/handlers/emit-generated.ts";
import { Secret } from "../../../runtime/config/secret.ts";
import { AdminSecrets } from "../../../runtime/http/auth/admin-secret.ts";
import { RelayCipher } from "../../../runtime/model/relay/cipher.ts";

const median = (times: number[]): number => times.sort((a, b) => a - b)[Math.floor(times.length / 2)] ?? Number.NaN;

/**
 * Returns the ratio of the second call's time to the first's. The calls alternate, so that other work on the machine
 * slows both down, and medians leave out interrupted rounds.
 */
function ratio(first: () => unknown, second: () => unknown, perTurn: number): number {
  const times: [number[], number[]] = [[], []];
  for (let turn = 0; turn < 401; turn++) {
    for (const [place, call] of [first, second].entries()) {
      const begin = process.hrtime.bigint();
      for (let count = 0; count < perTurn; count++) call();
      times[place]?.push(Number(process.hrtime.bigint() - begin));
    }
  }
  return median(times[1]) / median(times[0]);
}

const isEven = (measured: number): boolean => measured > 0.8 && measured < 1.25;

/** Long enough to reveal a comparison that stops at the first difference. */
const secret = "s".repeat(8000);
const wrongAtOnce = `x${secret.slice(1)}`;
const wrongAtLast = `${secret.slice(1)}x`;

/** Compares with early exit, which secrets must not use. */
function endsAtDifference(sent: string): boolean {
  for (let place = 0; place < secret.length; place++) if (sent[place] !== secret[place]) return false;
  return true;
}

describe("Timing of comparisons", () => {
  it("The measurement detects a comparison that ends at the first difference", () => {
    expect(
      isEven(
        ratio(
          () => endsAtDifference(wrongAtOnce),
          () => endsAtDifference(wrongAtLast),
          5,
        ),
      ),
    ).toBe(false);
  });

  it("Comparing an admin secret takes the same time for any wrong position and any of several secrets", () => {
    const secrets = new AdminSecrets([new Secret(secret), new Secret("another"), new Secret("third")]);
    const matches = (sent: string) => () => secrets.matches(sent);
    expect(ratio(matches(wrongAtOnce), matches(wrongAtLast), 10)).toSatisfy(isEven);
    expect(ratio(matches("another"), matches("unknown"), 200)).toSatisfy(isEven);
    expect(ratio(matches("another"), matches("third!!"), 200)).toSatisfy(isEven);
  });

  it("Comparing a Relay id takes the same time for any wrong byte", () => {
    const cipher = new RelayCipher("a key of at least 32 characters, for tests");
    const sealed = cipher.seal("id", JSON.stringify("x".repeat(500)));
    const changed = (place: number) => {
      const bytes = Buffer.from(sealed);
      bytes[place] = (bytes[place] ?? 0) ^ 1;
      return () => cipher.open("id", bytes);
    };
    expect(changed(sealed.length - 1)()).toEqual({ problem: "changed" });
    expect(ratio(changed(sealed.length - 500), changed(sealed.length - 1), 20)).toSatisfy(isEven);
  });
});

describe("Timing of generated signature checks", () => {
  it("Comparing a signature takes the same time for any wrong character", async () => {
    const { code } = await transform(`${signatureText}\nexport { isSameText };`, { loader: "ts" });
    const { isSameText }: { isSameText: (one: string, other: string) => boolean } = await import(
      `data:text/javascript,${encodeURIComponent(code)}`
    );
    expect([isSameText(secret, secret), isSameText(secret, wrongAtLast), isSameText("", secret)]).toEqual([
      true,
      false,
      false,
    ]);
    const measured = ratio(
      () => isSameText(wrongAtOnce, secret),
      () => isSameText(wrongAtLast, secret),
      5,
    );
    expect(measured).toSatisfy(isEven);
  });
});

const sources = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts"))
    .map((name) => join(folder, name));

describe("Comparisons in the source code", () => {
  it("No source file compares a digest, signature or revealed secret with an operator", () => {
    const operand = String.raw`(?:\.reveal\(\)|\.digest\([^)]*\)|\bdigest\([^()]*\)|\b(?:signature|mac|adminSecret|password))`;
    const other = String.raw`(?!\s*(?:""|undefined|null|"password"))`;
    const comparison = new RegExp(
      String.raw`${operand}\s*[!=]==${other}|[!=]==\s*(?:[\w.]+)?${operand}(?!\w)|${operand}\s*\.equals\(`,
    );
    const found = [
      "runtime/http/auth",
      "runtime/model/relay",
      "runtime/config",
      "runtime/http",
      "runtime/jobs/delivery",
      "runtime/cli/console",
      "compiler/handlers",
    ]
      .flatMap(sources)
      .flatMap((file) =>
        readFileSync(file, "utf8")
          .split("\n")
          .filter((line) => comparison.test(line) && !/=== (?:null|undefined|"")|url\.password/.test(line))
          .map((line) => `${file}: ${line.trim()}`),
      );
    expect(comparison.test("if (secret.reveal() === sent)")).toBe(true);
    expect(comparison.test("return sent === hmac.digest('hex')")).toBe(true);
    expect(found).toEqual([]);
  });
});
