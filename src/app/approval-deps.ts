import type { PeopleDirectory, Rules } from '../approval/ports.ts';
import type { Say } from '../blocks/message.ts';
import type { Log } from '../core/log.ts';
import type { Manifest } from '../core/manifest.ts';
import type { Readers } from '../core/ports.ts';
import type { SlotChange } from '../core/slot-change.ts';
import type { WriteTool } from '../core/tool.ts';
import type { RevisionRow } from '../store/tables.ts';
import type { SlackGateway } from '../vendors/slack/gateway.ts';
import type { Reporting } from './reporting.ts';
import type { SoundBooks } from './stored-requests.ts';

/** Dependencies of the approval stage. */
export interface ApprovalDeps extends SoundBooks {
  readonly people: PeopleDirectory;
  readonly reporting: Reporting;
  readonly gateway: Pick<SlackGateway, 'permalink' | 'isIn'>;
  readonly readers: Readers;
  readonly writeTools: ReadonlyMap<string, WriteTool>;
  readonly manifests: ReadonlyMap<string, Manifest>;
  readonly rules: Rules;
  /** Channel for announcing anything unusual; null without a default channel. */
  readonly loudChannel: string | null;
  /** A way to reply to the requester, for as long as that is possible. */
  readonly voiceOf: (requestId: string) => Say | undefined;
  /** Called once with a person's changes to a plan. */
  readonly edited: (changes: readonly SlotChange[]) => void;
  /** Called once for each revision that is decided, replaced or expired. */
  readonly decided: (revision: RevisionRow) => void;
  readonly now: () => Date;
  readonly log: Log;
}
