/** The phrases of a language; `{name}` is replaced by a name, a number or another phrase. */
export interface Tongue {
  readonly lang: string;
  /** Countable things, and the filters that their words stand for: `open`, `bug`, `unassigned`. */
  readonly tickets: readonly (readonly [text: string, filters: string])[];
  readonly incidents: readonly string[];
  readonly bounds: Readonly<Record<'>' | '>=' | '<' | '<=', readonly string[]>>;
  /** Around a bound and what it counts. */
  readonly ifs: readonly string[];
  readonly ifAny: readonly string[];
  readonly ifNone: readonly string[];
  readonly ifTicket: readonly (readonly [text: string, op: string, state: string])[];
  readonly ifIncident: readonly (readonly [text: string, op: string, state: string])[];
  readonly ifBreached: readonly string[];
  readonly only: readonly string[];
  readonly gap: readonly string[];
  /** Between orders of which the second waits for the first. */
  readonly later: readonly string[];
  readonly and: readonly string[];
  readonly or: readonly string[];
  readonly together: readonly string[];
  /** Before something that does not depend on the condition. */
  readonly also: readonly string[];
  readonly otherwise: readonly string[];
  readonly nothing: readonly string[];
  readonly page: readonly string[];
  readonly pageWith: readonly string[];
  readonly tell: readonly string[];
  readonly tellWith: readonly string[];
  readonly create: readonly string[];
  readonly comment: readonly string[];
  readonly move: readonly string[];
  readonly ack: readonly string[];
  readonly oncall: readonly string[];
  readonly listOpen: readonly string[];
  readonly runbook: readonly string[];
  /** How a service is doing. */
  readonly howIs: readonly string[];
  readonly search: readonly (readonly [text: string, filters: string])[];
  readonly getTicket: readonly string[];
  /** Puts results somewhere. */
  readonly postIt: readonly string[];
  readonly summarizeTo: readonly string[];
  readonly every: readonly (readonly [text: string, every: string])[];
  readonly until: readonly (readonly [text: string, until: string])[];
  readonly texts: readonly string[];
  readonly topics: readonly string[];
  readonly greeting: readonly string[];
}
