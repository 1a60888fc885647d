/** Code samples that send the operation. They read the admin secret from the environment, since samples are shared. */

import { configuration } from "../../configuration.ts";
import { endpoint } from "../../http/address.ts";
import type { GraphqlCall } from "../../http/graphql.ts";

type Headers = Readonly<Record<string, string>>;

const shellQuoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

export function curlSample(call: GraphqlCall, headers: Headers): string {
  const secret = configuration.isAdminSecretSet ? [`  -H "X-Engine-Admin-Secret: $ADMIN_SECRET"`] : [];
  const lines = [
    `curl ${shellQuoted(endpoint("/v1/graphql"))}`,
    "  -H 'Content-Type: application/json'",
    ...secret,
    ...Object.entries(headers).map(([name, value]) => `  -H ${shellQuoted(`${name}: ${value}`)}`),
    `  -d ${shellQuoted(JSON.stringify(call))}`,
  ];
  return lines.join(" \\\n");
}

export function typescriptSample(call: GraphqlCall, headers: Headers): string {
  const secret = configuration.isAdminSecretSet ? { "x-engine-admin-secret": "ADMIN_SECRET" } : {};
  const all = JSON.stringify({ "content-type": "application/json", ...secret, ...headers }, null, 4)
    .replace('"ADMIN_SECRET"', 'process.env.ADMIN_SECRET ?? ""')
    .replace(/\n\}$/, "\n  }");
  return `const response = await fetch(${JSON.stringify(endpoint("/v1/graphql"))}, {
  method: "POST",
  headers: ${all},
  body: JSON.stringify(${JSON.stringify(call, null, 4).replace(/\n\}$/, "\n  }")}),
});
const { data, errors } = await response.json();
if (errors) throw new Error(errors[0].message);
console.log(data);
`;
}
