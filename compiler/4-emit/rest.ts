/** Emits `rest/<endpoint>.ts` and `rest/routes.ts`: REST endpoints and the route tree. */
import { pathSegments } from "../../runtime/model/definitions/rest/endpoint.ts";
import type { RestEndpointIr, RestRoutesIr, RouteNodeIr } from "../3-lower/ir.ts";
import { stringLiteral } from "./escape.ts";
import { camelCase } from "./identifiers.ts";
import { type Code, call, group, object, shorthand, thunk } from "./layout.ts";
import { ModuleBuilder, type ModuleText } from "./module-builder.ts";
import { operationPath, restEndpointPath, restRoutesPath } from "./paths.ts";
import { member } from "./sources.ts";

export function emitRestEndpoint(endpoint: RestEndpointIr, slice: string): ModuleText {
  const { name, path, methods, comment, operation } = endpoint;
  const header = { from: `REST endpoint ${name}`, slice };
  const module = new ModuleBuilder(restEndpointPath(name), header, ["endpoint"]);
  const properties = [
    member("name", stringLiteral(name)),
    member("path", stringLiteral(path)),
    member("methods", group("[", methods.map(stringLiteral), "]")),
    ...(comment === undefined ? [] : [member("comment", stringLiteral(comment))]),
    shorthand(module.import(operationPath(operation), "operation")),
  ];
  const define = module.support("restEndpoint");
  const url = `/api/rest/${pathSegments(path).join("/")}`;
  const title = `${methods.join(", ")} ${url}: query ${operation.name} of collection ${operation.collection}.`;
  module.export([title, ...(comment === undefined ? [] : [comment])], "endpoint", call(define, object(properties)));
  return module.print();
}

export function emitRestRoutes({ root }: RestRoutesIr, slice: string): ModuleText {
  const module = new ModuleBuilder(restRoutesPath, { from: "REST endpoints", slice }, ["routes"]);
  const type = module.supportType("RouteNode");
  const comment = "Endpoints by the path segments below /api/rest/; `variable` matches any segment.";
  module.export([comment], "routes", nodeCode(module, root), type);
  return module.print();
}

function nodeCode(module: ModuleBuilder, { literals, variable, endpoints }: RouteNodeIr): Code {
  const children = literals.map(({ segment, node }) => member(segment, nodeCode(module, node)));
  const ends = endpoints.map((name) => thunk(module.import(restEndpointPath(name), "endpoint", camelCase(name))));
  return object([
    ...(children.length === 0 ? [] : [member("literals", group("{ ", children, " }"))]),
    ...(variable ? [member("variable", nodeCode(module, variable))] : []),
    ...(ends.length === 0 ? [] : [member("endpoints", group("[", ends, "]"))]),
  ]);
}
