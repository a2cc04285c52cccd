import type { Workspace } from './workspace.ts';

/** Opens so many more P1 tickets in OPS of the local Jira. */
export function openTickets({ sandbox }: Pick<Workspace, 'sandbox'>, count: number): void {
  const { store } = sandbox.jira;
  const [reporter] = store.users;
  if (reporter === undefined) throw new Error('the local Jira has no people');
  for (let made = 0; made < count; made += 1) {
    store.create({ project: 'OPS', priority: 'P1', summary: `number ${made}`, reporter });
  }
}

/** Leaves so many P1 tickets open in OPS. */
export function setOpenTickets(workspace: Pick<Workspace, 'sandbox'>, count: number): void {
  workspace.sandbox.jira.store.bulkClose('OPS', 'P1', 0);
  openTickets(workspace, count);
}
