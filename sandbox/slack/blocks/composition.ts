import { type Fields, isFields, listAt } from '../fields.ts';
import {
  choice,
  type Findings,
  flag,
  list,
  type Members,
  may,
  need,
  object,
  type Rule,
  string,
  url,
} from './rules.ts';

const maxText = 3_000;

/** A text object of the given kinds, 1 to `max` characters. */
export function text(
  max = maxText,
  kinds: readonly ('plain_text' | 'mrkdwn')[] = ['plain_text', 'mrkdwn'],
): Rule {
  const rule = object({
    type: need(choice(...kinds)),
    text: need(string({ min: 1, max })),
    emoji: may(flag),
    verbatim: may(flag),
  });
  return (value, at, findings) => {
    const before = findings.lines.length;
    rule(value, at, findings);
    if (isFields(value) && value.type === 'mrkdwn' && value.emoji !== undefined) {
      findings.add(at, 'invalid additional property: emoji');
    }
    if (isFields(value) && findings.lines.length > before) {
      findings.addBefore(before, at, 'failed to match all allowed schemas');
    }
  };
}

export function plain(max = maxText): Rule {
  return text(max, ['plain_text']);
}

export const confirm: Rule = object({
  title: need(plain(100)),
  text: need(text(300)),
  confirm: need(plain(30)),
  deny: need(plain(30)),
  style: may(choice('primary', 'danger')),
});

const optionMembers: Members = { value: need(string({ max: 150 })) };

/** An option of a select or multi-select menu. */
export const menuOption: Rule = object({
  ...optionMembers,
  text: need(plain(75)),
  description: may(plain(75)),
});

/** An option of checkboxes or radio buttons, which may contain mrkdwn. */
export const markedOption: Rule = object({
  ...optionMembers,
  text: need(text(75)),
  description: may(text(75)),
});

export const overflowOption: Rule = object({
  ...optionMembers,
  text: need(plain(75)),
  description: may(plain(75)),
  url: may(url),
});

export const optionGroup: Rule = object({
  label: need(plain(75)),
  options: need(list(menuOption, { min: 1, max: 100 })),
});

export const dispatchConfig: Rule = object({
  trigger_actions_on: may(list(choice('on_enter_pressed', 'on_character_entered'), { min: 1 })),
});

export const actionId: Rule = string({ max: 255 });
export const blockId: Rule = string({ max: 255 });

/** Members common to all blocks. */
export const base: Members = { type: need(string()), block_id: may(blockId) };

/** `options` and `option_groups` exclude each other, and preselected options must be among them. */
export function menuChecks(value: Fields, at: string, findings: Findings): void {
  const groups = listAt(value, 'option_groups');
  if ((value.options === undefined) === (value.option_groups === undefined)) {
    findings.add(at, 'must provide exactly one of: options, option_groups');
  }
  const known = [...listAt(value, 'options'), ...groups.flatMap((group) => listAt(group, 'options'))];
  checkInitial(value, at, known, findings);
}

export function checkInitial(value: Fields, at: string, known: readonly Fields[], findings: Findings): void {
  const values = new Set(known.map((option) => option.value));
  const wanted: (readonly [unknown, string])[] = listAt(value, 'initial_options').map(
    (option, index) => [option.value, `${at}/initial_options/${index}`] as const,
  );
  if (isFields(value.initial_option)) wanted.push([value.initial_option.value, `${at}/initial_option`]);
  for (const [one, where] of wanted) {
    if (!values.has(one)) findings.add(where, 'must match one of the provided options');
  }
}
