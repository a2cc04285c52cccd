/** Values of a form by block id; a list for checkboxes. Empty inputs are null. */
export type FormValues = ReadonlyMap<string, string | readonly string[] | null>;
