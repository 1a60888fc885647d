/**
 * A stand-in for pgvector, which the tests cannot install: a type with the same name, text form and operators. It does
 * not check the dimensions of values, and has no indexes.
 */

const distance = (name: string, symbol: string, type: string, expression: string): string => `
  create function ext.${name}(a ext.${type}, b ext.${type}) returns float8 language sql immutable strict as $$
    select ${expression} from unnest(translate($1::text, '[]', '{}')::float8[], translate($2::text, '[]', '{}')::float8[]) v(x, y)
  $$;
  create operator ext.${symbol} (leftarg = ext.${type}, rightarg = ext.${type}, function = ext.${name});`;

const vectorType = (type: string): string => `
  create type ext.${type};
  create function ext.${type}_in(cstring) returns ext.${type} language internal immutable strict as 'textin';
  create function ext.${type}_out(ext.${type}) returns cstring language internal immutable strict as 'textout';
  create type ext.${type} (input = ext.${type}_in, output = ext.${type}_out, like = text);
  ${distance("l2_distance", "<->", type, "sqrt(sum((x - y) ^ 2))")}
  ${distance("cosine_distance", "<=>", type, "1 - sum(x * y) / sqrt(sum(x * x) * sum(y * y))")}
  ${distance("negative_inner_product", "<#>", type, "-sum(x * y)")}
  ${distance("l1_distance", "<+>", type, "sum(abs(x - y))")}`;

/** SQL that creates the types `vector` and `halfvec` in the schema `ext`; requires a superuser. */
export const vectorTypes = `create schema ext; ${vectorType("vector")} ${vectorType("halfvec")}`;
