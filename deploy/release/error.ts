/** A release that must not be made; the message says what to do. */
export class ReleaseError extends Error {}
