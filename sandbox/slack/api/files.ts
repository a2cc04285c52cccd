import { contentOf } from '../content.ts';
import { SlackApiError } from '../errors.ts';
import { type Fields, isFieldsList, stringAt } from '../fields.ts';
import { fileJson } from '../message-json.ts';
import type { StoredFile } from '../model.ts';
import { botAuthor, post } from '../posting.ts';
import type { Workspace } from '../workspace.ts';
import type { Args } from './args.ts';
import { botMethod, channelById, type Methods, requireMember } from './method.ts';

export const fileMethods: Methods = {
  'files.getUploadURLExternal': botMethod(['files:write'], getUploadUrl),
  'files.completeUploadExternal': botMethod(['files:write'], complete),
  'files.info': botMethod(['files:read'], info),
};

function getUploadUrl(args: Args, { state, url }: Workspace): Fields {
  const name = args.need('filename');
  const length = args.whole('length', 0);
  if (length < 1) throw new SlackApiError('invalid_arguments');
  const id = state.nextId('F');
  const altText = args.string('alt_txt') ?? args.string('alt_text');
  const extra = altText === undefined ? {} : { altText };
  state.files.set(id, {
    id,
    name,
    title: name,
    createdAt: state.now(),
    bytes: null,
    complete: false,
    ...extra,
  });
  return { upload_url: `${url()}/upload/v1/${id}`, file_id: id };
}

/** The bytes arrive between the two calls. Returns false when nobody asked for this upload. */
export function receiveUpload({ state }: Workspace, id: string, bytes: Uint8Array): boolean {
  const file = state.files.get(id);
  if (file === undefined || file.complete) return false;
  file.bytes = bytes;
  return true;
}

function uploaded(args: Args, { state }: Workspace): StoredFile[] {
  const wanted = args.json('files', 'invalid_arguments');
  if (!isFieldsList(wanted) || wanted.length === 0) throw new SlackApiError('invalid_arguments');
  return wanted.map((one) => {
    const file = state.files.get(stringAt(one, 'id') ?? '');
    if (file === undefined || file.bytes === null || file.complete) throw new SlackApiError('file_not_found');
    file.title = stringAt(one, 'title') ?? file.name;
    return file;
  });
}

function complete(args: Args, workspace: Workspace): Fields {
  const { state, unknownBlocks } = workspace;
  const files = uploaded(args, workspace);
  const channelId = args.string('channel_id') ?? args.string('channels');
  if (channelId !== undefined && channelId !== '') {
    const channel = channelById(state, channelId);
    requireMember(state, channel);
    const rules = { state, unknownBlocks, maxText: 40_000, limitBlocks: true };
    const text = contentOf(args, rules);
    const comment = args.string('initial_comment') ?? '';
    const threadTs = args.string('thread_ts');
    const place = { files: files.map((one) => one.id), ...(threadTs === undefined ? {} : { threadTs }) };
    post(state, channel, botAuthor(state), { text: comment, ...text }, place);
  }
  for (const file of files) file.complete = true;
  return { files: files.map((one) => fileJson(state, one)) };
}

function info(args: Args, { state }: Workspace): Fields {
  const file = state.files.get(args.need('file'));
  if (file === undefined || !file.complete) throw new SlackApiError('file_not_found');
  return { file: fileJson(state, file), content: Buffer.from(file.bytes ?? []).toString('utf8') };
}
