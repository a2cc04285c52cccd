import type { Need } from './blank.ts';
import type { TargetKind } from './fields.ts';
import type { ArgsOf, Manifest, ResultOf } from './manifest.ts';
import type { Readers, Writers } from './ports.ts';
import type { Problem } from './problem.ts';

/** What a target turned out to be when the card was made: "pages Ana Ruiz, on call for ops until 18:00 UTC". */
export interface ResolvedTarget {
  readonly step: string;
  readonly arg: string;
  readonly kind: TargetKind;
  readonly value: string;
  /** Plain words for the card. */
  readonly label: string;
  /** What helps to decide, beside the label: "03:12 for her, last paged 2 h ago". */
  readonly about?: string | undefined;
  /** What must still be the same at the write; compared as strings. Empty when it could not be resolved. */
  readonly identity: string;
  /** The operator's service that it belongs to, where its name does not say: rules about the service cover it. */
  readonly service?: string | undefined;
  /**
   * Why the write would not be made as it is: its vendor cannot take it, or it is so already. A card with the first cannot
   * be approved.
   */
  readonly instead?: { code: 'cannot_work' | 'done_already'; message: string } | undefined;
  /** Who is woken, by the vendor's ids: caps count each of them. */
  people?: { id: string; name: string }[] | undefined;
}

/** Targets of a plan as they are, and what steps lack that a person can be asked for. */
export interface Resolved {
  readonly targets: readonly ResolvedTarget[];
  readonly needs: readonly (Need & { readonly step: string })[];
}

export interface ReadContext {
  readonly readers: Readers;
  /** Slack user id of who asked for the plan: whom "me" means. */
  readonly asker: string;
  readonly now: () => Date;
  readonly signal: AbortSignal;
}

/** Who and what stands behind a write, for its text and its trace. */
export interface Origin {
  readonly requester: string;
  readonly approver: string;
  readonly goal: string;
  /** Address of the thread in Slack. */
  readonly threadLink: string | null;
  /** When the run started: nothing that it did can be older. */
  readonly startedAt: Date;
}

export interface TargetContext extends ReadContext {
  /** What the write is about, as it is sealed; null when its manifest names nothing, and where only targets are asked. */
  readonly problem: Problem | null;
}

export interface WriteContext extends TargetContext {
  readonly writers: Writers;
  /** Idempotency key made of run and step; the same at every execution of this write. */
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
  /** The result of this write if it has already happened, else null. Throws when that cannot be told. */
  find(args: ArgsOf<M>, context: Omit<WriteContext, 'writers'>): Promise<ResultOf<M> | null>;
  /**
   * Adds what its result lacks, under a permission of its own. It never makes the write again, and what is there already
   * is not added twice.
   */
  complete?(args: ArgsOf<M>, result: ResultOf<M>, context: WriteContext): Promise<ResultOf<M>>;
  /** Targets as they are now, with reads only. Arguments that are references are absent. */
  resolve(args: Partial<ArgsOf<M>>, context: TargetContext): Promise<Omit<ResolvedTarget, 'step'>[]>;
  /** What helps whoever decides, beside the targets: "03:12 in Europe/Madrid, last page 2 h ago". Asked for a card only. */
  about?(args: Partial<ArgsOf<M>>, context: TargetContext): Promise<string>;
  /** One sentence on what the write would do, for a dry run: "would page ops: …". */
  preview(args: ArgsOf<M>): string;
}

export type Tool =
  | { readonly effect: 'read'; readonly tool: ReadTool }
  | { readonly effect: 'write'; readonly tool: WriteTool };

/** Binds a read tool to its manifest; a manifest that writes is refused. */
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
