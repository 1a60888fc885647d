/** Parses OAuth scopes, which are separated by spaces (RFC 6749, section 3.3). */
export const parseScopes = (text: string): readonly string[] => text.split(" ").filter((scope) => scope !== "");
