import type { Problem } from './dedup-key.ts';
import type { TargetKind } from './fields.ts';
import type { ArgsOf, Manifest, ResultOf } from './manifest.ts';
import type { Need } from './missing-input.ts';
import type { Readers, Writers } from './ports.ts';

/** The thing a target resolved to when the card was made: "pages Ana Ruiz, on call for ops until 18:00 UTC". */
export interface ResolvedTarget {
  readonly step: string;
  readonly arg: string;
  readonly kind: TargetKind;
  readonly value: string;
  /** Plain words for the card. */
  readonly label: string;
  /** The name people know it by, where the value is the vendor's id: #12. */
  readonly called?: string | undefined;
  /** Extra context for the approver: "03:12 in Europe/Madrid when this was read, last page at 01:20 UTC". */
  readonly about?: string | undefined;
  /** Must be unchanged at the time of the write; compared as strings. Empty when it could not be resolved. */
  readonly identity: string;
  /** The operator's service it belongs to, where the name does not show it: rules for that service apply. */
  readonly service?: string | undefined;
  /**
   * Why the write would not be made as it is: its vendor cannot take it, or it is so already. A card with the first cannot
   * be approved.
   */
  readonly instead?: { code: 'cannot_work' | 'done_already'; message: string } | undefined;
  /** Who is woken, by the vendor's ids: caps count each of them. */
  people?: { id: string; name: string }[] | undefined;
  /** Slack handle of the first of them, if known when the card was made: for a message when the vendor is down. */
  readonly handle?: string | undefined;
}

/** Resolved targets of a plan, and missing arguments that a person can be asked for. */
export interface Resolved {
  readonly targets: readonly ResolvedTarget[];
  readonly needs: readonly (Need & { readonly step: string })[];
}

export interface ReadContext {
  readonly readers: Readers;
  /** Slack user id of the requester: the person "me" refers to. */
  readonly asker: string;
  readonly now: () => Date;
  readonly signal: AbortSignal;
}

/** Who and what caused a write, for its text and its trace. */
export interface Origin {
  readonly requester: string;
  readonly approver: string;
  readonly goal: string;
  /** Address of the thread in Slack. */
  readonly threadLink: string | null;
  /** When the run started: nothing it did can be older. */
  readonly startedAt: Date;
}

export interface TargetContext extends ReadContext {
  /** The problem the write is about, as sealed; null when its manifest names none or only targets are resolved. */
  readonly problem: Problem | null;
}

export interface WriteContext extends TargetContext {
  readonly writers: Writers;
  /** Idempotency key made of run and step; the same on every attempt at this write. */
  readonly key: string;
  readonly origin: Origin;
}

export interface ReadTool<M extends Manifest = Manifest> {
  readonly manifest: M;
  run(args: ArgsOf<M>, context: ReadContext): Promise<ResultOf<M>>;
}

export interface WriteTool<M extends Manifest = Manifest> {
  readonly manifest: M;
  run(args: ArgsOf<M>, context: WriteContext): Promise<ResultOf<M>>;
  /** The result of this write if it already happened, else null. Throws when that cannot be determined. */
  find(args: ArgsOf<M>, context: Omit<WriteContext, 'writers'>): Promise<ResultOf<M> | null>;
  /** Adds the parts its result lacks, under a separate permission. Never repeats the write, nor adds what is already there. */
  complete?(args: ArgsOf<M>, result: ResultOf<M>, context: WriteContext): Promise<ResultOf<M>>;
  /** Current targets, resolved with reads only. Arguments that are references are absent. */
  resolve(args: Partial<ArgsOf<M>>, context: TargetContext): Promise<Omit<ResolvedTarget, 'step'>[]>;
  /** Help for the approver, beside the first target: "03:12 in Europe/Madrid when this was read, last page at 01:20 UTC". Asked for a card only. */
  about?(args: Partial<ArgsOf<M>>, context: TargetContext): Promise<Pick<ResolvedTarget, 'about' | 'handle'>>;
  /** One sentence on what the write would do, for a dry run: "would page ops: …". */
  preview(args: ArgsOf<M>): string;
}

export type Tool =
  | { readonly effect: 'read'; readonly tool: ReadTool }
  | { readonly effect: 'write'; readonly tool: WriteTool };

/** Binds a read tool to its manifest; rejects the manifest of a write. */
export function defineRead<M extends Manifest>(manifest: M, run: ReadTool<M>['run']): ReadTool<M> {
  if (manifest.effect !== 'read') throw new TypeError(`${manifest.name} is declared a write`);
  return { manifest, run };
}

export function defineWrite<M extends Manifest>(
  manifest: M,
  hands: Omit<WriteTool<M>, 'manifest'>,
): WriteTool<M> {
  if (manifest.effect !== 'write') throw new TypeError(`${manifest.name} is declared a read`);
  return { manifest, ...hands };
}
