import type { ReadContext, ResolvedTarget } from '../src/core/tool.ts';

const readBy = {
  everyone: '',
  members: 'private, only its members see it',
  outside: 'shared with another company, whose people see it too',
} as const;

/** Who else reads a channel that is written to, where that is not everybody in the workspace. */
export async function audienceOf(
  channel: string | undefined,
  readers: ReadContext['readers'],
): Promise<Pick<ResolvedTarget, 'about'>> {
  if (channel === undefined) return {};
  const about = readBy[await readers.slack.audienceOf(`#${channel.replace(/^#/, '')}`)];
  return about === '' ? {} : { about };
}
