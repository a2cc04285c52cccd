/** Who clicked, wrote or sent a form. `home` is their workspace or company by what Slack sent, null where it named none. */
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
