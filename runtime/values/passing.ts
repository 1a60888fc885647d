/**
 * How many modules, and their code, stay of those that are made for walks of whole schemas, as introspection is: who asks
 * again after a change of the metadata has those of a role with 500 tables at once. Some 15 KB each.
 */
export const passingKept = 1_000;
