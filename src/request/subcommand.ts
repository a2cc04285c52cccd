/** What `/plan` takes beside a goal. */
export type Subcommand =
  | { readonly kind: 'help' }
  | { readonly kind: 'list' }
  /** `name` is null where none was given, or one that no playbook can have. */
  | { readonly kind: 'save'; readonly name: string | null }
  | null;

const help =
  /^(?:help(?: me)?|\?+|usage|commands|what (?:can|do) you do|how does (?:this|it) work)\s*[?!.]*$/i;
/** `run` without a name is a question for the list. */
const list = /^(?:list(?: playbooks)?|run(?: (?:a|the) playbook)?|playbooks)$/i;
/** A name may be typed as words: "save my check" is my-check. */
const save = /^save((?:\s+\S+)?|(?:\s+[\w-]+){2,3})$/i;
const name = /^[a-z][a-z0-9-]{1,60}$/;

/** These words alone; anything else is a goal. */
export function readSubcommand(text: string): Subcommand {
  const words = text.trim();
  if (help.test(words)) return { kind: 'help' };
  if (list.test(words)) return { kind: 'list' };
  const saved = save.exec(words);
  if (saved === null) return null;
  const given = (saved[1] ?? '')
    .trim()
    .toLowerCase()
    .replace(/[\s_]+/g, '-');
  return { kind: 'save', name: name.test(given) ? given : null };
}
