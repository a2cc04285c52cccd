/** What `/plan` takes beside a goal. */
export type Subcommand = { readonly kind: 'list' } | { readonly kind: 'save'; readonly name: string } | null;

/** `list` and `save <name>` alone; anything else is a goal. */
export function readSubcommand(text: string): Subcommand {
  const words = text.trim();
  if (/^list( playbooks)?$/i.test(words)) return { kind: 'list' };
  const name = /^save\s+([a-z][a-z0-9-]{1,60})$/i.exec(words)?.[1];
  return name === undefined ? null : { kind: 'save', name: name.toLowerCase() };
}
