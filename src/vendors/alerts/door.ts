/** How callers of a door prove who they are. SNS signs with a certificate of its own. */
export type DoorAuth =
  | { readonly kind: 'bearer' | 'basic'; readonly secret: string }
  | {
      readonly kind: 'hmac';
      readonly secret: string;
      readonly header: string;
      /** Header with the time that is signed as well; null for none. */
      readonly timestampHeader: string | null;
    }
  | { readonly kind: 'sns'; readonly topics: readonly string[] };

/** Where to find what in other products' JSON, as JSON pointers. */
export interface FieldPointers {
  readonly alerts?: string | undefined;
  readonly id?: string | undefined;
  readonly state: string;
  /** States in which it is over. */
  readonly resolved: readonly string[];
  readonly title: string;
  readonly text?: string | undefined;
  readonly since?: string | undefined;
  readonly until?: string | undefined;
  readonly link?: string | undefined;
  readonly labels?: string | undefined;
  readonly label: Readonly<Record<string, string>>;
}

/** One of the operator's doors for alerts. */
export interface AlertDoor {
  readonly name: string;
  readonly format:
    | { readonly kind: 'alertmanager' | 'grafana' | 'datadog' | 'sns' }
    | { readonly kind: 'json'; readonly fields: FieldPointers };
  readonly auth: DoorAuth;
}
