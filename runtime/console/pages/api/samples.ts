/** Code that sends the operation. It reads secrets from the environment, since code is shared. */
import { configuration } from "../../configuration.ts";
import { serverEndpoint } from "../../http/address.ts";
import type { GraphqlCall } from "../../http/graphql.ts";
import type { Caller } from "../../http/send.ts";
import type { Language } from "../../parts/editor-setup.ts";
import { type Sample, type SampleHeader, samples } from "./sample-code.ts";

export interface ShownSample {
  readonly label: string;
  readonly language: Language;
  readonly text: string;
}

const secretName = /authorization|cookie|secret|password|token|api-?key|access-?key/;

/** Returns the headers of the request. Values that may be secret are read from environment variables. */
function headersOf({ headers, token }: Caller): readonly SampleHeader[] {
  const found: SampleHeader[] = [];
  if (token !== null) found.push({ name: "authorization", prefix: "Bearer ", variable: "TOKEN" });
  else if (configuration.isAdminSecretSet) {
    found.push({ name: "x-engine-admin-secret", prefix: "", variable: "ADMIN_SECRET" });
  }
  for (const [name, value] of Object.entries(headers)) {
    const variable = name.toUpperCase().replace(/[^A-Z0-9]+/g, "_");
    found.push(secretName.test(name) ? { name, prefix: "", variable } : { name, value });
  }
  return found;
}

/** Returns the code of a client. The address is that of the server, also in the console of a project. */
export function sampleOf(sample: Sample, call: GraphqlCall, caller: Caller): ShownSample {
  const { label, language } = samples[sample];
  const text = samples[sample].write({ url: serverEndpoint("/v1/graphql"), headers: headersOf(caller), call });
  return { label, language, text };
}
