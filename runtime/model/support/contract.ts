/**
 * Version of the contract between generated code and runtime. Raised when generated modules of an older compiler
 * no longer mean the same; an artifact built for another version is refused.
 */
export const contractVersion = 2;
