import type { Json } from '../core/json.ts';
import type { Request, RequestState, StoredRequest } from '../core/request.ts';

/** The stored requests of one workspace. */
export interface RequestBook {
  get(id: string): Promise<StoredRequest | null>;
  /** Stores a new one. False when it is there already. */
  insert(request: Request): Promise<boolean>;
  /**
   * False when there is no such request, when it is in none of the states of `from`, or when its question is no longer
   * the one of `asked`.
   */
  move(change: {
    id: string;
    to: RequestState;
    from?: readonly RequestState[];
    question?: Json | null;
    asked?: Json;
  }): Promise<boolean>;
}
