/** What Apollo federation adds to the query type of a subgraph (`graphql-api.md` 11). */

import { lazy, sortedMap } from "../../values/lazy.ts";
import { rootCall } from "../definitions/root-call.ts";
import type { TableView } from "../definitions/view.ts";
import { objectType } from "./output-types.ts";
import { queryArgument } from "./query-argument.ts";
import type { TypeRegistry } from "./registry.ts";
import { representationStructure } from "./representations.ts";
import {
  type AbstractTypeDef,
  noArguments,
  type ObjectTypeDef,
  type OutputField,
  type ScalarTypeDef,
} from "./types.ts";

type Named = readonly [string, OutputField];

/** `_service`, and `_entities` where there are some. */
export function federationFields(types: TypeRegistry, views: readonly TableView[]): readonly Named[] {
  return views.length === 0 ? [serviceField(types)] : [entitiesField(types, views), serviceField(types)];
}

const required = { list: false, required: true, args: noArguments } as const;

function serviceField(types: TypeRegistry): Named {
  const sdl: OutputField = {
    ...required,
    type: () => types.scalar("String"),
    description: () => "SDL representation of schema",
    meta: { kind: "sdl" },
  };
  const type = () =>
    types.get<ObjectTypeDef>("_Service", () => ({
      kind: "object",
      name: "_Service",
      fields: () => new Map([["sdl", sdl]]),
    }));
  // A namespace: an object whose fields are answered one by one.
  return ["_service", { ...required, type, meta: { kind: "namespace", root: rootCall({ kind: "service" }) } }];
}

const anyType: ScalarTypeDef = {
  kind: "scalar",
  name: "_Any",
  description: "Scalar _Any",
  structure: representationStructure,
};

function entitiesField(types: TypeRegistry, views: readonly TableView[]): Named {
  const named = lazy(() => sortedMap(views.map((view) => [objectType(types, view).name, view])));
  const type = () =>
    types.get<AbstractTypeDef>("_Entity", () => ({
      kind: "union",
      name: "_Entity",
      description: "A union of all types that use the @key directive",
      fields: noFields,
      types: lazy(() => sortedMap([...named()].map(([name, view]) => [name, objectType(types, view)]))),
    }));
  const representations = queryArgument(() => anyType, undefined, { list: true, required: true });
  return [
    "_entities",
    {
      type,
      list: true,
      required: true,
      nullableItems: true,
      description: () => "query _Entity union",
      args: () => new Map([["representations", representations]]),
      meta: { kind: "entities", entities: named, root: rootCall({ kind: "entities" }) },
    },
  ];
}

const noFields = () => new Map<string, OutputField>();
