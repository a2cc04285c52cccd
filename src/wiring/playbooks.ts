import type { Playbooks } from './offline.ts';

/** The playbooks of the installation. */
export function loadPlaybooks(): Playbooks {
  return [];
}
