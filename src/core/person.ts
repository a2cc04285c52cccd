/** Who clicked, wrote or sent a form. `home` is their workspace or company as Slack reported it, null if it did not. */
export interface Who {
  readonly userId: string;
  readonly home: string | null;
}

/** A person as Slack knows them. */
export interface Person {
  readonly id: string;
  readonly deactivated: boolean;
  readonly bot: boolean;
  readonly guest: boolean;
  readonly external: boolean;
}
