/** A JSON object with unknown members. */
export type Fields = Record<string, unknown>;

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function isFieldsList(value: unknown): value is Fields[] {
  return Array.isArray(value) && value.every(isFields);
}

/** The member as an object, or an empty one if it is something else. */
export function fieldsAt(parent: Fields, key: string): Fields {
  const value = parent[key];
  return isFields(value) ? value : {};
}

/** The member as a list of objects; leaves out anything else. */
export function listAt(parent: Fields, key: string): Fields[] {
  const value = parent[key];
  return Array.isArray(value) ? value.filter(isFields) : [];
}

export function stringAt(parent: Fields, key: string): string | undefined {
  const value = parent[key];
  return typeof value === 'string' ? value : undefined;
}

/** A copy without undefined members, as in JSON. */
export function compact(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
