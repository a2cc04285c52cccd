import type { Catalogue } from '../../../core/catalogue.ts';
import type { PlanningInput } from '../../../core/planning.ts';
import { startsWrite } from '../words/grammar.ts';
import { type Lexicon, readGoal } from '../words/normalise.ts';
import { ofKind, type Token } from '../words/token.ts';

/** What a person answered to earlier questions, by the slot it fills. */
export interface Given {
  service?: string;
  project?: string;
  priority?: string;
  key?: string;
  incident?: string;
  status?: string;
  channel?: string;
  user?: string;
  text?: string;
  /** A condition in words: "20 or more", "more than 10 in PAY". */
  condition?: readonly Token[];
  /** Names that are not known here, and what was meant by each. */
  instead?: ReadonlyMap<string, string>;
  /** A goal said anew. */
  goal?: string;
  /** The answer to a contradiction: do it, or leave it. */
  wanted?: boolean;
}

const bare = (text: string): string => text.trim().replace(/^["'“”]+|["'“”.!]+$/g, '');

function names(text: string): string[] {
  return bare(text)
    .split(/[\s,]+/)
    .filter((word) => /\p{L}/u.test(word) && /^[#@]?[\p{L}\p{N}][\p{L}\p{N}._-]*$/u.test(word));
}

/** The catalogue's entry that an answer names, else its last word that looks like a name. */
function named(answer: string, known: readonly string[]): string | undefined {
  const words = names(answer);
  const found = known.find((name) =>
    words.some((word) => word.replace(/^[#@]/, '').toLowerCase() === name.toLowerCase()),
  );
  return found ?? (known.length === 0 || words.length === 1 ? words.at(-1)?.replace(/^[#@]/, '') : undefined);
}

function fill(
  given: Given,
  slot: string,
  answer: string,
  tokens: readonly Token[],
  catalogue: Catalogue,
): void {
  const key = ofKind(tokens, 'key')[0]?.word;
  const id = ofKind(tokens, 'id', 'number')[0]?.word;
  switch (slot) {
    case 'service':
      given.service =
        named(
          answer,
          catalogue.services.map((entry) => entry.name),
        ) ??
        given.service ??
        bare(answer);
      break;
    case 'project': {
      const project =
        ofKind(tokens, 'project')[0]?.word ??
        named(
          answer,
          catalogue.projects.map((entry) => entry.key),
        )?.toUpperCase();
      if (project !== undefined) given.project = project;
      break;
    }
    case 'ticket':
    case 'ticket_or_incident':
    case 'incident':
      if (key !== undefined) given.key = key;
      else if (id !== undefined) given.incident = id;
      break;
    case 'audience':
    case 'channel':
    case 'user': {
      const words = names(answer).map((word) => word.toLowerCase());
      const person = catalogue.people.find(({ handle }) => words.includes(handle.toLowerCase()));
      const user = ofKind(tokens, 'user')[0]?.word ?? (person ? `@${person.handle}` : undefined);
      // "Page payments", where somebody to tell was asked for: another order.
      if (user === undefined && startsWrite(tokens, 0)) {
        given.goal = answer;
        break;
      }
      const channel =
        ofKind(tokens, 'channel')[0]?.word ??
        named(
          answer,
          catalogue.channels.map((entry) => entry.name),
        );
      if (user !== undefined) given.user = user;
      else if (channel !== undefined) given.channel = channel.startsWith('#') ? channel : `#${channel}`;
      break;
    }
    case 'threshold':
    case 'condition':
      given.condition = tokens;
      break;
    case 'priority':
      given.priority = ofKind(tokens, 'priority')[0]?.word ?? bare(answer);
      break;
    case 'status':
      given.status = bare(answer);
      break;
    case 'text':
    case 'what':
      given.text = bare(answer);
      break;
    case 'contradiction':
      given.wanted = !/\b(no|not|don'?t|never|neither|none|nothing|without|leave|skip)\b/i.test(answer);
      break;
    default:
      given.goal = answer;
  }
}

/** "From how many on?" is also answered by the number alone. */
function inFull(answer: string, missing: readonly string[]): string {
  const alone = missing.includes('threshold') && /^\d+$/.test(bare(answer));
  return alone ? `at least ${bare(answer)}` : answer;
}

/** As `settle.ts` asks about a name. */
const unknownName = /“([^”]+)” here\. Which one do you mean\?$/;

/** Reads the answers of a conversation into slots; later answers win. */
export function givenBy(answers: PlanningInput['answers'], catalogue: Catalogue, lexicon: Lexicon): Given {
  const instead = new Map<string, string>();
  const given: Given = { instead };
  for (const { question, missing, answer } of answers) {
    const unknown = unknownName.exec(question)?.[1];
    if (unknown !== undefined) instead.set(unknown, bare(answer));
    const { tokens } = readGoal(inFull(answer, missing), catalogue, lexicon);
    const slots = missing.length > 0 ? missing : ['goal'];
    const several = slots.length > 1 && slots.includes('what');
    for (const slot of several ? slots.filter((name) => name !== 'what') : slots)
      fill(given, slot, answer, tokens, catalogue);
  }
  return given;
}
