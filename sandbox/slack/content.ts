import type { Args } from './api/args.ts';
import { blocksTooLong, checkBlocks } from './blocks/validate.ts';
import { refusal, SlackApiError } from './errors.ts';
import { type Fields, fieldsAt, isFields, isFieldsList, stringAt } from './fields.ts';
import type { MessageMetadata } from './model.ts';
import type { SlackState } from './state.ts';
import { linkNames, storedBlocks, storedText } from './text.ts';

/** A message's content, already in Slack's stored form. Undefined members were not given. */
export interface Content {
  readonly text?: string;
  readonly blocks?: Fields[];
  readonly attachments?: Fields[];
  /** Null removes the metadata. */
  readonly metadata?: MessageMetadata | null;
}

export interface ContentRules {
  readonly state: SlackState;
  readonly unknownBlocks: readonly string[];
  /** Maximum length of the text. chat.update rejects more than 4,000 characters, posting more than 40,000. */
  readonly maxText: number;
  /** The limit on all blocks together applies to the chat methods, not to response URLs. */
  readonly limitBlocks: boolean;
}

/** Reads and checks text, blocks, attachments and metadata; throws SlackApiError with Slack's code. */
export function contentOf(args: Args, rules: ContentRules): Content {
  const text = textOf(args, rules);
  const blocks = blocksOf(args, rules);
  const attachments = attachmentsOf(args, rules);
  const metadata = metadataOf(args);
  return {
    ...(text === undefined ? {} : { text }),
    ...(blocks === undefined ? {} : { blocks }),
    ...(attachments === undefined ? {} : { attachments }),
    ...(metadata === undefined ? {} : { metadata }),
  };
}

export function isEmpty(content: Content): boolean {
  const { text, blocks, attachments } = content;
  return (text ?? '').trim() === '' && (blocks ?? []).length === 0 && (attachments ?? []).length === 0;
}

function textOf(args: Args, rules: ContentRules): string | undefined {
  const raw = args.string('text');
  if (raw === undefined) return undefined;
  if (raw.length > rules.maxText) throw new SlackApiError('msg_too_long');
  const live =
    args.flag('link_names') || args.string('parse') === 'full' ? linkNames(raw, rules.state.names()) : raw;
  return storedText(live);
}

function blocksOf(args: Args, rules: ContentRules): Fields[] | undefined {
  const markdown = args.string('markdown_text');
  if (markdown !== undefined && (args.has('blocks') || args.has('text'))) {
    throw new SlackApiError('markdown_text_conflict');
  }
  if (markdown !== undefined && markdown.length > 12_000) throw new SlackApiError('msg_too_long');
  const blocks =
    markdown === undefined
      ? args.json('blocks', 'invalid_blocks_format')
      : [{ type: 'markdown', text: markdown }];
  if (blocks === undefined || blocks === null) return undefined;
  if (!isFieldsList(blocks)) throw new SlackApiError('invalid_blocks_format');
  const findings = checkBlocks(blocks, { surface: 'message', unknownBlocks: rules.unknownBlocks });
  if (findings.length > 0) throw refusal('invalid_blocks', findings);
  if (rules.limitBlocks && blocksTooLong(blocks)) throw new SlackApiError('msg_blocks_too_long');
  return storedBlocks(blocks, () => rules.state.nextShortId());
}

function attachmentsOf(args: Args, rules: ContentRules): Fields[] | undefined {
  const attachments = args.json('attachments', 'invalid_attachments');
  if (attachments === undefined || attachments === null) return undefined;
  if (!isFieldsList(attachments)) throw new SlackApiError('invalid_attachments');
  if (attachments.length > 100) throw new SlackApiError('too_many_attachments');
  const findings = attachments.flatMap((one, index) =>
    one.blocks === undefined
      ? []
      : checkBlocks(one.blocks, {
          surface: 'message',
          unknownBlocks: rules.unknownBlocks,
          at: `/attachments/${index}/blocks`,
        }),
  );
  if (findings.length > 0) throw refusal('invalid_attachments', findings);
  return attachments.map((one, index) => ({ id: index + 1, ...one }));
}

function metadataOf(args: Args): MessageMetadata | null | undefined {
  const metadata = args.json('metadata', 'invalid_metadata_format');
  if (metadata === undefined || metadata === null) return undefined;
  if (!isFields(metadata)) throw new SlackApiError('invalid_metadata_format');
  if (Object.keys(metadata).length === 0) return null;
  const type = stringAt(metadata, 'event_type');
  const unknown = Object.keys(metadata).filter((key) => !['event_type', 'event_payload'].includes(key));
  if (type === undefined || type === '' || !isFields(metadata.event_payload) || unknown.length > 0) {
    throw new SlackApiError('invalid_metadata_schema');
  }
  return { event_type: type, event_payload: fieldsAt(metadata, 'event_payload') };
}
