const blank = /^(?:[\s,\uFEFF]|#.*)*$/;

/** Returns true for documents without any token, which have nothing to validate. */
export const isBlank = (text: string): boolean => blank.test(text);
