/** The access of roles from objects of remote schemas. */
import { buildSchema, introspectionFromSchema } from "graphql";
import { expect, it } from "vitest";
import { readRemoteShape } from "../../../compiler/1-introspect/read-remote-shape.ts";
import { article, articles, select } from "./metadata.ts";
import { access, lines } from "./sample.ts";

const sdl = "type Parcel { id: Int!, note: String } type Query { parcel(id: Int!): Parcel }";
const { __schema } = introspectionFromSchema(buildSchema(sdl));
const remoteIntrospections = new Map([["post", readRemoteShape(JSON.parse(JSON.stringify(__schema)))]]);

const toArticle = (relationship_type: string) => ({
  to_source: { source: "default", table: article, relationship_type, field_mapping: { id: "id" } },
});
const toParcel = {
  to_remote_schema: {
    remote_schema: "post",
    lhs_fields: ["id"],
    remote_field: { parcel: { arguments: { id: "$id" } } },
  },
};

function withRelationships(relationships: object, roles = ["user"]) {
  const post = {
    name: "post",
    definition: { url: "https://post.example" },
    permissions: roles.map((role) => ({ role, definition: { schema: sdl } })),
    remote_relationships: [
      {
        type_name: "Parcel",
        relationships: Object.entries(relationships).map(([name, definition]) => ({ name, definition })),
      },
    ],
  };
  return access(articles({ select_permissions: [select({})] }, { remote_schemas: [post] }), { remoteIntrospections });
}

const parcel = "user type Parcel of remote schema post: relationship";

it("Access through remote relationships is reported for each role", () => {
  const [none, one] = [withRelationships({}), withRelationships({ article: toArticle("object") })];
  expect(lines(none, one)).toEqual([`${parcel} article added = widens`]);
  expect(lines(one, none)).toEqual([`${parcel} article removed = narrows`]);
  expect(lines(one, withRelationships({ article: toArticle("array"), next: toParcel }))).toEqual([
    `${parcel} article changed = may widen`,
    `${parcel} next added = widens`,
  ]);
});

it("A remote relationship is not reported for roles without access to its target", () => {
  const roles = ["user", "reader"];
  const [none, one] = [withRelationships({}, roles), withRelationships({ article: toArticle("object") }, roles)];
  expect(lines(none, one)).toEqual([`${parcel} article added = widens`]);
  const [unused, also] = [withRelationships({}, []), withRelationships({ article: toArticle("object") }, [])];
  expect(lines(unused, also)).toEqual([]);
});

it("Access through remote relationships is reported for inherited roles like for their parents", () => {
  const inherited = { inherited_roles: [{ role_name: "staff", role_set: ["user", "reader"] }] };
  const post = (schema: string) => ({
    name: "post",
    definition: { url: "https://post.example" },
    permissions: [{ role: "user", definition: { schema } }],
  });
  const ofDocument = (schema: string) =>
    access(
      articles(
        { select_permissions: [select({}), select({}, "reader")] },
        { ...inherited, remote_schemas: [post(schema)] },
      ),
      {
        remoteIntrospections,
      },
    );
  const less = "type Parcel { id: Int! } type Query { parcel(id: Int!): Parcel }";
  const widened = lines(ofDocument(less), ofDocument(sdl)).filter((line) => line.startsWith("staff"));
  expect(widened).not.toEqual([]);
  expect(widened).toEqual(
    lines(ofDocument(less), ofDocument(sdl)).flatMap((line) =>
      line.startsWith("user") ? line.replace("user", "staff") : [],
    ),
  );
});
