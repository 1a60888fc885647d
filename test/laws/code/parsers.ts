/**
 * The parsers of external texts: how to call each, the frames around an adversarial part, and the parts. A new parser
 * gets a row.
 */
import { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import mssql from "mssql";
import { fillArguments, splitAtArguments } from "../../../compiler/catalog/native-code.ts";
import { isCronSchedule } from "../../../compiler/catalog/schema/cron.ts";
import { codeSpan, htmlCode } from "../../../runtime/cli/diff/markdown.ts";
import { parseJsonFile } from "../../../runtime/cli/metadata-directory/json-file.ts";
import { printable } from "../../../runtime/cli/project/output.ts";
import { allowsOrigin, parseCorsDomains } from "../../../runtime/config/cors-domains.ts";
import { parseHttpUrl } from "../../../runtime/config/http-url.ts";
import {
  ConnectionString,
  redactUrl,
  resolveEnvironmentValue,
} from "../../../runtime/databases/sources/connection-settings.ts";
import { driverConfiguration } from "../../../runtime/databases/sources/mssql/connection-string.ts";
import { parseConnectionString } from "../../../runtime/databases/sources/postgres/connection-string.ts";
import { splitStatements } from "../../../runtime/databases/sources/postgres/split-statements.ts";
import { handlerResponseForm } from "../../../runtime/execute/actions/usual-response.ts";
import { comparedForm } from "../../../runtime/execute/guard/guard.ts";
import { parseCacheControl } from "../../../runtime/http/auth/cache-headers.ts";
import { readCompactToken } from "../../../runtime/http/auth/jwt/compact-token.ts";
import { findToken } from "../../../runtime/http/auth/jwt/jwt-check.ts";
import { trustedSession } from "../../../runtime/http/auth/session.ts";
import { readHookReply } from "../../../runtime/http/auth/webhook/open-webhook.ts";
import { BufferedBodies } from "../../../runtime/http/buffered-bodies.ts";
import { isCompressed } from "../../../runtime/http/compression.ts";
import { NodeRequest } from "../../../runtime/http/node-request.ts";
import { RequestBody } from "../../../runtime/http/request-body.ts";
import { readClientMessage } from "../../../runtime/http/websocket/client-message.ts";
import { Locations } from "../../../runtime/metadata-text/locations.ts";
import { restVariables } from "../../../runtime/model/definitions/rest/variables.ts";
import { checkGeometry } from "../../../runtime/model/dialects/geojson.ts";
import { wellKnownText } from "../../../runtime/model/dialects/mssql/encode.ts";
import { encodeLtree, encodeRaster } from "../../../runtime/model/dialects/postgres/encode.ts";
import { parseJsonPath } from "../../../runtime/model/dialects/postgres/json-path.ts";
import { readOperation } from "../../../runtime/model/planner/request/document.ts";
import { RelayCipher } from "../../../runtime/model/relay/cipher.ts";
import { cursorStructure, decodeCursor } from "../../../runtime/model/relay/cursor.ts";
import { decodeNodeId, nodeIdStructure } from "../../../runtime/model/relay/node-id.ts";
import { RelayTexts } from "../../../runtime/model/relay/relay-texts.ts";
import { compareJson, numberOf } from "../../../runtime/model/templates/json-value.ts";
import { parseStringTemplate, parseTemplate } from "../../../runtime/model/templates/parser.ts";
import { isAbsoluteUrl, queryPairs, withoutCredentials, withQuery } from "../../../runtime/model/templates/url.ts";
import { forwardableHeaders } from "../../../runtime/outbound/client-headers.ts";
import { missingVariables, resolveTemplate } from "../../../runtime/values/environment-template.ts";
import { runToCompletion } from "../../../runtime/values/interruptible.ts";
import { expressionOf } from "../../../runtime/values/json/canonical-form.ts";
import { parseJson, readJson } from "../../../runtime/values/json/parse.ts";
import { stringifyJson } from "../../../runtime/values/json-number.ts";
import { redactor } from "../../../runtime/values/redact-metadata.ts";

export type Frame = readonly [before: string, after: string];

export interface Parser {
  readonly name: string;
  /** May throw, because most texts are invalid. */
  readonly parse: (text: string) => unknown;
  /** The text around the repeated part. */
  readonly frames: readonly Frame[];
  /** Additional parts for this parser. */
  readonly parts?: readonly string[];
}

/** Repeated texts for every parser. */
export const parts: readonly string[] = [
  ...[" ", "\t", "\n", "\r\n", '"', "'", "`", "\\", "/", "?", "#", "&", "=", ";", ":", ",", ".", "-", "+", "_", "*"],
  ...["(", ")", "[", "]", "{", "}", "<", ">", "|", "!", "@", "$", "%", "^", "~", "0", "9", "a", "é", "😀", "\u0000"],
  ...['\\"', "\\\\", '"\\', "[]", "{}", "()", "[],", "{{", "}}", "{{}}", "{{a", "--", "/*", "*/", "//", "://", "://["],
  ...[
    "a ",
    " a",
    "a,",
    "a;",
    "a:",
    "a=",
    "a&",
    "a.",
    "a/",
    "a@",
    "a=b ",
    "a='",
    'a="',
    "1,",
    "1 ",
    "0.",
    ".0",
    "1e",
    "01",
  ],
  ...["%20", "\\u0041", "null,", '"a",', '"a":', '{"a":', "$a", "$a$", " ;", "; ", " \n", "; encrypt=a", "password={ "],
];

const plainFrames: readonly Frame[] = [
  ["", ""],
  ["a", "\u0001"],
];

/** Returns a request with this URL and these headers. */
function requestOf(url: string, headers: Readonly<Record<string, string>> = {}): NodeRequest {
  const raw = new IncomingMessage(new Socket());
  raw.url = url;
  raw.method = "GET";
  Object.assign(raw.headers, headers);
  const body = new RequestBody(raw, new ServerResponse(raw), {
    bodies: new BufferedBodies(0),
    bodyPace: { seconds: 1, bytesPerSecond: 1 },
  });
  return new NodeRequest(raw, body, () => {
    throw new Error("nothing reads the body");
  });
}

const token = { issuer: null };
const readers = [
  { settings: { token: { kind: "authorization" }, ...token } },
  { settings: { token: { kind: "cookie", name: "a" }, ...token } },
] as const;
const readerOf = (index: 0 | 1) => [readers[index]];
const noDomains = { any: false, exact: new Set<string>(), wildcard: new Set(["https://*.a"]) };
const relayTexts = new RelayTexts({ cipher: new RelayCipher("key"), use: "cursor", isProtected: false });
const base64 = (text: string): string => Buffer.from(text).toString("base64url");
const geometry = (value: unknown): unknown => {
  checkGeometry(value, "$");
  return wellKnownText(value, "$");
};

const handlerAnswer = expressionOf(
  handlerResponseForm({
    output: {
      members: [
        { kind: "member", key: "id", name: "id" },
        { kind: "member", key: "to", name: "to", object: { members: [{ kind: "member", key: "city", name: "city" }] } },
      ],
    },
    reads: [],
    call: {
      result: {
        type: "[Order!]!",
        name: "Order",
        objects: new Map([
          [
            "Order",
            [
              { name: "id", type: "Int!" },
              { name: "to", type: "Address" },
            ],
          ],
          ["Address", [{ name: "city", type: "String" }]],
        ]),
        enums: new Set<string>(),
      },
    },
  }),
);

export const parsers: readonly Parser[] = [
  {
    name: "JSON, between other work",
    parse: (text) => runToCompletion(readJson(text)),
    frames: [
      ["", ""],
      ["[", "1]"],
      ['["', '"]'],
      ["[[],", "]"],
      ['[{"a":', "}]"],
    ],
    // Items that are parsed one by one.
    parts: ["12345678901234567,", '{"__proto__":1},', "[[],", "[1e5,[", '"\\"'],
  },
  {
    name: "JSON",
    parse: (text) => stringifyJson(parseJson(text)),
    frames: [
      ["", ""],
      ['"', '"'],
      ["[", "1]"],
      ["[", '"a"]'],
      ["0.1", "1"],
      ["[0.1", "1]"],
      ["1", "1"],
      ["1e", "1"],
      ['{"a":"', '"}'],
      ['{"a":"', ""],
      ["[12345678901234567890,", "1]"],
      ['["__proto__",', "1]"],
    ],
    parts: ["10", "0.10", '"\\"",', '{"a":1},', "12345678901234567890,", "[1],", '"\\\\",'],
  },
  {
    name: "JSON numbers of templates",
    parse: (text) => compareJson(numberOf(text), numberOf(`${text}1`)),
    frames: [
      ["0.1", "1"],
      ["1", "1"],
      ["1e", "1"],
    ],
  },
  {
    name: "files of the metadata directory",
    parse: (text) => parseJsonFile({ file: "a.json", text }, new Locations()),
    frames: [
      ["", ""],
      ['"', '"'],
      ["[", "1]"],
      ["0.1", "1"],
      ["[1", "1]"],
    ],
  },
  {
    name: "templates",
    parse: parseTemplate,
    frames: [
      ["", ""],
      ['"', '"'],
      ["'", "'"],
      ["{{ ", " }}"],
      ["{{ $body", " }}"],
      ['{"', '": 1}'],
      ["{{ if true }}", "{{ end }}"],
      ["[", "1]"],
      ["1", "1"],
    ],
    parts: [
      "{{ a }}",
      "[1",
      "not ",
      "== 1 ",
      "&& a ",
      "?.a",
      "['a']",
      "{{ if a }} ",
      "{{ range _, a := b }} ",
      "{{ elif a }}",
    ],
  },
  {
    name: "string templates",
    parse: parseStringTemplate,
    frames: [
      ["", ""],
      ["{{ ", " }}"],
    ],
  },
  {
    name: "URLs of templates",
    parse: (url) => [isAbsoluteUrl(url), withoutCredentials(url), withQuery(url, queryPairs(url))],
    frames: [
      ["", ""],
      ["https://a/", ""],
      ["https://a/?", ""],
      ["//", ""],
      ["https://a?a=1#", "\u0001"],
    ],
  },
  {
    name: "URLs of the configuration",
    parse: parseHttpUrl,
    frames: [
      ["", ""],
      ["https://", ""],
      ["https://a/", ""],
    ],
  },
  {
    name: "query strings",
    parse: (text) => {
      const { query } = requestOf(`/a?${text}`);
      return restVariables(
        { query: Object.entries(query).map(([name]) => [name, "1"]), body: null, path: new Map() },
        {},
      );
    },
    frames: [
      ["", ""],
      ["a=", ""],
    ],
  },
  { name: "X-Forwarded-For", parse: (text) => requestOf("/", { "x-forwarded-for": text }).ip, frames: plainFrames },
  {
    name: "Authorization",
    parse: (text) => findToken({ authorization: text }, readerOf(0)),
    frames: [
      ["", ""],
      ["Bearer ", ""],
      ["Bearer ", " a"],
    ],
  },
  {
    name: "Cookie",
    parse: (text) => findToken({ cookie: text }, readerOf(1)),
    frames: [
      ["", ""],
      ["a=", ""],
      ["b=1; ", "; a=1"],
    ],
    parts: ["a=1;", " a = 1 ;"],
  },
  {
    name: "tokens",
    parse: readCompactToken,
    frames: [
      ["", ""],
      ["a.", ".a"],
      [`${base64('{"alg":"HS256"}')}.`, ".AAAA"],
    ],
  },
  {
    name: "Accept-Encoding",
    parse: (text) => isCompressed(1000, text),
    frames: [
      ["", "gzip"],
      ["gzip;", ""],
      ["gzip;q=", ""],
    ],
  },
  {
    name: "Cache-Control",
    parse: parseCacheControl,
    frames: [
      ["", ""],
      ["max-age", ""],
      ['a="', ""],
      ["a", "b"],
    ],
    parts: ["a=1,", 'a="1",', "a , "],
  },
  {
    name: "x-engine headers",
    parse: (text) => [
      trustedSession({ "x-engine-user-id": text, "x-engine-role": text }),
      forwardableHeaders({ a: text, [text]: "a" }),
    ],
    frames: plainFrames,
  },
  {
    name: "replies of webhooks",
    parse: (text) => readHookReply({ status: 200, headers: {}, text }, { now: 0, alias: null, warn: () => undefined }),
    frames: [
      ["", ""],
      ['{"Cache-Control":"', '"}'],
      ['{"x-engine-role":"', '"}'],
    ],
  },
  {
    name: "CORS domains",
    parse: parseCorsDomains,
    frames: [
      ["", ""],
      ["https://", ""],
      ["https://*.", ""],
      ["https://[", "]"],
      ["https://a", ":1x"],
    ],
    parts: ["a.", "a-", "https://a,", "https://*.a,"],
  },
  {
    name: "origins",
    parse: (text) => allowsOrigin(noDomains, text),
    frames: [
      ["", ""],
      ["https://", ""],
    ],
  },
  {
    name: "GraphQL",
    parse: (text) => comparedForm(readOperation(text, null).document),
    frames: [
      ["", ""],
      ["{a ", "}"],
      ['{a(b:"', '"){c}}'],
      ['{a(b:"""', '"""){c}}'],
      ["{a(b:[", "1]){c}}"],
      ["{a(b:1", "){c}}"],
      ["query(", ") {a}"],
      ["#", "\n{a}"],
      ["{a}", ""],
      ["query a ", "{a}"],
      ["{a ...F}", ""],
    ],
    parts: [
      "{a ",
      "a{b}",
      "...F ",
      "@a ",
      "@include(if: $a) ",
      "$a: a ",
      "$a:[a]! ",
      "a:1 ",
      "[[[",
      "{a:",
      "{a:1},",
      "__typename ",
      "fragment F on a{a} ",
      "... on a{a}",
      '"a" ',
      '"""a\n""" ',
      "\\u{1F600}",
      ' \n"',
      "#\n",
    ],
  },
  {
    name: "PostgreSQL connection strings",
    parse: parseConnectionString,
    frames: [
      ["", ""],
      ["postgres://", ""],
      ["postgres://a:", "@b/c"],
      ["postgres://[", "]/a"],
      ["postgres://a/b?", ""],
      ["host=a ", ""],
      ["host='", "'"],
      ["host", "=a"],
      ["host=", " x"],
      ["host='a'", "x"],
    ],
    parts: ["a=b ", "a='b' ", "a = b ", "\\a", "a=b&"],
  },
  {
    name: "SQL Server connection strings",
    parse: (text) =>
      driverConfiguration(
        { connection: new ConnectionString(text), maxConnections: 1, idleTimeoutSeconds: 1 },
        mssql.ConnectionPool.parseConnectionString,
      ),
    frames: [
      ["", ""],
      ["Server=a;", ""],
      ["Server=", ""],
      ["Server={", "}"],
      ["Server='", "'"],
      ["Server=a;Encrypt", "x"],
      ["Server=a;Encrypt=a", "x"],
      ["mssql://", ""],
      ["mssql://a/", ""],
    ],
    parts: ["a=b;", "a={b};", "a='b';", "}}", "''", ";Encrypt ", ";Encrypt=a ", "Application Intent = "],
  },
  {
    name: "connection strings in logs",
    parse: redactUrl,
    frames: [
      ["", ""],
      ["@", ""],
      ["postgres://", ""],
      ["password", ""],
      ["password='", ""],
    ],
    parts: ["://a:", "://[", "://a:1", "://a@", "password", "password=", "password = '", "password='\\"],
  },
  {
    name: "metadata that is shown",
    parse: (text) => redactor()(text),
    frames: [
      ["", ""],
      ["a://a:", ""],
      ["password=", ""],
    ],
    parts: ["pwd={ ", "pwd=' ", "pwd='\\", "pwd= ", "pwd ", "a://a:a@"],
  },
  {
    name: "texts in reports",
    parse: (text) => [codeSpan(text), htmlCode(text), printable(text)],
    frames: plainFrames,
    parts: [" \r", "\n\n"],
  },
  {
    name: "SQL statements",
    parse: splitStatements,
    frames: [
      ["", ""],
      ["select 1", ""],
      ["$a$", ""],
      ["E'", ""],
      ["/*", ""],
      ["create function a() begin atomic ", ""],
    ],
    parts: ["$a", "$$", "$a$ $b$ ", "E'\\'", "/*/", "begin atomic ", "case ", "end;", "select 1;", "--\n", "''"],
  },
  {
    name: "global ids and cursors",
    parse: (text) => {
      for (const id of [text, base64(text)]) {
        nodeIdStructure(id, relayTexts);
        cursorStructure(id, relayTexts);
        try {
          decodeNodeId(id, relayTexts, "$");
        } catch {
          decodeCursor(id, relayTexts, "$", "$").value(["a"]);
        }
      }
    },
    frames: [
      ["", ""],
      ['[1,"a","b",', "1]"],
      ['{"a":"', '"}'],
      ["[0.1", "1]"],
    ],
  },
  {
    name: "usual answers of handlers",
    parse: (text) => handlerAnswer?.test(text),
    frames: [
      ["", ""],
      ['[{"id":1,"to":{"city":"', '"}}]'],
      ['[{"id":1', "}]"],
      ['[{"id":"a","to":[{"city":1},', "]}]"],
    ],
    parts: ['{"id":1,"to":{"city":"a"}},', '\\"', "1", "9.", '{"city":1},', '{"city":1}'],
  },
  {
    name: "WebSocket messages",
    parse: (text) => readClientMessage(parseJson(text), () => undefined),
    frames: [
      ["", ""],
      ['{"type":"ping","payload":0.1', "1}"],
      ['{"type":"connection_init","payload":{"headers":{"a":"', '"}}}'],
      ['{"type":"', '"}'],
      ['{"type":"subscribe","id":"', '","payload":{"query":"{a}"}}'],
    ],
  },
  {
    name: "cron schedules",
    parse: isCronSchedule,
    frames: [
      ["", ""],
      ["* * * * ", ""],
      ["*", "* * * *"],
    ],
    parts: ["* ", "1-2,", "*/1,", "1/"],
  },
  {
    name: "GeoJSON",
    parse: (text) => geometry(JSON.parse(text)),
    frames: [
      ['{"type":"Point","coordinates":[', "1]}"],
      ['{"type":"LineString","coordinates":[', "[1,1]]}"],
      ['{"type":"Polygon","coordinates":[', "[[1,1],[1,1],[1,1],[1,1]]]}"],
      ['{"type":"GeometryCollection","geometries":[', '{"type":"Point","coordinates":[]}]}'],
    ],
    parts: ["[1,1],", "[[1,1],[1,1],[1,1],[1,1]],", '{"type":"Point","coordinates":[1,1]},', "[],"],
  },
  {
    name: "environment templates",
    parse: (text) => [
      missingVariables(text, {}),
      resolveTemplate(text, {}),
      resolveEnvironmentValue(text, { variables: {} }),
    ],
    frames: [
      ["", ""],
      ["{{", ""],
      ["{{", "}"],
      ["{{a", "{"],
    ],
    parts: ["{{ ", "{{a}}", " }", "{{a}"],
  },
  {
    name: "native queries",
    parse: (text) => [splitAtArguments(text), fillArguments(text, (name) => name)],
    frames: [
      ["", ""],
      ["{{", ""],
      ["{{", "}"],
      ["select 1", "x"],
    ],
    parts: ["{{ ", "{{a}}", "{{a}", " ; "],
  },
  {
    name: "JSON paths",
    parse: parseJsonPath,
    frames: [
      ["", ""],
      ["$", "!"],
      ['$["', '"]'],
      ["$['", "']"],
      ["$.a", "!"],
    ],
    parts: [".a", "[1]", '["a"]', "['a']", '["', '["\\'],
  },
  {
    name: "column values",
    parse: (text) => [encodeRaster(text, "$"), encodeLtree(text, "$")],
    frames: [
      ["", ""],
      ["", "!"],
      ["aa", "g"],
    ],
    parts: ["ab", "a.b."],
  },
];
