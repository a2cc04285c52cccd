import type { CaseStep, EvalCase } from './cases.ts';

type CaseValue = CaseStep['args'][string];

const phrases = /^(text|summary|description|about|query|input|text_has)$/;
const messages = /^(slack\.post|jira\.comment|pagerduty\.note)$/;
const small = new Set(
  'a an the that this is are was be it its s our of in for to on at about please because'.split(' '),
);
const orders =
  'page|wake|alert|notify|tell|ping|dm|message|warn|post|send|share|put|comment|note|ack|resolve|close|create|open|raise|file';

/** Arguments that hold words instead of a single value. */
export function isPhrase(name: string): boolean {
  return phrases.test(name);
}

function flat(value: CaseValue | undefined): string {
  const text = [value ?? ''].flat().map(String).join(' ');
  return text.toLowerCase().replace(/[“”]/g, '"').replace(/’/g, "'").replace(/\s+/g, ' ').trim();
}

function refs(text: string): string[] {
  return text.match(/\$\w+/g) ?? [];
}

function words(text: string): string[] {
  return (text.replace(/\$\w+/g, ' ').match(/[\p{L}\p{N}]+/gu) ?? []).filter((word) => !small.has(word));
}

/** Words of `has` that `wanted` does not contain, however often. */
function surplus(has: string, wanted: string): string[] {
  const known = new Set(words(wanted));
  return words(has).filter((word) => !known.has(word));
}

function isQuoted(wanted: string, entry: EvalCase): boolean {
  return wanted !== '' && flat(entry.text).includes(`"${wanted}"`);
}

function bare(text: string): string {
  return text.replace(/^["'\s]+|["'\s.!?]+$/g, '');
}

function wrongText(entry: EvalCase, wanted: string, has: string, isRead: boolean): string | null {
  const plain = has.replace(/\$\w+/g, ' ');
  const said = bare(wanted.replace(/\$\w+/g, ' ').trim());
  const shown = JSON.stringify(has);
  if (!plain.replace(/\s+/g, ' ').includes(said)) return `says ${shown}, not ${JSON.stringify(wanted)}`;
  if (refs(wanted).some((ref) => !refs(has).includes(ref))) return `${shown} leaves out ${wanted}`;
  if (refs(wanted).length === 0 && refs(has).length > 0)
    return `${shown} tells results that nobody asked to tell`;
  if (refs(wanted).length > 0 && said === '') return null;
  const more = surplus(has, wanted);
  const allowed = isRead ? 2 : 0;
  if (more.length > allowed) return `${shown} has more than was to be said: ${more.join(' ')}`;
  if (!isRead && isQuoted(said, entry) && bare(plain.trim()) !== said) return `${shown} is not the quotation`;
  return null;
}

/** An order that ended up in a message: "… and page ops-core". */
function swallowed(entry: EvalCase, text: string, own: string): string | null {
  for (const step of entry.steps) {
    for (const name of ['service', 'channel', 'user', 'key', 'incident', 'project']) {
      const target = flat(step.args[name]).replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
      if (target === '' || target.startsWith('\\$') || own.includes(flat(step.args[name]))) continue;
      if (new RegExp(`\\b(?:${orders})\\s(?:\\S+\\s){0,3}${target}(?![\\w-])`).test(text)) return target;
    }
  }
  return null;
}

function textOf(step: CaseStep): string {
  return flat(['text', 'summary', 'description'].flatMap((name) => step.args[name] ?? []));
}

/** Problems with the words a step searches for or writes. */
export function wrongPhrase(
  entry: EvalCase,
  wanted: CaseStep,
  found: CaseStep,
  paired: (id: string) => string,
): string[] {
  const wrong: (string | null)[] = [];
  const isRead = !messages.test(found.tool) && !/\.(page|create)$/.test(found.tool);
  for (const [name, value] of Object.entries(wanted.args)) {
    if (!isPhrase(name) || name === 'text_has') continue;
    const translated = flat(value).replace(/\$(\w+)/g, (_, id: string) => `$${paired(id)}`);
    const has = flat(found.args[name]);
    wrong.push(wrongText(entry, translated, has, isRead));
    if (name === 'input' && refs(has).length > refs(translated).length) wrong.push(`summarizes ${has}`);
  }
  const all = flat(Object.values(found.args).flat());
  const parts = [wanted.args.text_has ?? []].flat().map(flat);
  for (const part of parts) if (!all.includes(part)) wrong.push(`does not say ${JSON.stringify(part)}`);
  if (messages.test(found.tool) && textOf(found) === '') wrong.push('says nothing');
  const isWholeRequest = found.tool === 'pagerduty.page' && textOf(found) === flat(entry.text);
  if (!isRead && !isWholeRequest && wanted.args.text === undefined) {
    const target = swallowed(entry, textOf(found), parts.join(' '));
    if (target !== null) wrong.push(`the order to ${target} became text`);
  }
  return wrong.filter((remark) => remark !== null);
}
