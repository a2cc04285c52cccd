/** Bytes of one file of known errors. */
export const maxBytes = 5_000_000;
export const maxErrors = 20_000;
/** Characters of one text of an error. */
export const maxWords = 4_000;
