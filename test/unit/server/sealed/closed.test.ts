/** Closed mode runs only the operations of a collection, with the results of the wrapped service. */
import { describe, expect, it } from "vitest";
import type { GraphqlService } from "../../../../runtime/ports/graphql.ts";
import { closedService } from "../../../../runtime/server/sealed/serve-artifact.ts";
import { AdmittedSession } from "../../../../runtime/values/admitted-session.ts";

const rules: Parameters<typeof closedService>[1] = {
  allowlist: [{ collection: "all", scope: { global: true } }],
  query_collections: [{ name: "all", definition: { queries: [{ query: "{ mine }" }] } }],
};
const by = new AdmittedSession({ role: "user", variables: new Map<string, string>(), backendOnly: false });
const request = (query: string) => ({ query, operationName: null, variables: null });

function closed() {
  const service: GraphqlService = {
    async execute(_request, _by, _caller, headers) {
      headers?.addCookie?.("session=1");
      return "{}";
    },
    prepare: () => Promise.reject(new Error("nothing is prepared")),
    subscriptions: () => ({}),
  };
  return closedService(service, rules);
}

describe("The closed service", () => {
  it("The closed service passes cookies of handlers and remote servers on", async () => {
    const cookies: string[] = [];
    const headers = { addCookie: (cookie: string) => void cookies.push(cookie) };
    expect(await closed().execute(request("{ mine }"), by, undefined, headers)).toBe("{}");
    expect(cookies).toEqual(["session=1"]);
  });

  it("The closed service refuses other query texts", async () => {
    await expect(closed().execute(request("{  mine }"), by, undefined)).rejects.toThrow("query is not allowed");
  });
});
