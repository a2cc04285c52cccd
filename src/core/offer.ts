/** A step that undoes another one. Arguments are literals. */
export interface UndoStep {
  /** Button label: "Move it back". */
  readonly words: string;
  readonly tool: string;
  readonly args: Readonly<Record<string, string | number>>;
}

/** A follow-up step, offered as a button. Arguments are literals; a form asks for the rest first. */
export interface Offer {
  /** Button label: "Acknowledge". */
  readonly words: string;
  readonly tool: string;
  readonly args: Readonly<Record<string, string>>;
  /** Arguments the form asks for, in this order, with their initial values. */
  readonly asks?: readonly { readonly arg: string; readonly label: string; readonly value?: string }[];
  /** A confirmation, for steps that cannot be undone. */
  readonly confirm?: {
    readonly title: string;
    readonly text: string;
    readonly yes: string;
    readonly no: string;
  };
}

/** Current state of an incident that a step opened. */
export interface IncidentNow {
  readonly state: 'triggered' | 'acknowledged' | 'resolved';
  readonly title: string;
}
